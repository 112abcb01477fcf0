// What the program is told: defaults, then the file, then the environment, then flags. Paths in the
// file are relative to the file's folder, so the program may be started from anywhere.

import HTTP1
import ResultStore
import Sockets
import Vendors

/// The configuration in force.
struct Configuration: Sendable {
    /// A host and path pattern that accepts callbacks of one vendor.
    struct Receiver: Sendable, Equatable {
        /// Lower case, without port.
        var host: String
        /// A link pattern (see `AppLinks`), such as `/dds/`.
        var path: String
        var vendor: Vendor
        /// The contract that messages follow which don't tell theirs; nil leaves it to their content.
        var contract: Contract?
        var inbox: String
    }

    /// TLS on a port of its own.
    struct TLS: Sendable, Equatable {
        /// One host that browsers are told to visit by https only (RFC 6797).
        struct StrictHost: Sendable, Equatable {
            /// Lower case.
            var host: String
            /// How long they remember it.
            var seconds: Int
            var includesSubdomains: Bool
        }

        /// Whether clients show certificates.
        enum ClientCertificates: String, Sendable, CaseIterable {
            case none
            case optional
            case required
        }

        /// 0 asks the system for a free port.
        var port: UInt16 = 8443
        /// The folder of the certificates: `NAME.pem` with `NAME.key`, and `NAME.ocsp` at will.
        var folder = "Config/tls"
        /// The certificate for clients that name no host, or one that no certificate has.
        var defaultCertificate: String?
        /// Whether the plain port sends clients here, but for link files and health.
        var redirects = false
        var strictHosts: [StrictHost] = []
        /// A file of the authorities that client certificates are checked against.
        var clientAuthorities: String?
        var clientCertificates = ClientCertificates.none
    }

    /// What the vendors' emulators may do.
    struct Emulator: Sendable, Equatable {
        /// Hosts that callbacks may lead to besides this server's own, in lower case, without port.
        ///
        /// Nil lets a browser be sent anywhere from a server that only this machine reaches.
        var allowedHosts: Set<String>?
        /// Where Flux's webhooks are posted to after a completed flow; nil posts none.
        var webhookURL: String?
        /// What they are signed with; nil signs none.
        var webhookSecret: WebhookSecret?
    }

    /// How log lines look.
    enum LogFormat: String, Sendable, CaseIterable {
        case text
        case json
    }

    /// An IPv4 or IPv6 address, or `localhost`.
    var host = "127.0.0.1"
    /// 0 asks the system for a free port.
    var port: UInt16 = 8080
    /// A Unix-domain socket to listen on too.
    var unixSocket: String?
    /// Whether each connection must begin with a PROXY header.
    var expectsProxyHeader = false
    /// Whose word on clients, schemes and hosts is taken.
    var trustedProxies: [AddressBlock] = []
    /// Whether peers of the Unix-domain socket are such proxies too.
    var trustsUnixPeers = false
    /// Nil serves no TLS.
    var tls: TLS?
    /// Milliseconds that connections may take to end when the server stops.
    var stopMilliseconds: UInt64 = 30_000
    /// Whether responses say how long they took.
    var sendsServerTiming = false
    /// The data folder.
    var dataFolder = "data"
    /// The folder of the web page's files.
    var publicFolder = "public"
    /// The folder of the sites' folders.
    var sitesFolder = "Config/sites"
    /// Whether link files with errors are served all the same.
    var allowsInvalidSites = false
    /// The site that answers for hosts that have none.
    var defaultSite: String?
    var receivers: [Receiver] = []
    /// The sandbox of Rezolve.
    var rezolve = Rezolve()
    /// What `/api` and the page ask for; nil makes one up, or leaves a server that only this machine
    /// reaches open.
    var token: String?
    /// With which webhooks are signed; without any, signatures are not looked at.
    var webhookSecrets: [WebhookSecret] = []
    /// What is stored of health and location values.
    var privacy = Privacy.off
    /// The key of pseudonyms; nil has one made and kept in the data folder.
    var privacyKey: String?
    var logLevel = "info"
    var logFormat = LogFormat.text
    /// Sites whose pages may use the API, as browsers name them.
    var allowedOrigins: Set<String> = []
    /// How results are kept, and for how long.
    var store = StoreSettings()
    /// After how long without a callback a launch counts as lost.
    var flowPatience = Duration.seconds(600)
    var emulator = Emulator()
    /// Bytes that the body of a callback may have.
    var callbackBodyBytes = 4 * 1024 * 1024
    var http = HTTP1.Limits()

    /// Whether proxies pass requests on from elsewhere, so that a peer on this machine says nothing
    /// about who asks.
    var servesProxies: Bool {
        !trustedProxies.isEmpty || trustsUnixPeers || expectsProxyHeader
    }

    /// Where a process that takes over asks for the listening sockets.
    var handoverPath: String { dataFolder + "/handover.sock" }

    /// What the server's connections share.
    ///
    /// - Parameter memory: what large responses hold.
    func serverSettings(sharing memory: MemoryBudget) -> ServerSettings {
        ServerSettings(
            limits: http, trustedProxies: trustedProxies, trustsUnixPeers: trustsUnixPeers,
            sendsServerTiming: sendsServerTiming, workMemory: memory)
    }
}
