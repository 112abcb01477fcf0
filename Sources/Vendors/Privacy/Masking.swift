// `privacy: mask`: removes health and location values from a callback before anything is stored.
//
// Invariant: the stored value is decoded from the masked bytes, so no value or diagnostic can
// contain what the request doesn't. Names, order and structure stay. Values are masked by name, at
// any depth and for every contract, because a callback may be sent to the wrong vendor. Left out:
// Base64, in which no contract has such a field. What can't be decoded is masked as a whole.

import JSON
import Text

/// A callback without its health and location values, and its decoding.
public struct Masking: Sendable {
    /// How the masked bytes differ from those received.
    public enum Extent: String, CaseIterable, Sendable {
        /// Values have been replaced; decoding gives the same diagnostics for both.
        case values
        /// A defect of the received bytes was lost with a value: decoding the masked bytes would
        /// give other diagnostics.
        case beyondDecoding = "beyond_decoding"
    }

    /// The callback that may be stored.
    public let callback: Callback

    /// Its decoding; no diagnostic repeats a masked value.
    public let decoding: Decoding

    /// Nil if nothing was masked.
    public let extent: Extent?

    /// Masks `callback` and decodes it by the contracts of `vendor`, in O(its length).
    ///
    /// - Parameters:
    ///   - pinned: the contract that the receiver expects, as for `Decoding`.
    ///   - isMaskedByName: whether the names in it have been masked for any vendor, so that only
    ///     what `vendor` shows is left.
    public init(
        of callback: Callback, from vendor: Vendor, contract pinned: Contract? = nil,
        by pseudonyms: Pseudonyms, isMaskedByName: Bool = false
    ) {
        let original = Decoding(of: callback, from: vendor, contract: pinned)
        let isWhole = original.verdict == .undecodable
        var masked = callback
        if vendor.hasMaskedFields {
            masked =
                isWhole
                ? Self.wholly(callback, by: pseudonyms)
                : Self.partly(callback, from: vendor, by: pseudonyms)
            if let link = WrappedLink(callback, to: vendor) {
                let target = Callback(target: link.target)
                let inner =
                    isWhole
                    ? Self.wholly(target, by: pseudonyms)
                    : Self.partly(target, from: vendor, by: pseudonyms)
                masked.body = link.body(carrying: inner.target)
            }
        }
        if !isMaskedByName { masked = Self.mask(masked, by: pseudonyms) }
        self.callback = masked
        guard masked.target != callback.target || masked.body?.bytes != callback.body?.bytes else {
            decoding = original
            extent = nil
            return
        }
        var again = Decoding(of: masked, from: vendor, contract: pinned)
        again.flow = original.flow
        if again.says(theSameAs: original) {
            decoding = again
            extent = .values
        } else {
            var decoding = original
            decoding.document = original.document == nil ? nil : again.document
            decoding.diagnostics = original.diagnostics.map(\.withoutValues)
            self.decoding = decoding
            extent = .beyondDecoding
        }
    }

    /// Masks any `callback`, such as a launch, by the names in it.
    public static func mask(_ callback: Callback, by pseudonyms: Pseudonyms) -> Callback {
        replace(Sought(masking: pseudonyms), in: callback)
    }

    /// Masks JSON text by the names in it; it stays JSON text.
    public static func mask(json: [UInt8], by pseudonyms: Pseudonyms) -> [UInt8] {
        Redaction.replace(Sought(masking: pseudonyms), in: json)
    }

    private static func replace(_ sought: Sought, in callback: Callback) -> Callback {
        var masked = callback
        masked.target = Redaction.replace(sought, inTarget: callback.target)
        masked.body = callback.body?.mapBytes { Redaction.replace(sought, in: $0) }
        return masked
    }

    /// Masks the value of the header field `name`: all of it, or, for fields about the transport,
    /// only values after names of masked fields.
    public static func mask(
        _ value: [UInt8], ofField name: ArraySlice<UInt8>, by pseudonyms: Pseudonyms
    ) -> [UInt8] {
        let name = String(decoding: name, as: UTF8.self).lowercased()
        if transportFields.contains(name) || transportPrefixes.contains(where: name.hasPrefix) {
            let replace = { Redaction.replace(Sought(masking: pseudonyms), in: $0) }
            return name == "host" ? Redaction.replacingHost(of: value, replace) : replace(value)
        }
        return pseudonym(of: value, by: pseudonyms)
    }

    /// The pseudonym of a whole text; an empty text stays empty.
    public static func pseudonym(of text: [UInt8], by pseudonyms: Pseudonyms) -> [UInt8] {
        pseudonyms.text(for: text)
    }

    /// The header fields about the transport, in lower case; they contain no measurements.
    private static let transportFields: Set<String> = [
        "accept", "cache-control", "connection", "date", "dnt", "expect", "forwarded", "host",
        "keep-alive", "origin", "pragma", "priority", "purpose", "range", "referer", "te",
        "trailer",
        "transfer-encoding", "upgrade", "upgrade-insecure-requests", "user-agent", "via",
        "x-real-ip", "x-request-id", "x-requested-with", "traceparent", "x-rezolve-device-id",
    ]

    private static let transportPrefixes = [
        "accept-", "content-", "if-", "sec-", "svix-", "webhook-", "x-forwarded-",
    ]

    /// Replaces every parameter's value, or a body without parameters, as a whole; also names that
    /// don't look like names, because they may be misplaced values.
    private static func wholly(_ callback: Callback, by pseudonyms: Pseudonyms) -> Callback {
        let message = message(of: callback)
        var edits: [Diagnostic.Part: [Redactor.Edit]] = [
            .target: valuesWithoutQuery(in: callback.target, by: pseudonyms)
        ]
        for parameter in message.parameters {
            edits[parameter.part, default: []] += misplaced(parameter, in: message, by: pseudonyms)
            let value = message.value(of: parameter).unescaped().bytes
            edits[parameter.part, default: []].append(
                Redactor.Edit(
                    range: parameter.valueRange,
                    text: parameter.escaping.escape(pseudonyms.text(for: value))))
        }
        var masked = apply(edits, to: callback)
        var isWhole = isLost(bodyOf: message)
        if case .multipart = callback.body { isWhole = true }
        if isWhole { masked.body = callback.body?.mapBytes { pseudonyms.text(for: $0) } }
        return masked
    }

    /// Whether the body has text, but neither parameters nor an object's members: names in it may
    /// be missing.
    private static func isLost(bodyOf message: Message) -> Bool {
        message.received?.bytes.firstVisible != nil
            && message.body?.document.root.kind != .object
            && !message.parameters.contains { $0.part == .body }
    }

    /// Replaces the name of a pair if it doesn't look like one: it may be a misplaced value.
    private static func misplaced(
        _ parameter: Parameter, in message: Message, by pseudonyms: Pseudonyms
    ) -> [Redactor.Edit] {
        guard parameter.escaping.isPair, !isName(message.name(of: parameter)) else { return [] }
        let name = nameRange(of: parameter, in: message)
        let text = pseudonyms.text(for: message.bytes(of: parameter.part)[name])
        return [Redactor.Edit(range: name, text: PercentEncoding.encode(text))]
    }

    /// The values of pairs in a target without a query: its question mark may be missing.
    private static func valuesWithoutQuery(
        in target: [UInt8], by pseudonyms: Pseudonyms
    ) -> [Redactor.Edit] {
        guard Message.startOfQuery(in: target) == nil else { return [] }
        return target.split { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "#") }
            .compactMap { pair in
                guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
                let value = equals + 1..<pair.endIndex
                let text = pseudonyms.text(for: PercentEncoding.decode(target[value]))
                return Redactor.Edit(range: value, text: PercentEncoding.encode(text))
            }
    }

    /// Replaces what can't be read in a message that can be: a body without names, and text in
    /// place of a name; also parameters whose names resemble those of masked fields, because a
    /// misspelling must not reveal what the correct name hides.
    private static func partly(
        _ callback: Callback, from vendor: Vendor, by pseudonyms: Pseudonyms
    ) -> Callback {
        let fields = Contract.allCases.filter { $0.vendor == vendor }.flatMap(\.fields)
            .filter { $0.path.count == 1 }
        let names = fields.map { $0.path[0] }
        let message = message(of: callback)
        var edits: [Diagnostic.Part: [Redactor.Edit]] = [:]
        for parameter in message.parameters {
            if parameter.valueRange.isEmpty {
                edits[parameter.part, default: []] += misplaced(
                    parameter, in: message, by: pseudonyms)
                continue
            }
            let name = message.name(of: parameter)
            guard !names.contains(where: { name.elementsEqual($0.utf8) }),
                let near = Spelling.nearest(to: name, of: names),
                let field = fields.first(where: { $0.path[0] == near }),
                field.fieldClass.isMasked
            else { continue }
            let value = message.value(of: parameter).unescaped().bytes
            edits[parameter.part, default: []].append(
                Redactor.Edit(
                    range: parameter.valueRange,
                    text: parameter.escaping.escape(pseudonyms.value(for: value, of: field))))
        }
        var masked = apply(edits, to: callback)
        if isLost(bodyOf: message) {
            masked.body = callback.body?.mapBytes { pseudonyms.text(for: $0) }
        }
        return masked
    }

    private static func message(of callback: Callback) -> Message {
        var message = Message(callback)
        if message.body?.document.root.kind == .object { message.adoptBodyMembers() }
        return message
    }

    private static func apply(
        _ edits: [Diagnostic.Part: [Redactor.Edit]], to callback: Callback
    ) -> Callback {
        var changed = callback
        changed.target = Redaction.apply(edits[.target] ?? [], to: callback.target)
        changed.body = callback.body?.mapBytes { Redaction.apply(edits[.body] ?? [], to: $0) }
        return changed
    }

    /// The range of the raw name of a pair in its part; a pair without `=` is all name.
    private static func nameRange(of parameter: Parameter, in message: Message) -> Range<Int> {
        let (start, end) = (parameter.offset, parameter.valueRange.lowerBound)
        let bytes = message.bytes(of: parameter.part)
        let hasSign = end > start && bytes[end - 1] == UInt8(ascii: "=")
        return start..<(hasSign ? end - 1 : end)
    }

    /// Whether a text consists of characters that names use.
    private static func isName(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.first?.isLetter == true else { return false }
        return text.allSatisfy { $0.isAlphanumeric || "_-[]".utf8.contains($0) }
    }
}

extension EscapedText.Escaping {
    /// Whether the escaping is that of `name=value`.
    fileprivate var isPair: Bool { self == .query || self == .form }

    /// A pseudonym, escaped for a message.
    fileprivate func escape(_ pseudonym: [UInt8]) -> [UInt8] {
        switch self {
        case .query, .form: PercentEncoding.encode(pseudonym)
        case .none:
            Pseudonyms.number(pseudonym) == nil
                ? [UInt8(ascii: "\"")] + pseudonym + [UInt8(ascii: "\"")] : pseudonym
        case .jsonString, .part: pseudonym
        }
    }
}

extension Decoding {
    /// Whether both have the same diagnostics, apart from values, offsets and texts.
    fileprivate func says(theSameAs other: Decoding) -> Bool {
        contract == other.contract && outcome == other.outcome && verdict == other.verdict
            && diagnostics.map(\.kind) == other.diagnostics.map(\.kind)
    }
}

extension Diagnostic {
    /// The kind of diagnostic, its place in the decoded value, and its hint.
    ///
    /// Only the hint distinguishes `0,32` from its pseudonym: neither is a number.
    fileprivate var kind: [String?] { [severity.rawValue, layer.rawValue, code, pointer, hint] }

    /// The diagnostic without anything that may repeat a value of the message: only `found` does.
    fileprivate var withoutValues: Diagnostic {
        Diagnostic(
            severity: severity, layer: layer, code: code, part: part, offset: offset,
            pointer: pointer, expected: expected, found: "[masked]", hint: hint)
    }
}

extension Callback.Body {
    /// The bytes of the body.
    public var bytes: [UInt8] {
        switch self {
        case .form(let bytes), .json(let bytes), .multipart(_, let bytes), .other(_, let bytes):
            bytes
        }
    }

    /// The same body with other bytes.
    func mapBytes(_ change: ([UInt8]) -> [UInt8]) -> Callback.Body {
        switch self {
        case .form(let bytes): .form(change(bytes))
        case .json(let bytes): .json(change(bytes))
        case .multipart(let boundary, let bytes):
            .multipart(boundary: boundary, change(bytes))
        case .other(let contentType, let bytes):
            .other(contentType: contentType, change(bytes))
        }
    }
}

extension Vendor {
    /// Whether this vendor's callbacks have masked fields.
    fileprivate var hasMaskedFields: Bool {
        Contract.allCases.contains { contract in
            contract.vendor == self && contract.fields.contains { $0.fieldClass.isMasked }
        }
    }
}

extension Sought {
    /// The masked fields of all contracts.
    private static let maskedFields = Contract.allCases.flatMap(\.fields).filter {
        $0.fieldClass.isMasked
    }

    /// The search for health and location values.
    convenience init(masking pseudonyms: Pseudonyms) {
        let fields = Self.maskedFields
        self.init(fields.map { $0.path.last ?? "" }) { index, value, isJSON in
            guard isJSON else {
                // In a query, `+` is a plus sign, as in `1e+2`; in a form, it is a space.
                let literal = PercentEncoding.decode(value)
                let text =
                    Pseudonyms.number(literal) == nil
                    ? DecodedText(Array(value), 0..<value.count, from: .percent).bytes : literal
                return PercentEncoding.encode(pseudonyms.value(for: text, of: fields[index]))
            }
            return Self.masked(value, of: fields[index], by: pseudonyms)
        }
    }

    /// The pseudonym of a JSON value, as JSON text; null stays null.
    private static func masked(
        _ value: ArraySlice<UInt8>, of field: ContractField, by pseudonyms: Pseudonyms
    ) -> [UInt8] {
        if value.elementsEqual("null".utf8) { return Array(value) }
        let text = Array(value)
        if Pseudonyms.number(text) != nil { return pseudonyms.value(for: text, of: field) }
        let quote = [UInt8(ascii: "\"")]
        guard text.first == quote[0] else { return quote + pseudonyms.text(for: text) + quote }
        let end = text.count > 1 && text.last == quote[0] ? text.count - 1 : text.count
        var inner: [UInt8] = []
        JSONEscapes.unescape(text, range: 1..<end, to: &inner)
        return quote + pseudonyms.value(for: inner, of: field) + quote
    }
}
