// The table of all HTTP routes, in the link pattern language that the product uses everywhere.

import Emulator
import HTTP1
import LinkPatterns
import ResultAPI
import RezolveSandbox
import Settings
import Text
import Vendors

/// What a path is routed to.
package enum Endpoint: Sendable {
    /// Endpoints that wait for a body or for the store.
    package enum Work: Sendable {
        case callbacks
        case receiver(Configuration.Receiver, AnswerProgram?)
        case receivers
        case programAnswer
        case query(ResultAPI.Operation)
        case wait
        case importResults
        case explainLink
        case lintLinkFile
        case compareLinkFile
        case sites
        case sendAgain
        case adopt
        case deliveries
        case retryDeliveries
        case decode
        case emulate(Contract, isOwnHost: Bool)
        case shared(Contract, SharedPage)
        case items(EmulatedItems.Call)
        case mintLaunch
        case addresses
        case planEmulator
        case rezolve(RezolveRoute)
        case metrics
        /// The Model Context Protocol.
        case agents
    }

    case associationFile
    case assetLinksFile
    case health
    /// Reports whether callbacks are stored and queries answered.
    case readiness
    case page(StaticResource)
    case work(Work)

    /// The supported methods; OPTIONS is always supported.
    package var methods: [Request.Method] {
        switch self {
        case .work(.callbacks), .work(.receiver): [.get, .post]
        case .work(.query(let operation)): operation.methods
        // No HEAD: a response may take minutes, which is too much work to discard.
        case .work(.wait): [.get]
        case .work(.lintLinkFile), .work(.compareLinkFile), .work(.decode), .work(.mintLaunch),
            .work(.importResults), .work(.sendAgain), .work(.adopt),
            .work(.retryDeliveries), .work(.agents):
            [.post]
        case .work(.rezolve(let route)): route.methods
        case .work(.items(.barcode)): [.post]
        case .work(.items), .work(.shared): [.get]
        case .work(.emulate): [.get, .post]
        case .work(.planEmulator), .work(.programAnswer): [.get, .head, .put, .delete]
        case .work(.explainLink), .work(.sites), .work(.addresses), .work(.metrics),
            .work(.deliveries), .work(.receivers), .associationFile, .assetLinksFile, .health,
            .readiness, .page:
            [.get, .head]
        }
    }

    /// Whether the method is supported.
    ///
    /// Hot path: allocates no array for read-only endpoints.
    func answers(_ method: Request.Method) -> Bool {
        switch self {
        case .associationFile, .assetLinksFile, .health, .readiness, .page:
            method == .get || method == .head
        case .work: methods.contains(method)
        }
    }

    /// The value of `Allow` (RFC 9110 §10.2.1).
    var allowedMethods: String {
        (methods + [.options]).map(\.rawValue).joined(separator: ", ")
    }

    /// Whether it may redirect to TLS: link files must never redirect, and health checks don't
    /// follow redirects.
    var mayRedirect: Bool {
        switch self {
        case .associationFile, .assetLinksFile, .health, .readiness: false
        default: true
        }
    }

    /// Maximum bytes of the request target; nil for the server's limit.
    ///
    /// Callbacks carry results of 100 kB and more in their query, and launch links (Rezolve's too)
    /// have the same limit. Queries about results have room for the longest `q`; all others keep to
    /// the usual limit.
    package var targetBytes: Int? {
        switch self {
        case .work(.callbacks), .work(.receiver), .work(.emulate), .work(.rezolve(.trigger)): nil
        case .work(.query), .work(.wait): Limits.queryTargetBytes
        default: Limits.usualTargetBytes
        }
    }
}

/// An undecoded path as a hash key.
///
/// Only its length and last bytes are hashed: hashing each byte of a link file's path costs 5% of
/// its response time. The table is fixed, so no peer can add colliding paths.
private struct PlainPath: Hashable {
    private let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    init(_ text: String.UTF8View) { bytes = Array(text)[...] }

    static func == (one: PlainPath, other: PlainPath) -> Bool {
        one.bytes.span.equals(other.bytes.span, from: 0, to: one.bytes.count)
    }

    func hash(into hasher: inout Hasher) {
        var key = UInt64(bytes.count)
        for byte in bytes.suffix(6) { key = key << 8 | UInt64(byte) }
        hasher.combine(key)
    }
}

/// An endpoint, and the pattern that leads to it; a class, so that passing it on copies nothing.
package final class Route: Sendable {
    package let endpoint: Endpoint
    /// The index of the pattern in `Routes.patterns`.
    let pattern: Int
    /// The label of its requests; without the vendor if that is a part of the path.
    let label: RequestLabel

    init(endpoint: Endpoint, pattern: Int) {
        self.endpoint = endpoint
        self.pattern = pattern
        label = RequestLabel(pattern: pattern, endpoint: endpoint)
    }
}

/// Maps links to endpoints.
package struct Routes: Sendable {
    /// The receivers of the configuration.
    let receivers: [Configuration.Receiver]

    /// The patterns of all routes for metrics and the access log, each once; the first one is for
    /// requests without a route.
    private(set) var patterns = ["other"]

    private var everywhere = Router<Route>()
    private var byHost: [String: Router<Route>] = [:]

    /// Whether a host of `byHost` has a size, by size in bytes; most other hosts aren't hashed then.
    private var hasHostOfSize: [Bool] = []

    /// Routes without parameters, and those of callbacks without inbox, by their usual spelling;
    /// found without decoding.
    private var byPath: [PlainPath: (route: Route, parameters: Parameters?)] = [:]

    /// Launches on the vendors' own hosts, by contract.
    private var launches: [Contract: Route] = [:]

    /// Builds the table; on their host, configured receivers precede everything else.
    ///
    /// Throws for an invalid pattern; the configuration has checked its own.
    ///
    /// - Parameters:
    ///   - answers: of receivers that don't answer as usual, by their place in `receivers`.
    ///   - rezolveHosts: hosts that serve the vendor's API without a prefix; only paths below
    ///     `/api/v1/results` stay those of results.
    package init(
        receivers: [Configuration.Receiver], answers: [Int: AnswerProgram] = [:],
        rezolveHosts: Set<String> = [], page: PageFiles
    ) throws(LinkPatternError) {
        self.receivers = receivers
        for (index, receiver) in receivers.enumerated() {
            let endpoint = Endpoint.work(.receiver(receiver, answers[index]))
            let route = routed(endpoint, receiver.route)
            try byHost[receiver.host, default: Router()].add(LinkPattern(receiver.path), route)
        }
        for (pattern, endpoint) in Self.table {
            let route = routed(endpoint, "/\(pattern)")
            try everywhere.add(LinkPattern(pattern), route)
            if !pattern.contains(":") { byPath[PlainPath("/\(pattern)".utf8)] = (route, nil) }
        }
        for (pattern, endpoint) in RezolveRoute.table {
            let pattern = "emulate/rezolve/\(pattern)"
            let route = routed(.work(.rezolve(endpoint)), "/\(pattern)")
            try everywhere.add(LinkPattern(pattern), route)
        }
        for (contract, page) in Self.sharedPages {
            let route = routed(.work(.shared(contract, page)), "vendor-host")
            try byHost[page.host, default: Router()].add(LinkPattern(page.path), route)
        }
        for host in EmulatedItems.hosts {
            for (pattern, call) in EmulatedItems.paths {
                let route = routed(.work(.items(call)), "vendor-host")
                try byHost[host, default: Router()].add(LinkPattern(pattern), route)
            }
        }
        for host in rezolveHosts.sorted() {
            // `Location` names records, and the vendor's table has all of `api`.
            for (pattern, endpoint) in Self.own where pattern.hasPrefix("api/v1/results/") {
                let route = routed(endpoint, "/\(pattern)")
                try byHost[host, default: Router()].add(LinkPattern(pattern), route)
            }
            for (pattern, endpoint) in RezolveRoute.apiTable {
                let route = routed(.work(.rezolve(endpoint)), "/\(pattern)")
                try byHost[host, default: Router()].add(LinkPattern(pattern), route)
            }
        }
        for (name, resource) in page.files.sorted(by: { $0.key < $1.key }) {
            // File names are compared literally; they are not patterns.
            files[name] = routed(.page(resource), name == "index.html" ? "/" : "/\(name)")
        }
        for vendor in Vendor.allCases {
            let path = Array(ReceiverPath.path(vendor: vendor).utf8)[...]
            if let found = Link(path: path).flatMap({ everywhere.match($0) }) {
                byPath[PlainPath(path)] = (found.value, found.parameters)
            }
        }
        for contract in Contract.allCases {
            launches[contract] = routed(.work(Self.launch(of: contract)), "vendor-host")
        }
        let sizes = Set(byHost.keys.map(\.utf8.count))
        hasHostOfSize = (0...(sizes.max() ?? 0)).map { sizes.contains($0) }
    }

    /// A route with the index of its pattern.
    private mutating func routed(_ endpoint: Endpoint, _ pattern: String) -> Route {
        if let index = patterns.firstIndex(of: pattern) {
            return Route(endpoint: endpoint, pattern: index)
        }
        patterns.append(pattern)
        return Route(endpoint: endpoint, pattern: patterns.count - 1)
    }

    /// The page's files by name; `index.html` also serves the root.
    private var files: [String: Route] = [:]

    /// Every route except configured receivers, the page's files and the sandbox's routes.
    package static let table = own + emulated

    private static let own: [(pattern: String, endpoint: Endpoint)] = [
        (".well-known/apple-app-site-association", .associationFile),
        ("apple-app-site-association", .associationFile),
        (".well-known/assetlinks.json", .assetLinksFile),
        ("callbacks/:vendor", .work(.callbacks)),
        ("callbacks/:vendor/:inbox", .work(.callbacks)),
        ("callbacks/:vendor/:inbox/:flow", .work(.callbacks)),
        ("api/v1/results", .work(.query(.results))),
        ("api/v1/results/latest", .work(.query(.latestResult))),
        (waitingPattern, .work(.wait)),
        ("api/v1/results/stream", .work(.query(.stream))),
        ("api/v1/results/:id", .work(.query(.result))),
        ("api/v1/results/:id/request", .work(.query(.resultRequest))),
        ("api/v1/results/:id/curl", .work(.query(.resultCurl))),
        ("api/v1/results/:id/layers", .work(.query(.resultLayers))),
        ("api/v1/results/:id/send", .work(.sendAgain)),
        ("api/v1/results/:id/adopt", .work(.adopt)),
        ("api/v1/deliveries", .work(.deliveries)),
        ("api/v1/deliveries/retry", .work(.retryDeliveries)),
        ("api/v1/inboxes", .work(.query(.inboxes))),
        ("api/v1/inboxes/:id", .work(.query(.inbox))),
        ("api/v1/flows", .work(.query(.flows))),
        ("api/v1/flows/report", .work(.query(.flowReport))),
        ("api/v1/flows/:id", .work(.query(.flow))),
        ("api/v1/diagnostics", .work(.query(.diagnostics))),
        ("api/v1/fields", .work(.query(.fields))),
        ("api/v1/vendors", .work(.query(.vendors))),
        ("api/v1/vendors/:id/drift", .work(.query(.drift))),
        ("api/v1/stats", .work(.query(.statistics))),
        ("api/v1/export", .work(.query(.export))),
        (importPattern, .work(.importResults)),
        ("api/v1/store/compact", .work(.query(.compact))),
        ("api/v1/store/verify", .work(.query(.verify))),
        ("api/v1/store/redecode", .work(.query(.redecode))),
        ("api/v1/links/explain", .work(.explainLink)),
        ("api/v1/sites", .work(.sites)),
        ("api/v1/associations/lint", .work(.lintLinkFile)),
        ("api/v1/associations/diff", .work(.compareLinkFile)),
        ("api/v1/decode", .work(.decode)),
        ("api/v1/launches", .work(.mintLaunch)),
        ("api/v1/addresses", .work(.addresses)),
        ("api/v1/emulator/:vendor", .work(.planEmulator)),
        ("api/v1/receivers", .work(.receivers)),
        ("api/v1/receivers/:vendor/:inbox/answer", .work(.programAnswer)),
        ("healthz", .health),
        ("readyz", .readiness),
        ("metrics", .work(.metrics)),
        ("mcp", .work(.agents)),
    ]

    /// The routes of emulated launches.
    private static let emulated: [(pattern: String, endpoint: Endpoint)] =
        EmulatorRoutes.paths.map { ($0.path, .work(.emulate($0.contract, isOwnHost: false))) }
        + sharedPages.map { contract, page in
            ("emulate/\(contract.vendor.rawValue)/\(page.path)", .work(.shared(contract, page)))
        } + EmulatedItems.paths.map { ("emulate/dimmy/\($0)", .work(.items($1))) }

    private static let sharedPages = Contract.allCases.compactMap { contract in
        contract.sharedPage.map { (contract, $0) }
    }

    /// The path of a query, percent-encoded.
    ///
    /// - Parameter name: the result or inbox that it is about; nil if it is about none.
    package static func path(of operation: ResultAPI.Operation, about name: String?) -> String {
        for (pattern, endpoint) in table {
            guard case .work(.query(operation)) = endpoint else { continue }
            return "/" + pattern.replacing(":id", with: name?.percentEncoded ?? "")
        }
        return "/"
    }

    private static let waitingPattern = "api/v1/results/wait"
    private static let importPattern = "api/v1/import"

    /// The path at which clients wait for results.
    package static let waitingPath = "/" + waitingPattern

    /// The path that imports results.
    package static let importPath = "/" + importPattern

    /// The route of an undecoded path on a host; nil if the path needs decoding.
    func route(
        forPlain path: ArraySlice<UInt8>, on host: String
    ) -> (route: Route, parameters: Parameters?)? {
        hasOwnRoutes(host) ? nil : byPath[PlainPath(path)]
    }

    /// Whether the path of a link is that of a link file, on every host.
    static func isLinkFile(_ link: Link) -> Bool { linkFiles.contains(link.components) }

    private static let linkFiles: [[String]] = own.compactMap { pattern, endpoint in
        switch endpoint {
        case .associationFile, .assetLinksFile: pattern.split(separator: "/").map(String.init)
        default: nil
        }
    }

    /// Whether a host has routes that precede those of all hosts, and may need the query.
    func hasOwnRoutes(_ host: String) -> Bool {
        let size = host.utf8.count
        return size < hasHostOfSize.count && hasHostOfSize[size] && byHost[host] != nil
    }

    /// The route of a link on a host; nil if nothing is served there.
    ///
    /// A receiver whose pattern matches everything doesn't take the link files of its host: without
    /// them, no link opens an app. O(routes that share the link's first component).
    package func route(
        for link: Link, on host: String
    ) -> (route: Route, parameters: Parameters?)? {
        if !Self.isLinkFile(link), let found = byHost[host]?.match(link) {
            return (found.value, found.parameters)
        }
        if let found = everywhere.match(link) { return (found.value, found.parameters) }
        if let contract = LaunchCheck.contract(ofHost: host) {
            return Self.isLaunch(link) ? launches[contract].map { ($0, nil) } : nil
        }
        guard link.components.count <= 1,
            let file = files[link.components.first ?? "index.html"]
        else { return nil }
        return (file, nil)
    }

    /// Whether a request to a vendor's own host is a launch; invalid launches count too, since
    /// their check reports the reason.
    ///
    /// Landfall's own paths and the automatic requests of browsers are not launches.
    private static func isLaunch(_ link: Link) -> Bool {
        !ownNames.contains(link.components.first ?? "")
    }

    private static let ownNames: Set<String> = Set([
        "favicon.ico", "robots.txt", "apple-touch-icon.png", "apple-touch-icon-precomposed.png",
    ]).union(table.map { route in String(route.pattern.prefix { $0 != "/" }) })

    private static func launch(of contract: Contract) -> Endpoint.Work {
        contract.sandboxPath == nil
            ? .emulate(contract, isOwnHost: true) : .rezolve(.trigger)
    }
}
