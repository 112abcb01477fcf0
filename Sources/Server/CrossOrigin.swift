// What pages of other sites may do through a browser: read answers where the configuration names their
// site (CORS, WHATWG Fetch §3.2), and be told apart from our own pages, people and programs by what
// browsers say of them.

import HTTP1
import LinkHosting

/// The sites whose pages may use the API, and who made a request.
package struct CrossOrigin: Sendable {
    /// Who made a request, as far as a browser says.
    package enum Initiator: Sendable {
        /// A program, a person who typed the address, a page of this server or of an allowed site.
        case own
        /// A person who followed a link of another site, so that the answer fills the window.
        case link
        /// A page of another site in any other way: an image, a frame, a form, a script; or a browser that
        /// fetches ahead.
        case foreign
    }

    /// As browsers send them, such as `https://qa.example.com`.
    let allowed: Set<String>

    /// Who made a request.
    ///
    /// `Sec-Fetch-Site` says so (W3C Fetch Metadata §2.4), and `Origin` where it is missing: in older
    /// browsers, and over plain http to other hosts than loopback. `Origin: null` hides a site, so it is
    /// foreign. Programs send neither. Browsers that fetch ahead for a page's speculation rules say
    /// `none`, so what has a `Sec-Purpose` is foreign whatever its site.
    package func initiator(of request: Request) -> Initiator {
        if allows(request) { return .own }
        guard LinkVisitor.purpose(of: request).isEmpty else { return .foreign }
        guard let site = request.first(.fetchSite) else {
            if let origin = request.first(.origin) {
                return Self.isOwn(origin, request) ? .own : .foreign
            }
            let isBrowser = [FieldName.fetchMode, .fetchDest].contains { request.first($0) != nil }
            return isBrowser ? .foreign : .own
        }
        if ["same-origin", "none"].contains(where: { site.elementsEqual($0.utf8) }) { return .own }
        let isLink =
            (request.method == .get || request.method == .head)
            && request.first(.fetchMode)?.elementsEqual("navigate".utf8) == true
            && request.first(.fetchDest)?.elementsEqual("document".utf8) == true
        return isLink ? .link : .foreign
    }

    /// Whether an origin has the scheme, host and port that the client asked for.
    private static func isOwn(_ origin: ArraySlice<UInt8>, _ request: Request) -> Bool {
        guard let authority = request.authority else { return false }
        let scheme = request.origin.isSecure ? "https://" : "http://"
        return withoutDefaultPort(String(decoding: origin, as: UTF8.self))
            == withoutDefaultPort(scheme + String(decoding: authority, as: UTF8.self))
    }

    /// An origin in lower case, without a port that its scheme implies.
    private static func withoutDefaultPort(_ origin: String) -> String {
        let text = origin.lowercased()
        for (scheme, port) in [("http://", ":80"), ("https://", ":443")]
        where text.hasPrefix(scheme) && text.hasSuffix(port) {
            return String(text.dropLast(port.count))
        }
        return text
    }

    /// The origin of a request, where it is an allowed one; nil else.
    private func allowedOrigin(of request: Request) -> String? {
        guard !allowed.isEmpty, let value = request.first(.origin) else { return nil }
        let origin = String(decoding: value, as: UTF8.self)
        return allowed.contains(origin) ? origin : nil
    }

    /// Whether a request comes from a page of an allowed site.
    package func allows(_ request: Request) -> Bool { allowedOrigin(of: request) != nil }

    /// Lets the page that made a request read the answer.
    package func addFields(to response: inout Response, for request: Request) {
        if allowed.isEmpty { return }
        response.add("Vary", "Origin")
        guard let origin = allowedOrigin(of: request) else { return }
        response.add("Access-Control-Allow-Origin", origin)
        response.add("Access-Control-Expose-Headers", "Link, Location, ETag, X-Request-Id")
        guard request.method == .options else { return }
        response.add("Access-Control-Allow-Methods", "GET, HEAD, POST, DELETE")
        response.add(
            "Access-Control-Allow-Headers",
            "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID")
        response.add("Access-Control-Max-Age", "600")
    }
}

extension FieldName {
    fileprivate static let origin = FieldName("origin")
    fileprivate static let fetchSite = FieldName("sec-fetch-site")
    fileprivate static let fetchMode = FieldName("sec-fetch-mode")
    fileprivate static let fetchDest = FieldName("sec-fetch-dest")
}
