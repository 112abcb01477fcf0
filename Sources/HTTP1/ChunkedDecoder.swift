// Decodes the chunked transfer coding (RFC 9112 §7.1) as its bytes arrive. A value without a
// socket.
//
// Only CRLF ends a line. Extensions are skipped; trailers are read and dropped, and never become
// fields. Sizes can't overflow, and every line is bounded.

import Text

/// An incremental decoder of one chunked body.
struct ChunkedDecoder {
    /// The result of a call to `decode`.
    enum Outcome: Equatable {
        /// More bytes must arrive, or there was no room for those that did.
        case incomplete
        /// The body has ended; `consumed` bytes of the input belong to it.
        case done
        /// The body is malformed, or a line is too long.
        case malformed
        /// The body exceeds its limit.
        ///
        /// A chunk's size shows this before its data arrives.
        case tooLarge
    }

    private enum State {
        case size(digits: Int)
        case blanks
        case extensionName
        case extensions
        case sizeLineFeed
        case data
        case dataReturn
        case dataLineFeed
        case trailerStart
        case trailerName
        case trailer
        case trailerLineFeed
        case endLineFeed
        case end
    }

    /// More digits would overflow a 64-bit size; leading zeros count.
    private static let longestSizeDigits = 15

    private var state = State.size(digits: 0)
    private var remaining = 0
    private var lineBytes = 0
    /// Bytes of all extensions so far.
    ///
    /// They are limited together, so that a body of many tiny chunks can't carry more of them.
    private var extensionBytes = 0
    /// Bytes of data announced by the chunk sizes so far.
    private var announced = 0
    private let lineLimit: Int
    private let bodyLimit: Int

    /// Makes a decoder for one body.
    ///
    /// - Parameters:
    ///   - lineLimit: maximum bytes of a size line, of all extensions of a body, and of its trailer
    ///     section.
    ///   - bodyLimit: maximum bytes of the body's data.
    init(lineLimit: Int, bodyLimit: Int) {
        self.lineLimit = lineLimit
        self.bodyLimit = bodyLimit
    }

    /// Decodes `bytes` and appends the data to `output`.
    ///
    /// - Parameter room: maximum bytes of data to append; if there are more, decoding stops with
    ///   `incomplete` before the end of `bytes`.
    /// - Returns: the outcome, and how many of `bytes` were consumed. O(bytes).
    mutating func decode(
        _ bytes: Span<UInt8>, into output: inout [UInt8], room: Int
    ) -> (outcome: Outcome, consumed: Int) {
        var index = 0
        let limit = output.count + min(room, Int.max - output.count)
        while index < bytes.count {
            if case .data = state {
                let count = min(remaining, bytes.count - index, limit - output.count)
                if count == 0 { return (.incomplete, index) }
                for position in index..<(index + count) { output.append(bytes[position]) }
                index += count
                remaining -= count
                if remaining == 0 { state = .dataReturn }
                continue
            }
            lineBytes += 1
            if isInExtension { extensionBytes += 1 }
            guard lineBytes <= lineLimit, extensionBytes <= lineLimit,
                let next = step(bytes[index])
            else { return (.malformed, index) }
            index += 1
            state = next
            switch next {
            case .end: return (.done, index)
            case .data:
                guard remaining <= bodyLimit - announced else { return (.tooLarge, index) }
                announced += remaining
            default: break
            }
        }
        return (.incomplete, index)
    }

    private var isInExtension: Bool {
        switch state {
        case .blanks, .extensionName, .extensions: true
        default: false
        }
    }

    /// The state after one octet outside of data; nil if the octet is invalid there.
    private mutating func step(_ octet: UInt8) -> State? {
        switch state {
        case .size(let digits): return sizeStep(octet, digits)
        case .blanks:
            if octet == UInt8(ascii: ";") { return .extensionName }
            return octet.isBlank ? .blanks : nil
        case .extensionName:
            if octet.isBlank { return .extensionName }
            return OctetSet.token.contains(octet) ? .extensions : nil
        case .extensions:
            if octet == 0x0D { return .sizeLineFeed }
            return octet >= 0x20 && octet != 0x7F || octet == 0x09 ? .extensions : nil
        case .sizeLineFeed:
            guard octet == 0x0A else { return nil }
            lineBytes = 0
            return remaining == 0 ? .trailerStart : .data
        case .data, .end: return nil
        case .dataReturn: return octet == 0x0D ? .dataLineFeed : nil
        case .dataLineFeed:
            lineBytes = 0
            return octet == 0x0A ? .size(digits: 0) : nil
        case .trailerStart:
            if octet == 0x0D { return .endLineFeed }
            return OctetSet.token.contains(octet) ? .trailerName : nil
        case .trailerName:
            if octet == UInt8(ascii: ":") { return .trailer }
            return OctetSet.token.contains(octet) ? .trailerName : nil
        case .trailer:
            if octet == 0x0D { return .trailerLineFeed }
            return octet >= 0x20 && octet != 0x7F || octet == 0x09 ? .trailer : nil
        case .trailerLineFeed:
            return octet == 0x0A ? .trailerStart : nil
        case .endLineFeed: return octet == 0x0A ? .end : nil
        }
    }

    private mutating func sizeStep(_ octet: UInt8, _ digits: Int) -> State? {
        if let value = octet.hexadecimalValue {
            guard digits < Self.longestSizeDigits else { return nil }
            remaining = (digits == 0 ? 0 : remaining) << 4 | Int(value)
            return .size(digits: digits + 1)
        }
        guard digits > 0 else { return nil }
        if octet == 0x0D { return .sizeLineFeed }
        if octet == UInt8(ascii: ";") { return .extensionName }
        // Blanks before an extension are "bad whitespace", which recipients accept
        // (RFC 9112 §7.1.1).
        return octet.isBlank ? .blanks : nil
    }
}
