// The end of a page. Clients treat it as opaque: only its equality and its lifetime are promised.

import Text

/// A position between two results, in the order of one query.
package struct PageCursor: Sendable, Equatable {
    /// Place of the last result on the page.
    package let place: Int64
    /// The `seq` of that result.
    package let sequence: Int
    /// The field's value in that result, if results are ordered by a declared field.
    package let value: FieldValue?
    private let fingerprint: UInt32

    init(place: Int64, sequence: Int, value: FieldValue? = nil, of query: ResultQuery) {
        self.place = place
        self.sequence = sequence
        self.value = value
        fingerprint = query.fingerprint
    }

    /// Parses the text form; nil if it is invalid.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (3...4).contains(parts.count), let place = Int64(parts[0], radix: 36),
            let sequence = Int(parts[1], radix: 36),
            let fingerprint = UInt32(parts[2], radix: 36)
        else { return nil }
        self.place = place
        self.sequence = sequence
        self.fingerprint = fingerprint
        guard parts.count == 4 else {
            value = nil
            return
        }
        guard let value = FieldValue(cursorText: parts[3]) else { return nil }
        self.value = value
    }

    /// The text form for clients: letters, digits, dots and possibly a minus sign.
    package var text: String {
        var parts = [
            String(place, radix: 36), String(sequence, radix: 36), String(fingerprint, radix: 36),
        ]
        if let value { parts.append(value.cursorText) }
        return parts.joined(separator: ".")
    }

    /// Whether this cursor was issued for an equal query.
    package func belongs(to query: ResultQuery) -> Bool {
        guard fingerprint == query.fingerprint else { return false }
        if case .result = query.key { return value != nil }
        return value == nil
    }
}

extension FieldValue {
    /// A letter for the type, then the value in hexadecimal digits.
    fileprivate var cursorText: String {
        switch self {
        case .number(let number): "n" + String(number.bitPattern, radix: 16)
        case .flag(let flag): flag ? "b1" : "b0"
        case .text(let text):
            "t" + Hexadecimal.text(text.utf8)
        }
    }

    fileprivate init?(cursorText: some StringProtocol) {
        let digits = cursorText.dropFirst()
        switch cursorText.first {
        case "n":
            guard let bits = UInt64(digits, radix: 16) else { return nil }
            self = .number(Double(bitPattern: bits))
        case "b":
            guard let number = UInt64(digits, radix: 16), number < 2 else { return nil }
            self = .flag(number == 1)
        case "t":
            guard let bytes = Hexadecimal.bytes(digits.utf8) else { return nil }
            self = .text(String(decoding: bytes, as: UTF8.self))
        default: return nil
        }
    }
}
