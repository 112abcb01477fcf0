// Removes the layers of a payload, from the outside in, until JSON remains.
//
// Invariant: in addition to the contract's layers, only clearly recognisable ones are removed, at
// most `Limits.maximumExtraLayers`, each with a warning. Of broken layers the first is reported.

import JSON
import Text

/// Reads one payload.
struct PayloadReader {
    /// The parameter's text; for Base64 in a form, with plus signs as they were written.
    private(set) var text: EscapedText

    /// The layers removed inside `text`, outermost first.
    private(set) var layers: [PayloadLayer] = []

    /// Whether the contract's Base64 has still to be removed.
    private var needsBase64: Bool

    /// Whether the contract uses Base64.
    private let hasBase64: Bool

    private let isForm: Bool
    private var bytes: ArraySlice<UInt8> = []
    private var extraLayers = 0

    init(_ text: EscapedText, in wrapping: Payload.Wrapping) {
        self.text = text
        isForm = text.escaping == .form
        hasBase64 = wrapping == .base64
        needsBase64 = hasBase64
        if isForm, needsBase64 { self.text.escaping = .query }
    }

    /// Reads the text; nil, with an error, if a layer is broken.
    mutating func read(_ findings: inout Findings) -> JSONDocument? {
        if let plain = plainBase64 {
            bytes = plain.text
            take(plain.octets, repairedAt: nil, &findings)
        } else if !unescape(&findings) {
            return nil
        }
        while true {
            if takePercent(&findings) { continue }
            if needsBase64, beginsLikeJSON {
                addPlainJSON(&findings)
                needsBase64 = false
            }
            if needsBase64 || looksLikeBase64OfJSON {
                // Not removed if the contract has no Base64: redaction doesn't search inside it.
                guard hasBase64 else {
                    addUnexpectedBase64(&findings)
                    return nil
                }
                guard takeBase64(&findings) else { return nil }
                continue
            }
            takeByteOrderMark(&findings)
            guard let document = parse(&findings) else { return nil }
            guard takeString(document.root, &findings) else { return document }
        }
    }

    /// Base64 that has no escapes but for its padding, unescaped, and its bytes, which are JSON; nil
    /// for everything else.
    ///
    /// Searching for other escapes would cost as much as decoding, which stops at the first one.
    private var plainBase64: (text: ArraySlice<UInt8>, octets: [UInt8])? {
        guard needsBase64 else { return nil }
        var digits = text.bytes[text.range]
        var padding = 0
        while text.escaping == .query, padding < 2, Self.endsWithPadding(digits) {
            digits = digits.dropLast(3)
            padding += 1
        }
        guard !digits.suffix(6).contains(UInt8(ascii: "%")),
            case .octets(let octets, nil) = Base64Text.decode(digits),
            let first = octets.first, Self.beginsJSON.contains(first)
        else { return nil }
        if padding == 0 { return (digits, octets) }
        var unescaped: [UInt8] = []
        unescaped.reserveCapacity(digits.count + padding)
        unescaped.append(copying: digits.span)
        for _ in 0..<padding { unescaped.append(UInt8(ascii: "=")) }
        return (unescaped[...], octets)
    }

    /// Whether a text ends with an escaped `=`.
    private static func endsWithPadding(_ text: ArraySlice<UInt8>) -> Bool {
        text.count >= 3
            && PercentEncoding.octet(text.span, at: text.count - 3, end: text.count)
                == UInt8(ascii: "=")
    }

    /// Removes the parameter's own escapes; false, with an error, if nothing is left to read.
    private mutating func unescape(_ findings: inout Findings) -> Bool {
        let unescaped = text.unescaped()
        if let offset = unescaped.brokenAt {
            findings.addBrokenPercent(.error, text, at: offset)
            return false
        }
        bytes = unescaped.bytes
        if bytes.firstVisible == nil {
            addEmpty(&findings)
            return false
        }
        if text.escaping != .none, let word = NumberText.wordForNothing(bytes) {
            addWord(word, &findings)
            return false
        }
        return true
    }

    private func parse(_ findings: inout Findings) -> JSONDocument? {
        do throws(JSONFault) {
            return try JSONDocument(
                parsing: Array(bytes), maximumDepth: Limits.maximumPayloadDepth)
        } catch {
            addBrokenJSON(error, &findings)
            return nil
        }
    }

    // MARK: Layers

    /// Removes a second percent-encoding; false if there is none.
    private mutating func takePercent(_ findings: inout Findings) -> Bool {
        guard let place = placeOfPercent else { return false }
        warn(
            .percent, "double_percent_encoding", at: place,
            expected: "text that is percent-encoded once",
            found: Excerpt.quoted(bytes.dropFirst(place).prefix(3)) + " after decoding",
            hint: "the value was percent-encoded twice: encode it once", &findings)
        push(.escapes(whole(escaping: .query)))
        return true
    }

    /// The position of remaining percent-encoding; nil if absent.
    private var placeOfPercent: Int? {
        // Every escape has made the text shorter.
        if needsBase64, layers.isEmpty, bytes.count == text.range.count { return nil }
        let text = bytes.span
        let percent = UInt8(ascii: "%")
        // JSON may contain escapes in its strings, but Base64 has none, and JSON doesn't begin like
        // this.
        if needsBase64, !beginsLikeJSON {
            let place = text.place(of: percent, from: 0, to: text.count)
            return takesPercent(at: place) == nil ? nil : place
        }
        let start = text.endOfBlanks(from: 0)
        if let octet = takesPercent(at: start) {
            return needsBase64 || Self.beginsJSON.contains(octet) ? start : nil
        }
        // Some encoders leave braces unescaped: `{%22`.
        guard beginsLikeJSON else { return nil }
        let next = text.endOfBlanks(from: start + 1)
        guard let octet = takesPercent(at: next) else { return nil }
        return Self.beginsJSON.contains(octet) || octet == UInt8(ascii: "\"") ? next : nil
    }

    /// The byte of an escape at `place` of the text, if another layer may be removed.
    private func takesPercent(at place: Int) -> UInt8? {
        guard extraLayers < Limits.maximumExtraLayers else { return nil }
        return PercentEncoding.octet(bytes.span, at: place, end: bytes.count)
    }

    /// Removes Base64; false, with an error, if it is invalid.
    private mutating func takeBase64(_ findings: inout Findings) -> Bool {
        if !needsBase64 {
            warn(
                .base64, "double_base64", at: 0, expected: "JSON", found: "Base64 of JSON",
                hint: "the value was encoded in Base64 once too often", &findings)
        }
        switch Base64Text.decode(bytes) {
        case .broken(let index):
            needsBase64 = false
            addBrokenBase64(at: index, &findings)
            return false
        case .octets(let octets, let repairedAt):
            take(octets, repairedAt: repairedAt, &findings)
            return true
        }
    }

    /// Continues with the decoded bytes of the text, which is Base64.
    private mutating func take(
        _ octets: [UInt8], repairedAt: Int?, _ findings: inout Findings
    ) {
        let isExtra = !needsBase64
        needsBase64 = false
        if let place = (isForm && !isExtra ? rawPlus : nil) ?? repairedAt.map(source) {
            addRepair(at: place, &findings)
        }
        if isExtra { extraLayers += 1 }
        layers.append(.base64(bytes))
        bytes = octets[...]
    }

    /// The offset in the part of the first plus sign; nil if absent.
    private var rawPlus: Int? {
        let end = text.range.upperBound
        let place = text.bytes.span.place(
            of: UInt8(ascii: "+"), from: text.range.lowerBound, to: end)
        return place < end ? place : nil
    }

    private mutating func takeByteOrderMark(_ findings: inout Findings) {
        guard bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return }
        warn(
            .json, "byte_order_mark", at: 0,
            expected: "JSON without byte order mark (RFC 8259 §8.1)",
            found: "U+FEFF", hint: "save or send the text as UTF-8 without BOM", &findings)
        layers.append(.prefix(3))
        bytes = bytes.dropFirst(3)
    }

    /// Removes quotation marks and escapes from JSON that is inside a JSON string.
    private mutating func takeString(_ root: JSONNode, _ findings: inout Findings) -> Bool {
        guard root.kind == .string, extraLayers < Limits.maximumExtraLayers else { return false }
        let inner = root.text.dropFirst().dropLast()
        guard let first = inner.firstVisible, Self.beginsJSON.contains(first) else { return false }
        let range = root.byteRange
        warn(
            .json, "json_in_string", at: range.lowerBound, expected: "an object",
            found: "a string that holds JSON",
            hint: "the JSON was encoded twice: send the object itself", &findings)
        let whole = whole(escaping: .jsonString)
        push(
            .escapes(
                EscapedText(
                    part: text.part, bytes: whole.bytes,
                    range: range.lowerBound + 1..<range.upperBound - 1, escaping: .jsonString)))
        return true
    }

    private mutating func push(_ layer: PayloadLayer) {
        extraLayers += 1
        layers.append(layer)
        if case .escapes(let text) = layer { bytes = Array(text.unescaped().bytes)[...] }
    }

    private func whole(escaping: EscapedText.Escaping) -> EscapedText {
        let bytes = Array(bytes)
        return EscapedText(part: text.part, bytes: bytes, range: bytes.indices, escaping: escaping)
    }

    // MARK: Looks

    private static let beginsJSON: [UInt8] = [UInt8(ascii: "{"), UInt8(ascii: "[")]

    private var beginsLikeJSON: Bool {
        bytes.firstVisible.map(Self.beginsJSON.contains) ?? false
    }

    /// Whether the text begins like Base64 of `{` or `[`, and contains only Base64.
    private var looksLikeBase64OfJSON: Bool {
        guard extraLayers < Limits.maximumExtraLayers,
            let start = bytes.firstIndex(where: { $0 > 0x20 }), bytes.endIndex - start >= 4,
            bytes[start] == UInt8(ascii: "e") || bytes[start] == UInt8(ascii: "W")
        else { return false }
        guard case .octets(let octets, _) = Base64Text.decode(bytes[start..<start + 4]),
            let first = octets.first, Self.beginsJSON.contains(first)
        else { return false }
        if case .octets = Base64Text.decode(bytes) { return true }
        return false
    }

    // MARK: Findings

    /// The offset in the part of byte `offset` of the current text.
    func source(_ offset: Int) -> Int { layers.sourceOffset(of: offset, in: text) }

    /// The current text.
    var current: ArraySlice<UInt8> { bytes }

    private func warn(
        _ layer: Diagnostic.Layer, _ code: String, at offset: Int, expected: String, found: String,
        hint: String, _ findings: inout Findings
    ) {
        findings.add(
            .warning, layer, code, in: text.part, at: source(offset), expected: expected,
            found: found, hint: hint)
    }

    private func addPlainJSON(_ findings: inout Findings) {
        warn(
            .base64, "not_base64", at: 0, expected: "Base64", found: "JSON as it is",
            hint: "encode the JSON in Base64", &findings)
    }

    private func addRepair(at offset: Int, _ findings: inout Findings) {
        findings.add(
            .info, .base64, "base64_plus_repaired", in: text.part, at: offset,
            expected: "%2B", found: "a plus sign or space",
            hint: "the value was form-encoded: + became a space; send %2B")
    }
}
