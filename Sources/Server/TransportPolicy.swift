// TLS in responses: redirects plain requests to TLS, and asks browsers to remember it.

import HTTP1
import Settings
import Sockets
import Text

/// Redirects to https, and `Strict-Transport-Security` (RFC 6797).
package struct TransportPolicy: Sendable {
    /// The port that this server speaks TLS on; nil redirects nothing.
    private let redirectPort: UInt16?
    /// The port of `listen.url`; nil if that names none for https.
    private let reachablePort: UInt16?
    private let strictness: [String: String]

    /// Makes the policy; without TLS it neither redirects nor adds fields.
    package init(_ configuration: Configuration, securePort: UInt16?) {
        redirectPort = configuration.tls?.redirects == true ? securePort : nil
        reachablePort = configuration.reachableURL.flatMap(Self.securePort)
        let hosts = configuration.tls?.strictHosts ?? []
        strictness = Dictionary(
            hosts.map { host in
                let subdomains = host.includesSubdomains ? "; includeSubDomains" : ""
                return (host.host, "max-age=\(host.seconds)\(subdomains)")
            }, uniquingKeysWith: { $1 })
    }

    /// The port of an https URL without a path.
    private static func securePort(of url: String) -> UInt16? {
        let scheme = "https://"
        guard url.hasPrefix(scheme) else { return nil }
        return Authority(Array(url.utf8.dropFirst(scheme.utf8.count))[...])?.port ?? 443
    }

    /// A redirect to the same resource under TLS; nil if the request may be served as it came.
    ///
    /// 308 keeps method and body (RFC 9110 §15.4.9), so a redirected callback still arrives. A
    /// request to the client's own address, as commands send it, never leaves the machine; and no
    /// public certificate covers such an address.
    ///
    /// Clients may reach this server through other ports than it listens on: those of a container
    /// are mapped, and a proxy has its own. `listen.url` says which; without it, a proxy that
    /// forwards a request is taken to use the usual port.
    func redirect(_ request: Request) -> Response? {
        guard let redirectPort, request.origin.isPlain, !request.host.isEmpty else { return nil }
        if let client = request.origin.client.ip, IPAddress(request.host.utf8) == client {
            return nil
        }
        let host = request.host.urlHost
        let port = reachablePort ?? (request.origin.isForwarded ? 443 : redirectPort)
        let place = port == 443 ? host : "\(host):\(port)"
        var location = "https://\(place)" + String(decoding: request.path, as: UTF8.self)
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
