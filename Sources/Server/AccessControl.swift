// Decides which requests an endpoint accepts. Callbacks and link files are public. Endpoints that
// show results require the token; they and the emulated apps refuse requests from pages of other
// sites. A server without a token is open: it accepts only requests from this machine and for its
// own host names, so that DNS rebinding, proxies and tunnels can't read results.
//
// Invariant: a decision depends on the configuration and the request alone. Left out: CORS.

import Emulator
import FoundationEssentials
import HTTP1
import Problems
import Settings
import Text
import Vendors

/// Decides whether a request may reach an endpoint.
package struct AccessControl: Sendable {
    /// The token; nil on an open server.
    private let token: [UInt8]?
    /// Additional own hosts besides loopback, the sites and the vendors' hosts: lower case, no
    /// port.
    private let hosts: Set<String>
    /// The other sites whose pages may use the API.
    let crossOrigin: CrossOrigin

    /// Whether the server requires no token.
    var isOpen: Bool { token == nil }

    /// - Parameters:
    ///   - token: nil makes the server open.
    ///   - hosts: the receivers' hosts and additional own hosts.
    package init(token: String?, hosts: Set<String> = [], crossOrigin: CrossOrigin) {
        self.token = token.map { Array($0.utf8) }
        self.hosts = hosts
        self.crossOrigin = crossOrigin
    }

    /// Takes the rules from the configuration, and the token that is in force.
    package init(_ configuration: Configuration, token: String?) {
        self.init(
            token: token,
            hosts: configuration.rezolve.hosts.union(configuration.receivers.map(\.host)),
            crossOrigin: CrossOrigin(allowed: configuration.allowedOrigins))
    }

    /// Checks a request; throws 401, 403 or 421 with advice if the endpoint must not serve it.
    ///
    /// - Parameter isSite: whether a site of this host is served.
    package func check(
        _ request: Request, at endpoint: Endpoint, isSite: (String) -> Bool
    ) throws(Problem) {
        let protection = endpoint.protection
        if protection == .none { return }
        if isOpen {
            // Browsers always send a host; only an HTTP/1.0 request may omit it (RFC 9112 §3.2).
            guard request.authority == nil || isOwn(request.host, isSite) else {
                throw endpoint.isForAgents && request.first(.origin) != nil
                    ? Self.otherSite : Self.foreignHost
            }
            let isProxied = request.fieldLines.contains { line in
                FieldName.isProxyField(String(decoding: line.name, as: UTF8.self).lowercased())
            }
            guard !isProxied else { throw Self.proxied }
        } else if protection == .token {
            try checkToken(request)
        }
        guard protection.protects(request.method) || endpoint.isForAgents else {
            if request.method != .options, crossOrigin.isMeasured(request) { throw Self.otherSite }
            return
        }
        switch crossOrigin.initiator(of: request) {
        case .own: return
        case .link where protection == .origin: return
        case .link, .foreign: throw Self.otherSite
        }
    }

    // MARK: Token

    /// Throws 401 unless the request carries the token: as a bearer token (RFC 6750), or as the
    /// password of any user (RFC 7617), which browsers can prompt for.
    private func checkToken(_ request: Request) throws(Problem) {
        guard let token else { return }
        guard let given = request.first(.authorization).flatMap(Self.credential),
            given.equalsInConstantTime(token)
        else {
            throw Problem(
                status: .unauthorized, kind: "unauthorized",
                detail:
                    "Send the server's token, from its configuration or as it was printed at the "
                    + "start: Authorization: Bearer TOKEN.",
                fields: [("WWW-Authenticate", Self.challenge(for: request))])
        }
    }

    /// The scheme by which to authenticate: Basic, for which browsers prompt, or Bearer for requests
    /// of scripts in a page, which show the problem themselves.
    private static func challenge(for request: Request) -> String {
        let isScript = request.first(.fetchDest).map { $0.elementsEqual("empty".utf8) }
        return isScript == true
            ? "Bearer realm=\"Landfall\"" : "Basic realm=\"Landfall\", charset=\"UTF-8\""
    }

    private static func credential(_ value: ArraySlice<UInt8>) -> [UInt8]? {
        let parts = value.split(separator: UInt8(ascii: " "), maxSplits: 1)
        guard parts.count == 2 else { return nil }
        // Any number of spaces may follow the scheme (RFC 9110 §11.4).
        let credentials = parts[1].drop { $0 == UInt8(ascii: " ") }
        switch String(decoding: parts[0], as: UTF8.self).lowercased() {
        case "bearer": return Array(credentials)
        case "basic":
            guard let pair = Data(base64Encoded: Data(credentials)),
                let colon = pair.firstIndex(of: UInt8(ascii: ":"))
            else { return nil }
            return Array(pair[(colon + 1)...])
        default: return nil
        }
    }

    // MARK: Open servers

    /// Whether `host` is one of this server's names; a page of any other name is refused.
    private func isOwn(_ host: String, _ isSite: (String) -> Bool) -> Bool {
        CallbackTarget.isLoopback(host) || hosts.contains(host)
            || Vendor.emulatedHosts.contains(host)
            || isSite(host) || LaunchCheck.contract(ofHost: host) != nil
    }

    // MARK: Refusals

    private static let foreignHost = Problem(
        status: .misdirectedRequest, kind: "unknown-host",
        detail: "A server without a token accepts requests for its own hosts only, and this one "
            + "names another: use localhost, add the host as a site or receiver, or set a token "
            + "(LANDFALL_TOKEN).")

    private static let proxied = Problem(
        status: .forbidden, kind: "proxied",
        detail:
            "This server has no token and seems to be behind a proxy or tunnel: set a token "
            + "(LANDFALL_TOKEN), or name the proxy in trusted_proxies.")

    private static let otherSite = Problem(
        status: .forbidden, kind: "other-site",
        detail:
            "A page of another site may not do this, unless the configuration names the site in "
            + "api.allowed_origins. If this is the server's own page behind a proxy, name the proxy "
            + "in trusted_proxies.")
}

extension Endpoint {
    /// The checks that a request must pass.
    package enum Protection: Sendable {
        /// No check: the endpoint takes callbacks or serves public data.
        case none
        /// The request must not come from a page of another site, except as a followed link. For
        /// the emulated apps, where every method stores a record and may send callbacks.
        case origin
        /// The token, because results are shown; state changes must not come from pages of other
        /// sites, and other requests only as followed links.
        case token

        /// Whether requests with this method may change state.
        fileprivate func protects(_ method: Request.Method) -> Bool {
            switch self {
            case .none: false
            case .origin: method != .options
            case .token: method != .get && method != .head && method != .options
            }
        }
    }

    /// The checks that a request to this endpoint must pass.
    package var protection: Protection {
        switch self {
        case .associationFile, .assetLinksFile, .health, .readiness, .work(.callbacks),
            .work(.receiver):
            .none
        case .work(.rezolve(.submissions)): .token
        case .work(.emulate), .work(.shared), .work(.items), .work(.rezolve): .origin
        case .page, .work(.query), .work(.wait), .work(.importResults), .work(.explainLink),
            .work(.sites), .work(.lintLinkFile), .work(.compareLinkFile), .work(.decode),
            .work(.mintLaunch), .work(.addresses), .work(.planEmulator), .work(.metrics),
            .work(.receivers), .work(.programAnswer), .work(.agents),
            .work(.sendAgain), .work(.adopt), .work(.deliveries), .work(.retryDeliveries):
            .token
        }
    }

    /// Whether the Model Context Protocol decides on foreign origins: 403 for every method
    /// (2026-07-28, Streamable HTTP: Security).
    fileprivate var isForAgents: Bool {
        if case .work(.agents) = self { true } else { false }
    }
}
