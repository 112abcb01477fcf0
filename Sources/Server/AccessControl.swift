// The one place that decides which requests an endpoint answers. Callbacks and link files are for everyone.
// What shows results asks for the token, and what changes anything refuses pages of other sites. A server
// without a token is open: only this machine reaches it. It answers its own host names only, so that a
// page whose name was made to lead here (DNS rebinding) reads nothing, and no proxy or tunnel.
//
// Invariant: a decision depends on the configuration and the request alone. Left out: CORS.

import Emulator
import FoundationEssentials
import HTTP1
import Problems
import Settings
import Vendors

/// Decides whether a request may reach an endpoint.
package struct AccessControl: Sendable {
    /// Nil on an open server.
    private let token: [UInt8]?
    /// Hosts of its own besides loopback, the sites and the vendors' hosts; in lower case, without port.
    private let hosts: Set<String>
    /// Which pages of other sites count as its own.
    package let crossOrigin: CrossOrigin

    /// Whether nobody is asked for the token.
    package var isOpen: Bool { token == nil }

    /// - Parameters:
    ///   - token: nil makes the server open.
    ///   - hosts: the receivers' hosts, and others of its own.
    package init(token: String?, hosts: Set<String> = [], crossOrigin: CrossOrigin) {
        self.token = token.map { Array($0.utf8) }
        self.hosts = hosts
        self.crossOrigin = crossOrigin
    }

    /// As the configuration says, with the token that is in force.
    package init(_ configuration: Configuration, token: String?) {
        self.init(
            token: token,
            hosts: configuration.rezolve.hosts.union(configuration.receivers.map(\.host)),
            crossOrigin: CrossOrigin(allowed: configuration.allowedOrigins))
    }

    /// Throws 401, 403 or 421 with what to do, unless the endpoint may answer the request.
    ///
    /// - Parameter isSite: whether a site of this host is served.
    package func check(
        _ request: Request, at endpoint: Endpoint, isSite: (String) -> Bool
    ) throws(Problem) {
        let protection = endpoint.protection
        if protection == .none { return }
        if isOpen {
            // Browsers always name a host; only an HTTP/1.0 request may have none (RFC 9112 §3.2).
            guard request.authority == nil || isOwn(request.host, isSite) else {
                throw Self.foreignHost
            }
            guard !request.fieldLines.contains(where: { Self.isProxys($0.name) }) else {
                throw Self.proxied
            }
        } else if protection == .token {
            try checkToken(request)
        }
        guard protection.coversState(request.method) else { return }
        switch crossOrigin.initiator(of: request) {
        case .own: return
        case .link where protection == .origin: return
        case .link, .foreign: throw Self.otherSite
        }
    }

    // MARK: Token

    /// Throws 401 unless the request has the token: as a bearer token (RFC 6750), or as the
    /// password of any user (RFC 7617), which browsers can ask for.
    private func checkToken(_ request: Request) throws(Problem) {
        guard let token else { return }
        guard let given = request.first(.authorization).flatMap(Self.credential),
            Self.isEqual(given, token)
        else {
            throw Problem(
                status: .unauthorized, kind: "unauthorized",
                detail: "Send the token from the configuration: Authorization: Bearer TOKEN.",
                fields: [("WWW-Authenticate", "Basic realm=\"Landfall\", charset=\"UTF-8\"")])
        }
    }

    private static func credential(_ value: ArraySlice<UInt8>) -> [UInt8]? {
        let parts = value.split(separator: UInt8(ascii: " "), maxSplits: 1)
        guard parts.count == 2 else { return nil }
        switch String(decoding: parts[0], as: UTF8.self).lowercased() {
        case "bearer": return Array(parts[1])
        case "basic":
            guard let pair = Data(base64Encoded: Data(parts[1])),
                let colon = pair.firstIndex(of: UInt8(ascii: ":"))
            else { return nil }
            return Array(pair[(colon + 1)...])
        default: return nil
        }
    }

    /// Takes the same time wherever two texts of one length differ.
    private static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    // MARK: Open servers

    /// Whether a host is one that this server answers for, so that no page of another name has it.
    private func isOwn(_ host: String, _ isSite: (String) -> Bool) -> Bool {
        CallbackTarget.isLoopback(host) || hosts.contains(host)
            || Vendor.emulatedHosts.contains(host)
            || isSite(host) || LaunchCheck.contract(ofHost: host) != nil
    }

    /// Whether a field is one that proxies and tunnels add.
    private static func isProxys(_ name: ArraySlice<UInt8>) -> Bool {
        let name = String(decoding: name, as: UTF8.self).lowercased()
        return proxyFields.contains(name) || proxyPrefixes.contains { name.hasPrefix($0) }
    }

    private static let proxyFields: Set<String> = [
        "forwarded", "via", "cdn-loop", "x-real-ip", "x-client-ip", "x-cluster-client-ip",
        "true-client-ip",
    ]

    /// Of X-Forwarded-For and its like, and of Cloudflare, ngrok, Tailscale, Fly, Fastly and dev tunnels.
    private static let proxyPrefixes = [
        "x-forwarded", "cf-", "ngrok-", "tailscale-", "fly-", "fastly-", "x-tunnel-",
    ]

    // MARK: Refusals

    private static let foreignHost = Problem(
        status: .misdirectedRequest, kind: "unknown-host",
        detail: "This server is open, so it answers only for its own hosts, and the request names "
            + "another one: use localhost, add the host as a site or receiver, or set a token "
            + "(LANDFALL_TOKEN).")

    private static let proxied = Problem(
        status: .forbidden, kind: "proxied",
        detail:
            "This server is open and seems to be reached through a proxy or tunnel: set a token "
            + "(LANDFALL_TOKEN), or name the proxy in trusted_proxies.")

    private static let otherSite = Problem(
        status: .forbidden, kind: "other-site",
        detail:
            "A page of another site may not do this, unless the configuration names the site in "
            + "api.allowed_origins. If this is the server's own page behind a proxy, name the proxy "
            + "in trusted_proxies.")
}

extension Endpoint {
    /// What is asked of requests.
    package enum Protection: Sendable {
        /// Nothing: it takes callbacks, or says what everyone may know.
        case none
        /// That no page of another site sends them, but for links that people follow: it plays the
        /// vendors' apps, where every method is stored and may send callbacks.
        case origin
        /// The token, since it shows what was received; and that no page of another site changes it.
        case token

        /// Whether requests of a method may change something.
        fileprivate func coversState(_ method: Request.Method) -> Bool {
            switch self {
            case .none: false
            case .origin: method != .options
            case .token: method != .get && method != .head && method != .options
            }
        }
    }

    /// What is asked of requests before it answers.
    package var protection: Protection {
        switch self {
        case .associationFile, .assetLinksFile, .health, .readiness, .work(.callbacks),
            .work(.receiver):
            .none
        case .work(.rezolve(.submissions)): .token
        case .work(.emulate), .work(.rezolve): .origin
        case .page, .work(.query), .work(.explainLink), .work(.lintLinkFile), .work(.decode),
            .work(.mintLaunch), .work(.planEmulator):
            .token
        }
    }
}
