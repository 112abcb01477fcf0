// Removes credentials from what is stored: targets, field values and bodies; and hides, wherever
// results are listed, values that are stored but must not be listed (vendor document 2.2: Welltory's
// `token` opens a public page with a person's measurement).
//
// Invariant: values change, and names only where they hold a credential; order and structure never
// do. Valid JSON stays valid, and percent-encoded text stays percent-encoded. Text without a match
// is returned as the same array. If in doubt, more is hidden, not less. `Documentation/Privacy.md`
// lists what is found and what is not.

import JSON
import Text

/// Removes credentials from parts of a request.
///
/// A credential is a value whose name resembles a credential's (`SecretName`), a value that looks
/// like one (`SecretLook`), and userinfo in a URL. Ailet's links carry `login` and `password`.
public enum Redaction {
    /// Replaces a credential.
    public static let mark = "[redacted]"

    /// Replaces a stored credential wherever results are listed.
    public static let hiddenMark = "[hidden]"

    /// Hides credentials in a request target or URL, in O(length).
    public static func redactTarget(_ target: [UInt8]) -> [UInt8] {
        replace(.credentials, inTarget: target)
    }

    /// Hides credentials in a body of any content type, or in the value of a header, in O(length).
    ///
    /// A JSON value becomes the mark as a string. Text that is almost JSON is redacted too; an
    /// unterminated value is hidden up to the end of the text. Text in UTF-16 or UTF-32 keeps its
    /// encoding.
    public static func redactBody(_ body: [UInt8]) -> [UInt8] {
        replace(.credentials, in: body)
    }

    /// Hides credentials in the value of the HTTP field `name`, in O(length).
    public static func redact(
        _ value: ArraySlice<UInt8>, ofField name: ArraySlice<UInt8>
    ) -> ArraySlice<UInt8> {
        if isSecretField(name) { return Array(mark.utf8)[...] }
        let isHost =
            name.count == 4 && name.span.has(host, at: 0, end: 4, ignoringCase: true)
        // Nearly all values contain none, and need no copy.
        let end = isHost ? endOfHost(in: value) : value.count
        if !WideText.mayBeWide(value.span), !Glance.credentials.mayMatch(value.span, 0..<end) {
            return value
        }
        return (isHost ? redactAuthority(Array(value)) : redactBody(Array(value)))[...]
    }

    /// Hides credentials in a host, which may have a port, in O(length).
    public static func redactAuthority(_ authority: [UInt8]) -> [UInt8] {
        replacingHost(of: authority, redactTarget)
    }

    /// Replaces an authority up to its port: a host and its port are not a name and a value.
    static func replacingHost(
        of authority: [UInt8], _ replace: (_ host: [UInt8]) -> [UInt8]
    ) -> [UInt8] {
        let end = endOfHost(in: authority[...])
        return end == authority.count
            ? replace(authority) : replace(Array(authority[..<end])) + authority[end...]
    }

    /// The length of the host in an authority, without its port.
    private static func endOfHost(in authority: ArraySlice<UInt8>) -> Int {
        guard let colon = authority.lastIndex(of: UInt8(ascii: ":")),
            authority[(colon + 1)...].allSatisfy(\.isDigit)
        else { return authority.count }
        return colon - authority.startIndex
    }

    private static let host = Array("host".utf8)

    /// Whether the value of the HTTP field `name` must never be stored.
    public static func isSecretField(_ name: ArraySlice<UInt8>) -> Bool {
        SecretName.isSecret(name, isField: true)
    }

    /// Whether a parameter with this decoded name holds a credential.
    public static func isCredential(_ name: ArraySlice<UInt8>) -> Bool { SecretName.isSecret(name) }

    /// A record, or a part of one, without the values of stored credentials.
    ///
    /// They are found by name, in records of every vendor, because a callback may have been sent to
    /// the wrong one. JSON text stays JSON text. O(length), and only a cheap check for nearly all
    /// records.
    public static func hideShared(in text: [UInt8]) -> [UInt8] {
        replace(.shared, in: text)
    }

    /// Whether lists hide the value of the member or parameter `name`.
    public static func isShared(_ name: some StringProtocol) -> Bool {
        Sought.shared.index(ofName: Array(name.utf8)[...]) != nil
    }

    /// Replaces matches in a request target or URL, in O(length).
    ///
    /// The path is searched too: the question mark before the parameters may be missing.
    static func replace(_ sought: Sought, inTarget target: [UInt8]) -> [UInt8] {
        settled(target, for: sought) { text in
            guard sought.mayBe(in: text, text.indices) else { return [] }
            return Redactor.edits(inTarget: text, for: sought)
        }
    }

    /// Replaces matches in any text, in O(length).
    static func replace(_ sought: Sought, in text: [UInt8]) -> [UInt8] {
        if let wide = WideText(text) {
            let plain = wide.utf8
            let redacted = replace(sought, in: plain)
            return redacted == plain ? text : wide.encode(redacted)
        }
        return settled(text, for: sought) { text in
            guard sought.mayBe(in: text, text.indices) else { return [] }
            return Redactor.edits(in: text, for: sought)
        }
    }

    /// The text once nothing more is found in it: in broken text, a replacement may uncover more.
    ///
    /// A text that never settles is hidden as a whole.
    private static func settled(
        _ text: [UInt8], for sought: Sought, _ find: ([UInt8]) -> [Redactor.Edit]
    ) -> [UInt8] {
        var text = text
        // A pseudonym of a number is a number, and would itself be replaced again.
        for _ in 0..<(sought.mark == nil ? 1 : Limits.maximumRedactions) {
            let edits = find(text)
            if edits.isEmpty { return text }
            text = apply(edits, to: text)
        }
        guard let mark = sought.mark, !find(text).isEmpty else { return text }
        let isJSON = (try? JSONDocument(parsing: text)) != nil
        return isJSON ? sought.replacement(0, mark[...], true) : mark
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
