// Diagnostics for errors that stop the reading of a payload, with a correction if it is
// recognisable. Invariant: runs once for each payload, so any cost up to O(length) is acceptable.

import JSON

extension PayloadReader {
    /// Adds: the text is empty.
    func addEmpty(_ findings: inout Findings) {
        findings.add(
            .error, .model, "empty_value", in: text.part, at: text.range.lowerBound,
            expected: "a value", found: "nothing",
            hint: "the parameter is there, but nothing was put into it")
    }

    /// Adds: the text is a word that programs write for no value, or for an object that they can't
    /// write.
    func addWord(_ word: String, _ findings: inout Findings) {
        let isObject = word == "[object Object]"
        findings.add(
            .error, .model, "empty_value", in: text.part, at: text.range.lowerBound,
            expected: "a value", found: "\"\(word)\"",
            hint: isObject
                ? "an object was put into text as it is: write it as JSON first"
                : "the sender had no value and wrote a word: leave the parameter out")
    }

    /// Adds: the current text is Base64 of JSON, which the contract doesn't have.
    func addUnexpectedBase64(_ findings: inout Findings) {
        findings.add(
            .error, .base64, "unexpected_base64", in: text.part, at: source(0),
            expected: "JSON", found: "Base64 of JSON",
            hint: "the value was encoded in Base64: percent-encode the JSON itself")
    }

    /// Adds: the character at `index` of the current text is not Base64.
    func addBrokenBase64(at index: Int, _ findings: inout Findings) {
        let rest = current.dropFirst(index)
        if let byte = rest.first {
            findings.add(
                .error, .base64, "broken_base64", in: text.part, at: source(index),
                expected: "a Base64 digit", found: Excerpt.byte(rest), hint: Self.hint(on: byte))
            return
        }
        findings.add(
            .error, .base64, "broken_base64", in: text.part, at: source(index),
            expected: "groups of 4 Base64 digits", found: "1 digit in the last group",
            hint: isCutOff
                ? text.cutHint ?? "3 characters are missing at the end: the value was cut off"
                : "this is not Base64 of JSON")
    }

    /// Whether the Base64 begins like JSON, or the request ends at a common length limit.
    private var isCutOff: Bool {
        if text.endsAtLimit { return true }
        guard case .octets(let octets, _) = Base64Text.decode(current.prefix(4)) else {
            return false
        }
        return octets.firstVisible.map { "{[".utf8.contains($0) } ?? false
    }

    private static func hint(on byte: UInt8) -> String {
        switch byte {
        case 0x0A, 0x0D:
            "the Base64 was broken into lines: Android's Base64.DEFAULT does that, NO_WRAP doesn't"
        case UInt8(ascii: "%"): "a percent sign remained: percent-encode the value once, and whole"
        case UInt8(ascii: "\""), UInt8(ascii: "'"): "remove the quotation marks"
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "<"), UInt8(ascii: ":"):
            "this is not Base64 but plain text"
        case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "#"), UInt8(ascii: ";"):
            "this looks like a piece of a URL: separate parameters with a plain &"
        default: "Base64 has A-Z a-z 0-9 and + / or - _ (RFC 4648): another alphabet won't do"
        }
    }

    /// Adds: the current text is not JSON.
    func addBrokenJSON(_ fault: JSONFault, _ findings: inout Findings) {
        let isUTF8 = fault.kind == .invalidUTF8
        findings.add(
            .error, isUTF8 ? .utf8 : .json, isUTF8 ? "invalid_utf8" : "broken_json",
            in: text.part, at: source(fault.offset),
            pointer: fault.pointer.isEmpty ? nil : fault.pointer, expected: fault.expected,
            found: fault.found, hint: hint(on: fault))
    }

    private func hint(on fault: JSONFault) -> String? {
        let rest = current.dropFirst(fault.offset)
        let isCutCharacter =
            fault.kind == .invalidUTF8 && rest.count < 4 && rest.allSatisfy { $0 >= 0x80 }
            && rest.first.map { 0xC2...0xF4 ~= $0 } == true
        if fault.kind == .unexpectedEnd || isCutCharacter {
            return text.cutHint ?? fault.hint
        }
        switch rest.first {
        case UInt8(ascii: "+") where text.escaping == .query && layers.isEmpty:
            return "in a query + is a plus sign: send %20 for a space"
        case 0x1F where fault.offset == 0 && rest.dropFirst().first == 0x8B:
            return "this is compressed (gzip): send the JSON itself"
        default: break
        }
        if fault.kind == .invalidUTF8 {
            return "the text is of another encoding, such as ISO-8859-1: encode it as UTF-8"
        }
        return fault.hint
    }
}

extension EscapedText {
    /// Whether the text ends at a common length limit of requests.
    ///
    /// Such limits also count scheme and host, which targets may lack.
    var endsAtLimit: Bool {
        range.upperBound == bytes.count
            && [1024, 2048, 4096, 8192, 16_384, 32_768, 65_536].contains {
                $0 - 100...$0 ~= bytes.count
            }
    }

    /// Why the text may be truncated, judged by what follows it in the request.
    var cutHint: String? {
        guard range.upperBound < bytes.count else {
            guard part == .target else { return "the content ends here: it was cut off" }
            return "the URL ends here, after \(bytes.count) bytes: it was cut off; "
                + "check limits on the way (2,048 is a common one), or POST the result"
        }
        switch bytes[range.upperBound] {
        case UInt8(ascii: "#") where escaping == .query:
            return "the value ends at #: a # in a value is sent as %23"
        case UInt8(ascii: "&") where escaping == .query || escaping == .form:
            return "the value ends at &: a & in a value is sent as %26, or the value was cut off"
        default: return nil
        }
    }
}
