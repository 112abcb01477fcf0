// What is said about TLS in answers: the way there for who came without, and that browsers should
// remember it.

import HTTP1
import Settings

/// Redirects to https, and `Strict-Transport-Security` (RFC 6797).
package struct TransportPolicy: Sendable {
    private let redirectPort: UInt16?
    private let strictness: [String: String]

    /// Without TLS there is nothing to say.
    package init(_ configuration: Configuration.TLS?, securePort: UInt16?) {
        redirectPort = configuration?.redirects == true ? securePort : nil
        let hosts = configuration?.strictHosts ?? []
        strictness = Dictionary(
            hosts.map { host in
                let subdomains = host.includesSubdomains ? "; includeSubDomains" : ""
                return (host.host, "max-age=\(host.seconds)\(subdomains)")
            }, uniquingKeysWith: { $1 })
    }

    /// The way to the same resource under TLS; nil where the request may be answered as it came.
    ///
    /// 308 keeps method and body (RFC 9110 §15.4.9), so a callback arrives all the same.
    package func redirect(_ request: Request, to endpoint: Endpoint) -> Response? {
        guard let redirectPort, !request.origin.isSecure, endpoint.mayRedirect,
            !request.host.isEmpty
        else { return nil }
        let host = request.host.contains(":") ? "[\(request.host)]" : request.host
        let port = redirectPort == 443 ? "" : ":\(redirectPort)"
        var location = "https://\(host)\(port)" + String(decoding: request.path, as: UTF8.self)
        if let query = request.query { location += "?" + String(decoding: query, as: UTF8.self) }
        var response = Response(.permanentRedirect)
        response.add("Location", location)
        response.add("Cache-Control", "no-store")
        return response
    }

    /// Tells browsers that came under TLS to come so for longer; others would ignore it
    /// (RFC 6797 §7.2).
    package func addStrictness(to response: inout Response, for request: Request) {
        guard !strictness.isEmpty, request.origin.isSecure, let value = strictness[request.host]
        else { return }
        response.add("Strict-Transport-Security", value)
    }
}
