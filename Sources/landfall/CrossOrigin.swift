// Which pages of other sites may use the API through a browser (CORS, WHATWG Fetch §3.2): none,
// unless the configuration names them.

import HTTP1

/// The sites whose pages may use the API.
struct CrossOrigin: Sendable {
    private static let origin = FieldName("origin")
    private static let site = FieldName("sec-fetch-site")

    /// As browsers send them, such as `https://qa.example.com`.
    let allowed: Set<String>

    /// The origin of a request, where it is an allowed one; nil else.
    private func allowedOrigin(of request: Request) -> String? {
        guard !allowed.isEmpty, let value = request.first(Self.origin) else { return nil }
        let origin = String(decoding: value, as: UTF8.self)
        return allowed.contains(origin) ? origin : nil
    }

    /// Whether a request comes from a page of an allowed site.
    func allows(_ request: Request) -> Bool { allowedOrigin(of: request) != nil }

    /// Throws 403 for a page of another site that wants to change something.
    ///
    /// Browsers say so themselves (W3C Fetch Metadata §2.4); other clients do as they like.
    func check(_ request: Request) throws(Problem) {
        guard let site = request.first(Self.site), !allows(request) else { return }
        let text = String(decoding: site, as: UTF8.self)
        if text == "same-origin" || text == "none" { return }
        throw Problem(
            status: .forbidden, kind: "other-site",
            detail: "A page of another site may not change anything here, unless the "
                + "configuration names it in api.allowed_origins.")
    }

    /// Lets the page that made a request read the answer.
    func addFields(to response: inout Response, for request: Request) {
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
