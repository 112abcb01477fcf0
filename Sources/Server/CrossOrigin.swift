// Rules for pages of other sites: pages of configured sites may read responses (CORS, WHATWG Fetch
// §3.2). The fields that browsers send distinguish other pages from our own pages, people and
// programs.

import HTTP1
import LinkHosting

/// The sites whose pages may use the API; classifies the initiator of a request.
package struct CrossOrigin: Sendable {
    /// The initiator of a request, as far as the browser reports it.
    enum Initiator: Sendable {
        /// A program, a typed address, or a page of this server or of an allowed site.
        case own
        /// A link on another site that a person followed; the response fills the window.
        case link
        /// Any other request of a page of another site (image, frame, form, script), or a
        /// speculative fetch by a browser.
        case foreign
    }

    /// Origins as browsers send them, such as `https://qa.example.com`.
    let allowed: Set<String>

    /// Classifies the initiator of a request.
    ///
    /// `Sec-Fetch-Site` reports it (W3C Fetch Metadata §2.4). `Origin` is the fallback for older
    /// browsers, and for plain http to hosts other than loopback. `Origin: null` hides a site, so
    /// it is foreign. Programs send neither. A browser that prefetches for a page's speculation
    /// rules sends `none`, so a request with `Sec-Purpose` is foreign whatever its site.
    func initiator(of request: Request) -> Initiator {
        if allows(request) { return .own }
        guard LinkVisitor.purpose(of: request).isEmpty else { return .foreign }
        guard let site = request.first(.fetchSite) else {
            if let origin = request.first(.origin) {
                return Self.isOwn(origin, request) ? .own : .foreign
            }
            let isBrowser = [FieldName.fetchMode, .fetchDest].contains { request.first($0) != nil }
            return isBrowser ? .foreign : .own
        }
        if Self.isOwn(site) { return .own }
        let isLink =
            (request.method == .get || request.method == .head)
            && request.first(.fetchMode)?.elementsEqual("navigate".utf8) == true
            && request.first(.fetchDest)?.elementsEqual("document".utf8) == true
        return isLink ? .link : .foreign
    }

    /// Whether the browser says that a page of another site asks, and nobody follows a link.
    ///
    /// Such a page can't read the response, but it can measure how long it takes, which depends on
    /// the results.
    func isMeasured(_ request: Request) -> Bool {
        guard let site = request.first(.fetchSite), !Self.isOwn(site) else { return false }
        if case .foreign = initiator(of: request) { return true }
        return false
    }

    /// Whether `Sec-Fetch-Site` names a page of this server, or none.
    private static func isOwn(_ site: ArraySlice<UInt8>) -> Bool {
        site.elementsEqual("same-origin".utf8) || site.elementsEqual("none".utf8)
    }

    /// Whether an origin has the scheme, host and port that the client requested.
    private static func isOwn(_ origin: ArraySlice<UInt8>, _ request: Request) -> Bool {
        guard let authority = request.authority else { return false }
        let scheme = request.origin.isSecure ? "https://" : "http://"
        return withoutDefaultPort(String(decoding: origin, as: UTF8.self))
            == withoutDefaultPort(scheme + String(decoding: authority, as: UTF8.self))
    }

    /// An origin in lower case, without the default port of its scheme.
    private static func withoutDefaultPort(_ origin: String) -> String {
        let text = origin.lowercased()
        for (scheme, port) in [("http://", ":80"), ("https://", ":443")]
        where text.hasPrefix(scheme) && text.hasSuffix(port) {
            return String(text.dropLast(port.count))
        }
        return text
    }

    /// The origin of a request if it is allowed; nil otherwise.
    private func allowedOrigin(of request: Request) -> String? {
        guard !allowed.isEmpty, let value = request.first(.origin) else { return nil }
        let origin = String(decoding: value, as: UTF8.self)
        return allowed.contains(origin) ? origin : nil
    }

    /// Whether a page of an allowed site sent the request.
    func allows(_ request: Request) -> Bool { allowedOrigin(of: request) != nil }

    /// Lets the page that sent the request read the response.
    func addFields(to response: inout Response, for request: Request) {
        if allowed.isEmpty { return }
        response.add("Vary", "Origin")
        guard let origin = allowedOrigin(of: request) else { return }
        response.add("Access-Control-Allow-Origin", origin)
        response.add(
            "Access-Control-Expose-Headers",
            "ETag, Idempotent-Replayed, Landfall-Delay, Landfall-Flow, Link, Location, Retry-After, "
                + "X-Request-Id")
        guard request.method == .options else { return }
        response.add("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, DELETE")
        response.add(
            "Access-Control-Allow-Headers",
            "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, "
                + "Landfall-Scenario, Landfall-Seed, Last-Event-ID, MCP-Protocol-Version, "
                + "Mcp-Method, Mcp-Name, traceparent, X-API-KEY, x-rezolve-device-id, "
                + "x-rezolve-partner-apikey")
        response.add("Access-Control-Max-Age", "600")
    }
}

extension FieldName {
    static let origin = FieldName("origin")
    fileprivate static let fetchSite = FieldName("sec-fetch-site")
    fileprivate static let fetchMode = FieldName("sec-fetch-mode")
    static let fetchDest = FieldName("sec-fetch-dest")
}
