// Credentials out of what is stored: targets, forms, JSON.
//
// Invariant: only values change, never names, order or structure; valid JSON stays valid. Text in
// which nothing matches is returned as the same array. When in doubt, more is hidden, not less.
// Left out: credentials inside of an encoded value, such as a URL that is itself a parameter.

import PositionedJSON

/// The removal of credentials from parts of a request.
///
/// A credential is what is called `login`, `password`, `user_password`, `passwd`, `api_key`,
/// `access_token`, `refresh_token`, `client_secret`, `secret` or `authorization`; letter case, `_`
/// and `-` don't matter, and names are compared after unescaping. Ailet's links carry the first
/// two.
public enum Redaction {
    /// What stands in place of a credential.
    public static let mark = "[redacted]"

    /// Hides credentials in the query and fragment of a request target or URL, in O(length).
    public static func redactTarget(_ target: [UInt8]) -> [UInt8] {
        let start = target.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        guard let start else { return target }
        return replace(pairs(in: target, from: start + 1, isForm: false), in: target, by: mark)
    }

    /// Hides credentials in a form body, in O(length).
    public static func redactForm(_ body: [UInt8]) -> [UInt8] {
        replace(pairs(in: body, from: 0, isForm: true), in: body, by: mark)
    }

    /// Hides the values of credentials at any depth of JSON text, in O(length).
    ///
    /// Looks for names in quotation marks before a colon, so that text which is not quite JSON is
    /// redacted too. A value that doesn't end is hidden up to the end of the text.
    public static func redactJSON(_ body: [UInt8]) -> [UInt8] {
        replace(members(in: body), in: body, by: "\"\(mark)\"")
    }

    /// Whether the value of the HTTP field `name` must never reach the disk, in any letter case.
    public static func isSecretField(_ name: ArraySlice<UInt8>) -> Bool {
        secretFields.contains { secret in
            secret.count == name.count
                && zip(secret, name).allSatisfy { expected, byte in
                    expected == (byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte)
                }
        }
    }

    private static let secretFields = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key",
        "x-auth-token", "x-access-token", "x-csrf-token", "x-rezolve-partner-apikey",
    ].map { Array($0.utf8) }

    /// Whether a parameter of this unescaped name holds a credential.
    static func isCredential(_ name: ArraySlice<UInt8>) -> Bool {
        var packed = CredentialName()
        for byte in name { packed.append(byte) }
        return packed.isCredential
    }

    private static func replace(
        _ ranges: [Range<Int>], in text: [UInt8], by mark: String
    ) -> [UInt8] {
        if ranges.isEmpty { return text }
        var redacted: [UInt8] = []
        redacted.reserveCapacity(text.count + ranges.count * mark.utf8.count)
        var copied = 0
        for range in ranges {
            redacted.append(contentsOf: text[copied..<range.lowerBound])
            redacted.append(contentsOf: mark.utf8)
            copied = range.upperBound
        }
        redacted.append(contentsOf: text[copied...])
        return redacted
    }
}
