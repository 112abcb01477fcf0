// `privacy: mask`: health and location values out of a callback before anything of it is kept.
//
// Invariant: what is stored is decoded from the masked bytes, so that no value and no diagnostic can
// hold what the request doesn't. Names, order and structure stay. Masked is by name, at any depth and
// of every contract: a callback may have been sent to the wrong vendor.
// Left out: Base64; no contract has such a field in it. What can't be decoded is masked as a whole.

import PositionedJSON

/// A callback without its health and location values, and what it is decoded to.
public struct Masking: Sendable {
    /// How the masked bytes differ from those received.
    public enum Extent: String, CaseIterable, Sendable {
        /// Values have been replaced; decoding finds the same in both.
        case values
        /// Something that was wrong with the received bytes is gone with a value: decoding the
        /// masked ones would say other things than the diagnostics do.
        case beyondDecoding = "beyond_decoding"
    }

    /// What may be stored.
    public let callback: Callback

    /// What is to be said of it; no diagnostic repeats a masked value.
    public let decoding: Decoding

    /// Nil when there was nothing to mask.
    public let extent: Extent?

    /// Masks `callback` and decodes it by the contracts of `vendor`, in O(its length).
    ///
    /// - Parameter pinned: the contract that the receiver is to get, as for `Decoding`.
    public init(
        of callback: Callback, from vendor: Vendor, contract pinned: Contract? = nil,
        by pseudonyms: Pseudonyms
    ) {
        let original = Decoding(of: callback, from: vendor, contract: pinned)
        let sought = Sought(masking: pseudonyms)
        var masked = callback
        if original.verdict == .undecodable, vendor.hasMaskedFields {
            masked = Self.wholly(callback, by: pseudonyms)
        }
        masked = Self.replace(sought, in: masked)
        self.callback = masked
        guard masked.target != callback.target || masked.body?.bytes != callback.body?.bytes else {
            decoding = original
            extent = nil
            return
        }
        let again = Decoding(of: masked, from: vendor, contract: pinned)
        if again.says(theSameAs: original) {
            decoding = again
            extent = .values
        } else {
            var decoding = original
            decoding.value = original.value == nil ? nil : again.value
            decoding.diagnostics = original.diagnostics.map(\.withoutValues)
            self.decoding = decoding
            extent = .beyondDecoding
        }
    }

    /// Masks `callback` by the names in it, whatever it is: a launch, say.
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

    /// Masks what a header's value says if it holds a URL, as `Referer` does.
    public static func mask(header value: [UInt8], by pseudonyms: Pseudonyms) -> [UInt8] {
        guard value.contains(UInt8(ascii: "?")) else { return value }
        return Redaction.replace(Sought(masking: pseudonyms), inTarget: value)
    }

    /// Every parameter's value, or a body in which there are none, replaced as a whole.
    private static func wholly(_ callback: Callback, by pseudonyms: Pseudonyms) -> Callback {
        var message = Message(callback)
        let hasMembers = message.body?.document.root.kind == .object
        if hasMembers { message.adoptBodyMembers() }
        var edits: [Diagnostic.Part: [Redactor.Edit]] = [:]
        for parameter in message.parameters {
            let text = message.value(of: parameter)
            var pseudonym = pseudonyms.text(for: text.unescaped().bytes)
            switch text.escaping {
            case .query, .form: pseudonym = PercentEncoding.encode(pseudonym)
            case .none: pseudonym = [UInt8(ascii: "\"")] + pseudonym + [UInt8(ascii: "\"")]
            case .jsonString: break
            }
            edits[parameter.part, default: []].append(
                Redactor.Edit(range: parameter.valueRange, text: pseudonym))
        }
        var masked = callback
        masked.target = Redaction.apply(edits[.target] ?? [], to: callback.target)
        switch callback.body {
        case .form(let bytes): masked.body = .form(Redaction.apply(edits[.body] ?? [], to: bytes))
        case .json(let bytes) where hasMembers:
            masked.body = .json(Redaction.apply(edits[.body] ?? [], to: bytes))
        case .json, .other: masked.body = callback.body?.mapBytes { pseudonyms.text(for: $0) }
        case nil: break
        }
        return masked
    }
}

extension Decoding {
    /// Whether both say the same of their message, but for values, places and texts of findings.
    fileprivate func says(theSameAs other: Decoding) -> Bool {
        contract == other.contract && outcome == other.outcome && verdict == other.verdict
            && diagnostics.map(\.kind) == other.diagnostics.map(\.kind)
    }
}

extension Diagnostic {
    /// What was found, where in the decoded value, and what to do about it.
    fileprivate var kind: [String?] { [severity.rawValue, layer.rawValue, code, pointer, hint] }

    /// The finding without what may repeat a value of the message.
    fileprivate var withoutValues: Diagnostic {
        Diagnostic(
            severity: severity, layer: layer, code: code, part: part, offset: offset,
            pointer: pointer, expected: expected, found: "[masked]", hint: hint)
    }
}

extension Callback.Body {
    /// The content's octets.
    public var bytes: [UInt8] {
        switch self {
        case .form(let bytes), .json(let bytes), .other(_, let bytes): bytes
        }
    }

    /// The same content with other octets.
    fileprivate func mapBytes(_ change: ([UInt8]) -> [UInt8]) -> Callback.Body {
        switch self {
        case .form(let bytes): .form(change(bytes))
        case .json(let bytes): .json(change(bytes))
        case .other(let contentType, let bytes):
            .other(contentType: contentType, change(bytes))
        }
    }
}

extension Vendor {
    /// Whether callbacks of this vendor carry what is masked.
    fileprivate var hasMaskedFields: Bool {
        switch self {
        case .welltory, .ailet, .rezolve: true
        case .dimmy, .raw: false
        }
    }
}

extension Sought {
    /// The fields that are masked, of all contracts.
    private static let maskedFields = Contract.allCases.flatMap(\.fields).filter {
        $0.fieldClass.isMasked
    }

    /// The search for health and location values.
    init(masking pseudonyms: Pseudonyms) {
        let fields = Self.maskedFields
        self.init(fields.map { $0.path.last ?? "" }) { index, value, isJSON in
            guard isJSON else {
                let text = DecodedText(Array(value), 0..<value.count, from: .percent)
                return PercentEncoding.encode(pseudonyms.value(for: text.bytes, of: fields[index]))
            }
            return Self.masked(value, of: fields[index], by: pseudonyms)
        }
    }

    /// The pseudonym of a JSON value, as JSON text; null says nothing and stays.
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
