// Scalars that a vendor writes as a number, a string or a boolean. Invariant: the original is kept
// as written; `number` converts all three.

import JSON

/// A scalar whose type differs between the vendor's own apps (vendor document 3.3).
///
/// Ailet's `price`, `price_type`, `code` and `facing`.
public enum LooseScalar: Sendable, Hashable {
    /// A JSON number as it was written, such as `46` or `46.50`.
    case number(String)
    /// A string, such as `46` or `RESULT_OK`.
    case string(String)
    /// `true` or `false`.
    case boolean(Bool)

    /// A whole number.
    public init(_ number: Int) { self = .number(String(number)) }

    /// The value as a number: of a number or of a string that holds one, 1 for true, 0 for false;
    /// nil for other strings, and for a number out of the range of `Double`.
    public var number: Double? {
        switch self {
        case .number(let text), .string(let text):
            let bytes = Array(text.utf8)
            guard case .number(bytes.count) = JSONNumber.scan(bytes.span, from: 0, end: bytes.count)
            else { return nil }
            return JSONNumber.double(bytes)
        case .boolean(let flag): return flag ? 1 : 0
        }
    }

    /// Reads a scalar; nil for `null` and for containers.
    init?(_ node: JSONNode) {
        switch node.kind {
        case .number: self = .number(String(decoding: node.text, as: UTF8.self))
        case .string: self = .string(node.string ?? "")
        case .boolean: self = .boolean(node.bool ?? false)
        case .null, .array, .object: return nil
        }
    }

    /// Writes the scalar; an invalid number is written as a string.
    func write(to json: inout JSONWriter) {
        switch self {
        case .number(let text) where number == nil: json.value(text)
        case .number(let text): json.raw(Array(text.utf8))
        case .string(let text): json.value(text)
        case .boolean(let flag): json.value(flag)
        }
    }
}
