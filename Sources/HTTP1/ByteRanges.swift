// Which bytes of a representation a Range field asks for. Every number is a peer's: positions
// saturate, and what comes out lies within the representation. Left out: whether the field counts
// at all (GET only, If-Range), and the answer.

import Text

/// The ranges of a Range field, resolved against a representation (RFC 9110 §14).
enum ByteRanges: Sendable, Equatable {
    /// The whole representation is the answer: 200.
    case ignored
    /// No range has a byte of the representation: 416.
    case unsatisfiable
    /// The non-empty ranges to send, one at least, in the order asked for: 206.
    case ranges([Range<Int>])

    /// What one member of the list asks for.
    private enum Member {
        case range(Range<Int>)
        case unsatisfiable
        /// All of a representation that has no bytes, which no Content-Range can say.
        case emptyWhole
    }

    /// Reads `bytes=` and a list of ranges.
    ///
    /// Ignored are: other units, anything off the grammar, more than `limit` ranges, and more than
    /// two that overlap others (RFC 9110 §14.2). Ranges that begin behind the last byte are left
    /// out while another has some. O(value + limit²).
    ///
    /// - Parameters:
    ///   - value: the field's one line; of several lines, which are off the grammar, none counts.
    ///   - size: bytes of the representation, 0 or more.
    ///   - limit: how many ranges one request may ask for.
    static func parse(_ value: ArraySlice<UInt8>, size: Int, limit: Int) -> ByteRanges {
        let unit = value.prefix { $0 != UInt8(ascii: "=") }
        guard unit.equalsIgnoringCase("bytes".utf8), unit.endIndex < value.endIndex else {
            return .ignored
        }
        let list = value[(unit.endIndex + 1)...]
        var count = 0
        var ranges: [Range<Int>] = []
        for part in list.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let text = Request.trimmed(part)
            // Empty members are nothing (§5.6.1); blanks stand beside commas only.
            if text.isEmpty { continue }
            if part.startIndex == list.startIndex, text.startIndex > list.startIndex {
                return .ignored
            }
            count += 1
            guard count <= limit, let member = member(text, size: size) else { return .ignored }
            switch member {
            case .range(let range): ranges.append(range)
            case .unsatisfiable: break
            case .emptyWhole: return .ignored
            }
        }
        if ranges.isEmpty { return count == 0 ? .ignored : .unsatisfiable }
        let overlapping = ranges.filter { range in
            ranges.count(where: range.overlaps) > 1
        }
        return overlapping.count > 2 ? .ignored : .ranges(ranges)
    }

    /// Reads `first-pos "-" [ last-pos ]` or `"-" suffix-length` (§14.1.1, §14.1.2); nil when it is
    /// neither.
    private static func member(_ text: ArraySlice<UInt8>, size: Int) -> Member? {
        let before = text.prefix { $0 != UInt8(ascii: "-") }
        guard before.endIndex < text.endIndex else { return nil }
        let behind = text[(before.endIndex + 1)...]
        if before.isEmpty {
            guard let suffix = position(behind) else { return nil }
            if suffix == 0 { return .unsatisfiable }
            return size == 0 ? .emptyWhole : .range(max(size - suffix, 0)..<size)
        }
        guard let first = position(before) else { return nil }
        var last = Int.max
        if !behind.isEmpty {
            guard let position = position(behind), position >= first else { return nil }
            last = position
        }
        return first < size ? .range(first..<min(last, size - 1) + 1) : .unsatisfiable
    }

    /// ASCII digits, one at least; `Int.max` for what is larger.
    private static func position(_ text: ArraySlice<UInt8>) -> Int? {
        guard !text.isEmpty else { return nil }
        var number = 0
        for octet in text {
            guard octet.isDigit else { return nil }
            let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, isTooLargeStill) = product.addingReportingOverflow(Int(octet - 0x30))
            number = isTooLarge || isTooLargeStill ? .max : sum
        }
        return number
    }
}
