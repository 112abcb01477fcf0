// What the program is told: defaults, then the file, then the environment, then flags. Paths in the
// file are relative to the file's folder, so the program may be started from anywhere.

import HTTP1
import ResultStore
import Sockets
import Vendors

/// The configuration in force.
package struct Configuration: Sendable {
    /// The defaults.
    package init() {}

    /// A host and path pattern that accepts callbacks of one vendor.
    package struct Receiver: Sendable, Equatable {
        /// Lower case, without port.
        package var host: String
        /// A link pattern (see `AppLinks`), such as `/dds/`.
        package var path: String
        package var vendor: Vendor
        /// The contract that messages follow which don't tell theirs; nil leaves it to their content.
        package var contract: Contract?
        package var inbox: String
    }

    /// TLS on a port of its own.
    package struct TLS: Sendable, Equatable {
        /// One host that browsers are told to visit by https only (RFC 6797).
        package struct StrictHost: Sendable, Equatable {
            /// Lower case.
            package var host: String
            /// How long they remember it.
            package var seconds: Int
            package var includesSubdomains: Bool
        }

        /// Whether clients show certificates.
        package enum ClientCertificates: String, Sendable, CaseIterable {
            case none
            case optional
            case required
        }

        /// 0 asks the system for a free port.
        package var port: UInt16 = 8443
        /// The folder of the certificates: `NAME.pem` with `NAME.key`, and `NAME.ocsp` at will.
        package var folder = "Config/tls"
        /// The certificate for clients that name no host, or one that no certificate has.
        package var defaultCertificate: String?
        /// Whether the plain port sends clients here, but for link files and health.
        package var redirects = false
        package var strictHosts: [StrictHost] = []
        /// A file of the authorities that client certificates are checked against.
        package var clientAuthorities: String?
        package var clientCertificates = ClientCertificates.none

        package init() {}
    }

    /// What the vendors' emulators may do.
    package struct Emulator: Sendable, Equatable {
        /// Hosts that callbacks may lead to besides this server's own, in lower case, without port.
        ///
        /// Nil lets a browser be sent anywhere from a server that only this machine reaches.
        package var allowedHosts: Set<String>?
        /// Where Flux's webhooks are posted to after a completed flow; nil posts none.
        package var webhookURL: String?
        /// What they are signed with; nil signs none.
        package var webhookSecret: WebhookSecret?
    }

    /// How log lines look.
    package enum LogFormat: String, Sendable, CaseIterable {
        case text
        case json
    }

    /// An IPv4 or IPv6 address, or `localhost`.
    package var host = "127.0.0.1"
    /// 0 asks the system for a free port.
    package var port: UInt16 = 8080
    /// A Unix-domain socket to listen on too.
    package var unixSocket: String?
    /// Whether each connection must begin with a PROXY header.
    package var expectsProxyHeader = false
    /// Whose word on clients, schemes and hosts is taken.
    var trustedProxies: [AddressBlock] = []
    /// Whether peers of the Unix-domain socket are such proxies too.
    var trustsUnixPeers = false
    /// Nil serves no TLS.
    package var tls: TLS?
    /// Milliseconds that connections may take to end when the server stops.
    package var stopMilliseconds: UInt64 = 30_000
    /// Whether responses say how long they took.
    var sendsServerTiming = false
    /// The data folder.
    package var dataFolder = "data"
    /// The folder of the web page's files.
    package var publicFolder = "public"
    /// The folder of the sites' folders.
    package var sitesFolder = "Config/sites"
    /// Whether link files with errors are served all the same.
    package var allowsInvalidSites = false
    /// The site that answers for hosts that have none.
    package var defaultSite: String?
    package var receivers: [Receiver] = []
    /// The sandbox of Rezolve.
    package var rezolve = Rezolve()
    /// What `/api` and the page ask for; nil makes one up, or leaves a server that only this machine
    /// reaches open.
    package var token: String?
    /// With which webhooks are signed; without any, signatures are not looked at.
    package var webhookSecrets: [WebhookSecret] = []
    /// What is stored of health and location values.
    package var privacy = Privacy.off
    /// The key of pseudonyms; nil has one made and kept in the data folder.
    package var privacyKey: String?
    package var logLevel = "info"
    package var logFormat = LogFormat.text
    /// Sites whose pages may use the API, as browsers name them.
    package var allowedOrigins: Set<String> = []
    /// How results are kept, and for how long.
    package var store = StoreSettings()
    /// After how long without a callback a launch counts as lost.
    package var flowPatience = Duration.seconds(600)
    package var emulator = Emulator()
    /// Bytes that the body of a callback may have.
    package var callbackBodyBytes = 4 * 1024 * 1024
    package var http = HTTP1.Limits()

    /// Whether proxies pass requests on from elsewhere, so that a peer on this machine says nothing
    /// about who asks.
    package var servesProxies: Bool {
        !trustedProxies.isEmpty || trustsUnixPeers || expectsProxyHeader
    }

    /// Where a process that takes over asks for the listening sockets.
    package var handoverPath: String { dataFolder + "/handover.sock" }

    /// What the server's connections share.
    ///
    /// - Parameter memory: what large responses hold.
    package func serverSettings(sharing memory: MemoryBudget) -> ServerSettings {
        ServerSettings(
            limits: http, trustedProxies: trustedProxies, trustsUnixPeers: trustsUnixPeers,
            sendsServerTiming: sendsServerTiming, workMemory: memory)
    }
}
