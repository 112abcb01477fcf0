// Where requests without TLS are redirected to.

import Testing

@testable import HTTP1
@testable import Server
@testable import Settings
@testable import Sockets

@Suite struct TransportPolicyTests {
    private func location(
        url: String?, isForwarded: Bool, host: String = "www.yourapp.com"
    ) throws -> String? {
        var tls = Configuration.TLS()
        tls.redirects = true
        var configuration = Configuration()
        configuration.tls = tls
        configuration.reachableURL = url
        let policy = TransportPolicy(configuration, securePort: 18_472)
        var request = try #require(
            Request(Array("GET /callbacks/raw?x HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8)))
        request.origin = RequestOrigin(
            client: .ip(IPAddress(v4: 0xC000_0201), port: 1), isSecure: false,
            isForwarded: isForwarded)
        let response = policy.redirect(request)
        let lines = response.map { String(decoding: $0.fieldLines, as: UTF8.self) } ?? ""
        return lines.split(separator: "\r\n").first { $0.hasPrefix("Location: ") }
            .map { String($0.dropFirst("Location: ".count)) }
    }

    @Test(
        "a container's ports are mapped, and a proxy has its own",
        arguments: [
            (nil, false, ":18472"), (nil, true, ""),
            ("https://www.yourapp.com", false, ""), ("https://www.yourapp.com:443", false, ""),
            ("https://www.yourapp.com:8443", false, ":8443"),
            ("https://www.yourapp.com:8443", true, ":8443"), ("https://[::1]:8443", false, ":8443"),
            ("http://www.yourapp.com:8080", false, ":18472"),
        ])
    func thePortIsThatOfTheReachableURL(url: String?, isForwarded: Bool, port: String) throws {
        let found = try location(url: url, isForwarded: isForwarded)
        #expect(found == "https://www.yourapp.com\(port)/callbacks/raw?x")
        let literal = try location(url: url, isForwarded: isForwarded, host: "[::1]")
        #expect(literal == "https://[::1]\(port)/callbacks/raw?x")
    }
}
