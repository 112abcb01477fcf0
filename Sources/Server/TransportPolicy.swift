// TLS in responses: redirects plain requests to TLS, and asks browsers to remember it.

import HTTP1
import Settings
import Sockets
import Text

/// Redirects to https, and `Strict-Transport-Security` (RFC 6797).
package struct TransportPolicy: Sendable {
    private let redirectPort: UInt16?
    private let strictness: [String: String]

    /// Makes the policy; without TLS it neither redirects nor adds fields.
    package init(_ configuration: Configuration.TLS?, securePort: UInt16?) {
        redirectPort = configuration?.redirects == true ? securePort : nil
        let hosts = configuration?.strictHosts ?? []
        strictness = Dictionary(
            hosts.map { host in
                let subdomains = host.includesSubdomains ? "; includeSubDomains" : ""
                return (host.host, "max-age=\(host.seconds)\(subdomains)")
            }, uniquingKeysWith: { $1 })
    }

    /// A redirect to the same resource under TLS; nil if the request may be served as it came.
    ///
    /// 308 keeps method and body (RFC 9110 §15.4.9), so a redirected callback still arrives. A
    /// request to the client's own address, as commands send it, never leaves the machine; and no
    /// public certificate covers such an address.
    func redirect(_ request: Request, to endpoint: Endpoint) -> Response? {
        guard let redirectPort, request.origin.isPlain, endpoint.mayRedirect,
            !request.host.isEmpty
        else { return nil }
        if let client = request.origin.client.ip, IPAddress(request.host.utf8) == client {
            return nil
        }
        let host = request.host.contains(":") ? "[\(request.host)]" : request.host
        let port = redirectPort == 443 ? "" : ":\(redirectPort)"
        var location = "https://\(host)\(port)" + String(decoding: request.path, as: UTF8.self)
        if let query = request.query { location += "?" + PercentEncoding.encodeQuery(query) }
        var response = Response(.permanentRedirect)
        response.add("Location", location)
        response.add("Cache-Control", "no-store")
        return response
    }

    /// Adds the field to responses under TLS; browsers ignore it elsewhere (RFC 6797 §7.2).
    func addStrictness(to response: inout Response, for request: Request) {
        guard !strictness.isEmpty, request.origin.isSecure, let value = strictness[request.host]
        else { return }
        response.add("Strict-Transport-Security", value)
    }
}
