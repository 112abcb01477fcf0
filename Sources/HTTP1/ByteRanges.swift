// The bytes of a representation that a Range field asks for. The numbers come from a peer:
// positions saturate, and the resulting ranges are within the representation. Left out: whether the
// field applies at all (GET only, If-Range), and the response.

import Text

/// The ranges of a Range field, resolved against a representation (RFC 9110 §14).
enum ByteRanges: Sendable, Equatable {
    /// Send the whole representation: 200.
    case ignored
    /// No range contains a byte of the representation: 416.
    case unsatisfiable
    /// The non-empty ranges to send, at least one, in the requested order: 206.
    case ranges([Range<Int>])

    /// One member of the list.
    private enum Member {
        case range(Range<Int>)
        case unsatisfiable
        /// All of an empty representation, which Content-Range can't express.
        case emptyWhole
    }

    /// Parses `bytes=` and a list of ranges.
    ///
    /// Ignored are: other units, malformed values, more than `limit` ranges, and more than two that
    /// overlap others (RFC 9110 §14.2). Ranges that begin after the last byte are left out if
    /// another range isn't empty. O(value + limit²).
    ///
    /// - Parameters:
    ///   - value: the field's only line; several lines are malformed, and the caller ignores them.
    ///   - size: bytes of the representation, 0 or more.
    ///   - limit: maximum number of ranges in one request.
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
            // Empty members are ignored (§5.6.1); blanks are allowed only beside commas.
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

    /// Parses `first-pos "-" [ last-pos ]` or `"-" suffix-length` (§14.1.1, §14.1.2); nil if it is
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

    /// One or more ASCII digits; `Int.max` for larger numbers.
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
