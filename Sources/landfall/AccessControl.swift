// Who may see results: everybody on loopback, else who has the token.

import FoundationEssentials
import HTTP1

/// Decides whether a request may reach what is protected.
struct AccessControl: Sendable {
    /// Nil when everybody may.
    private let token: [UInt8]?

    /// Whether everybody may, so that nobody is asked for the token.
    var isOpen: Bool { token == nil }

    /// - Parameter token: nil lets everybody in.
    init(token: String?) {
        self.token = token.map { Array($0.utf8) }
    }

    /// Throws 401 unless the request has the token: as a bearer token (RFC 6750), or as the
    /// password of any user (RFC 7617), which browsers can ask for.
    func check(_ request: Request) throws(Problem) {
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
}
