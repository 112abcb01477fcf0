// The `api` section of a configuration file: other sites that may use the API.

import HTTP1
import Sockets
import Text
import Yams

extension Configuration {
    /// Applies the section.
    mutating func apply(
        api section: inout ConfigurationSection
    ) throws(ConfigurationError) {
        let expected =
            "a list of origins as browsers send them, such as https://qa.example.com or "
            + "http://localhost:3000: in lower case, without path, wildcard and the scheme's usual "
            + "port"
        let origins = try section.value("allowed_origins", expected: expected) { node in
            Self.origins(node)
        }
        if let origins { allowedOrigins = Set(origins) }
        try section.refuseOthers()
    }

    private static func origins(_ node: Node) -> [String]? {
        guard let nodes = node.sequence else { return nil }
        let origins = nodes.compactMap(\.string)
        return origins.count == nodes.count && origins.allSatisfy(isOrigin) ? origins : nil
    }

    /// Whether a browser may send this as an origin: scheme, host, and a port that isn't the
    /// scheme's usual one (RFC 6454 §6.2).
    private static func isOrigin(_ text: String) -> Bool {
        let scheme = text.prefix { $0 != ":" }
        guard text.dropFirst(scheme.count).hasPrefix("://"), !scheme.isEmpty,
            scheme.utf8.allSatisfy({ $0.isAlphanumeric || "+-.".utf8.contains($0) }),
            let authority = Authority(Array(text.utf8.dropFirst(scheme.utf8.count + 3))[...]),
            let host = Authority.hostName(String(decoding: authority.host, as: UTF8.self))
        else { return false }
        let usualPorts: [Substring: UInt16] = ["http": 80, "https": 443]
        let port = authority.port.map { usualPorts[scheme] == $0 ? "" : ":\($0)" } ?? ""
        return text == "\(scheme.lowercased())://\(host.urlHost)\(port)"
    }
}
