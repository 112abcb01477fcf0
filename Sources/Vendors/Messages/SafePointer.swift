// JSON pointers (RFC 6901) into JSON that peers wrote, as they are stored.
//
// Invariant: no token repeats a credential that is in a member's name. Each name is searched before
// the pointer's escapes, which change the slashes of a link.

import JSON

/// JSON pointers without credentials.
enum SafePointer {
    /// The same pointer without credentials, in O(length).
    static func redacted(_ pointer: String) -> String {
        pointer.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { token(of: name(of: $0)) }.joined(separator: "/")
    }

    /// A member's name as a token without credentials, in O(length).
    static func token(of name: [UInt8]) -> String {
        JSONNode.pointerToken(String(decoding: Redaction.redactBody(name), as: UTF8.self))
    }

    /// The name that a token is made of (RFC 6901 §4).
    private static func name(of token: some Sequence<UInt8>) -> [UInt8] {
        let tilde = UInt8(ascii: "~")
        var name: [UInt8] = []
        var isEscaped = false
        for byte in token {
            if isEscaped {
                name.append(byte == UInt8(ascii: "1") ? UInt8(ascii: "/") : tilde)
                isEscaped = false
            } else if byte == tilde {
                isEscaped = true
            } else {
                name.append(byte)
            }
        }
        return name
    }
}
