// Credentials out of what is stored: targets and bodies.
//
// Invariant: only values change, never names, order or structure; valid JSON stays valid, and what
// was percent-encoded still is. Text in which nothing matches is returned as the same array. When
// in doubt, more is hidden, not less. Left out: Base64, multipart bodies, XML, and text that is
// escaped more than `Limits.maximumUnescapedLayers` times.

/// The removal of credentials from parts of a request.
///
/// A credential is what is called `login`, `password`, `user_password`, `passwd`, `pasword`, `pass`, `pwd`,
/// `passphrase`, `api_key`, `access_token`, `refresh_token`, `client_secret`, `secret` or
/// `authorization`, and what a URL says before its host; letter case, `_` and `-` don't matter, and names
/// are compared after unescaping. Ailet's links carry the first two.
public enum Redaction {
    /// What stands in place of a credential.
    public static let mark = "[redacted]"

    /// Hides credentials in the query and fragment of a request target or URL, in O(length).
    public static func redactTarget(_ target: [UInt8]) -> [UInt8] {
        replace(.credentials, inTarget: target)
    }

    /// Hides credentials in a body, whatever its content type says it is, or in the value of a header, in
    /// O(length).
    ///
    /// A JSON value becomes the mark as a string. Text which is not quite JSON is redacted too; a
    /// value that doesn't end is hidden up to the end of the text.
    public static func redactBody(_ body: [UInt8]) -> [UInt8] {
        replace(.credentials, in: body)
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
        "token", "x-token", "x-auth-token", "x-access-token", "x-csrf-token",
        "x-rezolve-partner-apikey",
    ].map { Array($0.utf8) }

    /// Whether a parameter of this unescaped name holds a credential.
    static func isCredential(_ name: ArraySlice<UInt8>) -> Bool {
        var packed = CredentialName()
        for byte in name { packed.append(byte) }
        return CredentialName.credentials.contains(packed)
    }

    /// Replaces what is sought in the query and fragment of a request target or URL, in O(length).
    static func replace(_ sought: Sought, inTarget target: [UInt8]) -> [UInt8] {
        let start = target.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        guard let start, sought.mayBe(in: target, start..<target.count) else { return target }
        let redactor = Redactor(searching: target, for: sought, from: start + 1, isTarget: true)
        return apply(redactor.edits, to: target)
    }

    /// Replaces what is sought in a text, whatever it is, in O(length).
    static func replace(_ sought: Sought, in text: [UInt8]) -> [UInt8] {
        guard sought.mayBe(in: text, text.indices) else { return text }
        return apply(Redactor(searching: text, for: sought).edits, to: text)
    }

    static func apply(_ edits: [Redactor.Edit], to text: [UInt8]) -> [UInt8] {
        if edits.isEmpty { return text }
        var redacted: [UInt8] = []
        redacted.reserveCapacity(text.count + edits.reduce(0) { $0 + $1.text.count })
        var copied = 0
        for edit in edits {
            redacted.append(contentsOf: text[copied..<edit.range.lowerBound])
            redacted.append(contentsOf: edit.text)
            copied = edit.range.upperBound
        }
        redacted.append(contentsOf: text[copied...])
        return redacted
    }
}
