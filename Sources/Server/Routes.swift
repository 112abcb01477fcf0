// Which endpoint answers which path: the table of the whole HTTP surface, in the pattern language
// that the product speaks everywhere.

import AppLinks
import HTTP1
import ResultAPI
import RezolveSandbox
import Settings
import Text
import Vendors

/// What a path stands for.
package enum Endpoint: Sendable {
    /// What has to wait: for a body, for the store.
    package enum Work: Sendable {
        case callbacks
        case receiver(Configuration.Receiver)
        case query(ResultAPI.Question)
        case explainLink
        case lintLinkFile
        case decode
        case emulate(Contract, isOwnHost: Bool)
        case mintLaunch
        case planEmulator
        case rezolve(RezolveRoute)
    }

    case associationFile
    case assetLinksFile
    case health
    /// Whether callbacks are stored and questions answered.
    case readiness
    case page(StaticResource)
    case work(Work)

    /// The methods that it answers; OPTIONS is answered everywhere.
    package var methods: [Request.Method] {
        switch self {
        case .work(.callbacks), .work(.receiver): [.get, .post]
        case .work(.query(let query)): query.methods
        case .work(.lintLinkFile), .work(.decode), .work(.mintLaunch): [.post]
        case .work(.rezolve(let route)): route.methods
        case .work(.emulate): [.get, .post]
        case .work(.planEmulator): [.get, .head, .put, .delete]
        case .work(.explainLink), .associationFile, .assetLinksFile, .health, .readiness, .page:
            [.get, .head]
        }
    }

    /// Whether it answers requests of a method: hot, so no array is made for those who only read.
    package func answers(_ method: Request.Method) -> Bool {
        switch self {
        case .associationFile, .assetLinksFile, .health, .readiness, .page:
            method == .get || method == .head
        case .work: methods.contains(method)
        }
    }

    /// What `Allow` says (RFC 9110 §10.2.1).
    package var allowedMethods: String {
        (methods + [.options]).map(\.rawValue).joined(separator: ", ")
    }

    /// Whether it may be answered with the way to TLS: link files must never redirect, and health is
    /// asked for by machines that follow nothing.
    package var mayRedirect: Bool {
        switch self {
        case .associationFile, .assetLinksFile, .health, .readiness: false
        default: true
        }
    }

    /// Bytes that the request target may have; nil for as many as the server takes.
    ///
    /// Callbacks carry results of 100 kB and more in their query; everything else keeps to RFC
    /// 9112's minimum.
    package var targetBytes: Int? {
        switch self {
        case .work(.callbacks), .work(.receiver), .work(.emulate), .work(.rezolve(.trigger)): nil
        default: 8192
        }
    }
}

/// A path as it was sent, for looking up.
///
/// Its length and its last bytes are hashed, since hashing each byte of a link file's path costs a
/// twentieth of answering it. The table is ours, so nobody can fill it with paths that collide.
private struct PlainPath: Hashable {
    private let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    init(_ text: String.UTF8View) { bytes = Array(text)[...] }

    func hash(into hasher: inout Hasher) {
        var key = UInt64(bytes.count)
        for byte in bytes.suffix(6) { key = key << 8 | UInt64(byte) }
        hasher.combine(key)
    }
}

/// Finds endpoints.
package struct Routes: Sendable {
    /// The receivers of the configuration.
    package let receivers: [Configuration.Receiver]

    private var everywhere = Router<Endpoint>()
    private var byHost: [String: Router<Endpoint>] = [:]

    /// Routes without parameters, by their path as it is mostly written: found without decoding.
    private var byPath: [PlainPath: Endpoint] = [:]

    /// Builds the table: receivers of the configuration come before everything else on their host.
    ///
    /// Throws when a pattern can't be read; the configuration has checked its own.
    ///
    /// - Parameter rezolveHosts: where the vendor's API answers without a prefix.
    package init(
        receivers: [Configuration.Receiver], rezolveHosts: Set<String> = [], page: PageFiles
    ) throws(LinkPatternError) {
        self.receivers = receivers
        for receiver in receivers {
            try byHost[receiver.host, default: Router()].add(
                LinkPattern(receiver.path), .work(.receiver(receiver)))
        }
        for (pattern, endpoint) in Self.table {
            try everywhere.add(LinkPattern(pattern), endpoint)
            if !pattern.contains(":") { byPath[PlainPath("/\(pattern)".utf8)] = endpoint }
        }
        for (pattern, route) in RezolveRoute.table {
            try everywhere.add(
                LinkPattern("emulate/rezolve/\(pattern)"), .work(.rezolve(route)))
        }
        for host in rezolveHosts {
            for (pattern, route) in RezolveRoute.apiTable {
                try byHost[host, default: Router()].add(
                    LinkPattern(pattern), .work(.rezolve(route)))
            }
        }
        for (name, resource) in page.files {
            // Names of files are compared as they are: they are no patterns.
            files[name] = .page(resource)
        }
    }

    /// The page's files by name; `index.html` also answers for the root.
    private var files: [String: Endpoint] = [:]

    /// Every route but the receivers of the configuration, the page's files, and the sandbox's.
    package static let table = own + launches

    private static let own: [(pattern: String, endpoint: Endpoint)] = [
        (".well-known/apple-app-site-association", .associationFile),
        ("apple-app-site-association", .associationFile),
        (".well-known/assetlinks.json", .assetLinksFile),
        ("callbacks/:vendor", .work(.callbacks)),
        ("callbacks/:vendor/:inbox", .work(.callbacks)),
        ("callbacks/:vendor/:inbox/:flow", .work(.callbacks)),
        ("api/v1/results", .work(.query(.results))),
        ("api/v1/results/latest", .work(.query(.latestResult))),
        ("api/v1/results/wait", .work(.query(.wait))),
        ("api/v1/results/stream", .work(.query(.stream))),
        ("api/v1/results/:id", .work(.query(.result))),
        ("api/v1/results/:id/request", .work(.query(.resultRequest))),
        ("api/v1/results/:id/curl", .work(.query(.resultCurl))),
        ("api/v1/results/:id/adopt", .work(.query(.adopt))),
        ("api/v1/inboxes", .work(.query(.inboxes))),
        ("api/v1/inboxes/:id", .work(.query(.inbox))),
        ("api/v1/flows", .work(.query(.flows))),
        ("api/v1/flows/report", .work(.query(.flowReport))),
        ("api/v1/flows/:id", .work(.query(.flow))),
        ("api/v1/vendors", .work(.query(.vendors))),
        ("api/v1/vendors/:id/drift", .work(.query(.drift))),
        ("api/v1/stats", .work(.query(.statistics))),
        ("api/v1/export", .work(.query(.export))),
        ("api/v1/import", .work(.query(.importing))),
        ("api/v1/store/compact", .work(.query(.compact))),
        ("api/v1/store/verify", .work(.query(.verify))),
        ("api/v1/store/redecode", .work(.query(.redecode))),
        ("api/v1/links/explain", .work(.explainLink)),
        ("api/v1/associations/lint", .work(.lintLinkFile)),
        ("api/v1/decode", .work(.decode)),
        ("api/v1/launches", .work(.mintLaunch)),
        ("api/v1/emulator/:vendor", .work(.planEmulator)),
        ("healthz", .health),
        ("readyz", .readiness),
    ]

    /// The launches that are emulated.
    private static let launches: [(pattern: String, endpoint: Endpoint)] =
        EmulatorRoutes.paths.map { ($0.path, .work(.emulate($0.contract, isOwnHost: false))) }

    /// The path under which a query is asked for, percent-encoded.
    ///
    /// - Parameter name: the result or inbox that it is about; nil where it is about none.
    package static func path(of query: ResultAPI.Question, about name: String?) -> String {
        for (pattern, endpoint) in table {
            guard case .work(.query(query)) = endpoint else { continue }
            return "/" + pattern.replacing(":id", with: name?.percentEncoded ?? "")
        }
        return "/"
    }

    /// The endpoint of a path on a host, where it is one that needs no decoding.
    package func endpoint(forPlain path: ArraySlice<UInt8>, on host: String) -> Endpoint? {
        byHost[host] == nil ? byPath[PlainPath(path)] : nil
    }

    /// The endpoint of a link on a host; nil when nothing is served there.
    ///
    /// O(routes that share the link's first component).
    package func endpoint(
        for link: Link, on host: String
    ) -> (endpoint: Endpoint, parameters: Parameters?)? {
        if let found = byHost[host]?.match(link) {
            return (found.value, found.parameters)
        }
        if let found = everywhere.match(link) { return (found.value, found.parameters) }
        if let contract = LaunchCheck.contract(ofHost: host) {
            return Self.isLaunch(link) ? (.work(Self.launch(of: contract)), nil) : nil
        }
        guard link.components.count <= 1,
            let file = files[link.components.first ?? "index.html"]
        else { return nil }
        return (file, nil)
    }

    /// Whether what a vendor's own host is asked for is a launch, if only a wrong one, whose check says so.
    ///
    /// Not what is Landfall's own, nor what browsers ask for unbidden.
    private static func isLaunch(_ link: Link) -> Bool {
        !ownNames.contains(link.components.first ?? "")
    }

    private static let ownNames: Set<String> = [
        "api", "callbacks", "emulate", "healthz", "readyz", ".well-known",
        "apple-app-site-association", "favicon.ico", "robots.txt", "apple-touch-icon.png",
        "apple-touch-icon-precomposed.png",
    ]

    private static func launch(of contract: Contract) -> Endpoint.Work {
        contract == .rezolveTrigger ? .rezolve(.trigger) : .emulate(contract, isOwnHost: true)
    }
}
