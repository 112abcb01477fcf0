// The settings of the program: defaults, then file, environment and flags, in rising precedence.
// Paths in the file are relative to the file's folder, so the program may be started anywhere.
// Left out: folders that no one names, which `Configuration+Defaults` chooses.

import HTTP1
import PostgreSQLStore
import ResultStore
import Sockets
import Vendors

/// The effective configuration.
package struct Configuration: Sendable {
    /// The defaults.
    package init() {}

    /// A host and path pattern that accepts callbacks of one vendor.
    package struct Receiver: Sendable, Equatable {
        /// Lower case, without port.
        package var host: String
        /// A link pattern (see `LinkPatterns`), such as `/dds/`.
        package var path: String
        package var vendor: Vendor
        /// The contract of messages that don't name theirs; nil detects it from their content.
        package var contract: Contract?
        package var inbox: String

        /// Host and path, with a slash between them.
        package var route: String { host + (path.hasPrefix("/") ? "" : "/") + path }
    }

    /// TLS on its own port.
    package struct TLS: Sendable, Equatable {
        /// One host that browsers must visit by https only (RFC 6797).
        package struct StrictHost: Sendable, Equatable {
            /// Lower case.
            package var host: String
            /// How long browsers remember it.
            package var seconds: Int
            package var includesSubdomains: Bool
        }

        /// Whether clients present certificates.
        package enum ClientCertificates: String, Sendable, CaseIterable {
            case none
            case optional
            case required
        }

        package static let defaultPort: UInt16 = 8443

        /// 0 asks the system for a free port.
        package var port = defaultPort
        /// The folder of the certificates: `NAME.pem` with `NAME.key`, and optionally `NAME.ocsp`.
        package var folder = Configuration.certificatesName
        /// The certificate for clients that name no host or an unknown one.
        package var defaultCertificate: String?
        /// Whether the plain port redirects here, except for link files, health, and requests of
        /// this machine to its own address.
        package var redirects = false
        package var strictHosts: [StrictHost] = []
        /// The authorities that verify client certificates, as a file.
        package var clientAuthorities: String?
        package var clientCertificates = ClientCertificates.none

        package init() {}
    }

    /// What the vendors' emulators may do.
    package struct Emulator: Sendable, Equatable {
        /// Hosts that callbacks may lead to besides this server's own; lower case, without port.
        ///
        /// If nil, a server that only this machine can reach may redirect browsers anywhere.
        package var allowedHosts: Set<String>?
        /// The URL for Flux's webhooks after a completed flow; nil posts none.
        package var webhookURL: String?
        /// Signs these webhooks; nil leaves them unsigned.
        package var webhookSecret: WebhookSecret?
    }

    /// The format of log lines.
    package enum LogFormat: String, Sendable, CaseIterable {
        case text
        case json
    }

    /// The format of the access log.
    package enum AccessLogFormat: String, Sendable, CaseIterable {
        case off
        case text
        case json
    }

    /// An IPv4 or IPv6 address, or `localhost`.
    package var host = "127.0.0.1"
    /// 0 asks the system for a free port.
    package var port: UInt16 = 8080
    /// An additional Unix-domain socket.
    package var unixSocket: String?
    /// The URL by which others reach the server, such as a proxy's, without a trailing slash; nil
    /// if they use the addresses that it listens on.
    package var reachableURL: String?
    /// Whether each connection must begin with a PROXY header.
    package var expectsProxyHeader = false
    /// Proxies whose fields about client, scheme and host are trusted.
    package var trustedProxies: [AddressBlock] = []
    /// Whether peers of the Unix-domain socket are trusted proxies too.
    package var trustsUnixPeers = false
    /// Nil serves no TLS.
    package var tls: TLS?
    /// Milliseconds that connections have to end when the server stops.
    package var stopMilliseconds: UInt64 = 30_000
    /// Whether responses report their processing time.
    var sendsServerTiming = false
    /// The file that was loaded; nil without one.
    package var file: String?
    /// Where the values come from that aren't defaults, by key.
    package var origins: [String: SettingOrigin] = [:]
    /// The data folder.
    package var dataFolder = Configuration.dataName
    /// The folder of the web page; nil if it isn't configured and none is installed.
    package var publicFolder = Configuration.installedPage
    /// The folder that contains the sites' folders.
    package var sitesFolder = Configuration.sitesName
    /// Whether link files with errors are served too.
    package var allowsInvalidSites = false
    /// The site for hosts that have none.
    package var defaultSite: String?
    package var receivers: [Receiver] = []
    /// The answers of receivers that don't answer as usual, by their place in `receivers`.
    package var answers: [Int: ProgrammedAnswer] = [:]
    /// The sandbox of Rezolve.
    package var rezolve = Rezolve()
    /// The keys of Flux's emulated REST interface; if nil, an open server uses the one for
    /// development, and other servers have none.
    package var dimmyKeys: [String]?
    /// A key for development; it is public.
    package static let developmentDimmyKey = "landfall-development-key"
    /// The partners that the emulated Welltory knows; nil takes every one for known.
    package var welltoryPartners: [RegisteredPartner]?
    /// The token for `/api` and the page; if nil, one is generated, or a server that only this
    /// machine can reach stays open.
    package var token: String?
    /// The secrets of webhooks; if empty, signatures are not verified.
    package var webhookSecrets: [WebhookSecret] = []
    /// How health and location values are stored.
    package var privacy = Privacy.off
    /// The key of pseudonyms; if nil, one is generated and kept in the data folder.
    package var privacyKey: String?
    package var logLevel = "info"
    package var logFormat = LogFormat.text
    package var accessLog = AccessLogFormat.off
    /// Origins of the sites whose pages may use the API.
    package var allowedOrigins: Set<String> = []
    /// Whether agents may call tools at `/mcp`.
    package var servesAgents = false
    /// The database that keeps the results; nil keeps them in files of the data folder.
    package var database: DatabaseAddress?
    /// What happens to callbacks while the database can't be used.
    package var onOutage = OutagePolicy.spool
    /// Storage and retention of results.
    package var store = StoreSettings()
    /// Time without a callback after which a launch counts as lost.
    package var flowPatience = Duration.seconds(600)
    package var emulator = Emulator()
    /// Which callbacks are sent on.
    package var forward: [ForwardRule] = []
    /// Maximum bytes of a callback's body.
    package var callbackBodyBytes = 4 * 1024 * 1024
    package var http = HTTP1.Limits()

    /// Whether proxies forward requests from elsewhere, so that a local peer doesn't mean a local
    /// client.
    package var servesProxies: Bool {
        !trustedProxies.isEmpty || trustsUnixPeers || expectsProxyHeader
    }

    /// What a connection without a request begins with: the PROXY header that is expected, for an
    /// unknown client.
    package var emptyPreface: String { expectsProxyHeader ? "PROXY UNKNOWN\r\n" : "" }

    /// The socket where a successor asks for the listening sockets.
    package var handoverPath: String { dataFolder + "/handover.sock" }

    /// The URL of a port for programs of this machine, as a server on it announces it.
    package func localURL(_ scheme: String, port: UInt16) -> String {
        let ip = IPAddress(host.utf8)
        let isLoopback = host == "localhost" || ip?.isWildcard == true
        let place = isLoopback ? "127.0.0.1" : ip?.urlHost ?? host
        return "\(scheme)://\(place):\(port)"
    }

    /// The settings that all connections share.
    ///
    /// Unless it is set, the limit of one address is at most half of all connections, so that no
    /// peer can use up all of them where they are few.
    ///
    /// - Parameter memory: limits the memory of large responses.
    package func serverSettings(sharing memory: MemoryBudget) -> ServerSettings {
        var limits = http
        if origin(of: "limits.connections_per_address") == .builtIn {
            limits.connectionsPerAddress = min(
                limits.connectionsPerAddress, max(1, limits.connections / 2))
        }
        return ServerSettings(
            limits: limits, trustedProxies: trustedProxies, trustsUnixPeers: trustsUnixPeers,
            sendsServerTiming: sendsServerTiming, workMemory: memory)
    }
}
