// Base64 as the vendors write it: both alphabets, with and without padding (RFC 4648 §4 and §5).
//
// The rules are the vendor document's (Dimmy and Flux callbacks): trim; a space is a plus sign that
// a form decoder changed; `-_` are `+/`; `=` is dropped. Anything else is an error with its offset.

import Text

/// Lenient Base64.
enum Base64Text {
    /// The result of decoding.
    enum Decoded {
        /// The bytes, and the index of the first space that was read as a plus sign.
        case octets([UInt8], repairedAt: Int?)
        /// The index of the first invalid character; the end if one is missing.
        case broken(at: Int)
    }

    /// Decodes `text`, in O(length).
    ///
    /// Indices in the result count from the start of `text`.
    static func decode(_ text: ArraySlice<UInt8>) -> Decoded {
        let trimmed = trim(text)
        return decode(trimmed.span, startingAt: trimmed.startIndex - text.startIndex)
    }

    /// Decodes `text`, which has no white space around it, in O(length).
    ///
    /// - Parameter start: its place in the text that indices in the result count from.
    static func decode(_ text: Span<UInt8>, startingAt start: Int = 0) -> Decoded {
        let table = values.span
        var octets = [UInt8](repeating: 0, count: text.count / 4 * 3 + 3)
        var (index, count, digits) = (0, 0, 0)
        var buffer: UInt32 = 0
        var repairedAt: Int?
        while index < text.count {
            if digits & 3 == 0 {
                groups.decode(text, from: &index, into: &octets, from: &count)
                if index == text.count { break }
            }
            var value = table[Int(text[index])]
            if value == space {
                repairedAt = repairedAt ?? start + index
                value = plus
            }
            index += 1
            if value == padding { continue }
            if value > 63 { return .broken(at: start + index - 1) }
            buffer = buffer << 6 | UInt32(value)
            digits += 1
            if digits & 3 != 1 {
                octets[count] = UInt8(truncatingIfNeeded: buffer >> octetShifts[digits & 3])
                count += 1
            }
        }
        if digits & 3 == 1 { return .broken(at: start + index) }
        octets.removeLast(octets.count - count)
        return .octets(octets, repairedAt: repairedAt)
    }

    /// The first place from `start` on that isn't followed by eight letters and digits, in steps of
    /// eight.
    static func endOfGroups(in text: Span<UInt8>, from start: Int) -> Int {
        var place = start
        while text.count - place >= 8, values(of: text.word(at: place)) != nil { place &+= 8 }
        return place
    }

    /// The values of eight letters and digits, each in the byte of its character; nil if there is
    /// any other character.
    ///
    /// Processes all eight at once, without a table and without branches.
    @inline(__always)
    private static func values(of digits: UInt64) -> UInt64? {
        let upper = marks(digits, from: UInt8(ascii: "A"), to: UInt8(ascii: "Z"))
        let lower = marks(digits, from: UInt8(ascii: "a"), to: UInt8(ascii: "z"))
        let decimal = marks(digits, from: UInt8(ascii: "0"), to: UInt8(ascii: "9"))
        guard (upper | lower | decimal) & ~digits & high == high else { return nil }
        // No byte borrows from the next one or carries into it.
        return digits &- upper >> 7 &* 65 &- lower >> 7 &* 71 &+ decimal >> 5
    }

    /// The highest bit of each byte between `first` and `last`; all bytes must be below 128.
    @inline(__always)
    private static func marks(_ bytes: UInt64, from first: UInt8, to last: UInt8) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        return (bytes &+ ones &* UInt64(128 - first)) & ~(bytes &+ ones &* UInt64(127 - last))
            & high
    }

    private static let high: UInt64 = 0x8080_8080_8080_8080

    /// The index in `text`, from its start, of the first character that encodes the byte `offset`.
    ///
    /// The end of the text for a byte after the last one; a byte needs two characters.
    static func sourceIndex(ofOctet offset: Int, in text: ArraySlice<UInt8>) -> Int {
        let trimmed = trim(text)
        var remaining = offset / 3 * 4 + offset % 3
        var first = trimmed.endIndex
        for index in trimmed.indices where isDigit(trimmed[index]) {
            if remaining < 0 { return first - text.startIndex }
            if remaining == 0 { first = index }
            remaining -= 1
        }
        return trimmed.endIndex - text.startIndex
    }

    /// Encodes in the standard alphabet with padding, or the URL alphabet without.
    static func encode(_ octets: some Sequence<UInt8>, urlSafe: Bool) -> [UInt8] {
        let alphabet = letters + Array((urlSafe ? "-_" : "+/").utf8)
        var text: [UInt8] = []
        var (buffer, bits): (UInt32, UInt32) = (0, 0)
        for octet in octets {
            (buffer, bits) = (buffer << 8 | UInt32(octet), bits + 8)
            while bits >= 6 {
                bits -= 6
                text.append(alphabet[Int(buffer >> bits & 63)])
            }
        }
        if bits > 0 { text.append(alphabet[Int(buffer << (6 - bits) & 63)]) }
        while !urlSafe, text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        return text
    }

    /// The 62 characters that both alphabets share.
    private static let letters = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    private static let groups = Base64Groups(values)

    private static let plus: UInt8 = 62
    private static let invalid: UInt8 = 64
    private static let padding: UInt8 = 65
    private static let space: UInt8 = 66

    /// Bit position of the next byte, by the number of characters read, modulo 4.
    private static let octetShifts: [UInt32] = [0, 0, 4, 2]

    /// The value of each byte as a Base64 character; more than 63 for invalid ones.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: invalid, count: 256)
        for (value, digit) in letters.enumerated() { values[Int(digit)] = UInt8(value) }
        for digit in "+-".utf8 { values[Int(digit)] = plus }
        for digit in "/_".utf8 { values[Int(digit)] = 63 }
        values[Int(UInt8(ascii: "="))] = padding
        values[Int(UInt8(ascii: " "))] = space
        return values
    }()

    private static func isDigit(_ byte: UInt8) -> Bool {
        values[Int(byte)] < invalid || byte == UInt8(ascii: " ")
    }

    static func trim(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = text
        while let byte = text.first, isWhitespace(byte) { text.removeFirst() }
        while let byte = text.last, isWhitespace(byte) { text.removeLast() }
        return text
    }

    private static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || 0x09...0x0D ~= byte
    }
}

/// Base64 in groups of four characters without escapes, padding or spaces.
///
/// A class, because its tables are large.
private final class Base64Groups: Sendable {
    // The 24 bits that a character gives in each place of a group, or `invalid`.
    private let first: InlineArray<256, UInt32>
    private let second: InlineArray<256, UInt32>
    private let third: InlineArray<256, UInt32>
    private let fourth: InlineArray<256, UInt32>

    private static let invalid: UInt32 = 1 << 31

    /// Takes the value of each character; more than 63 for invalid ones.
    init(_ values: [UInt8]) {
        func table(shiftedBy shift: UInt32) -> InlineArray<256, UInt32> {
            InlineArray { values[$0] > 63 ? Self.invalid : UInt32(values[$0]) << shift }
        }
        first = table(shiftedBy: 18)
        second = table(shiftedBy: 12)
        third = table(shiftedBy: 6)
        fourth = table(shiftedBy: 0)
    }

    /// Decodes two groups at a time, up to the first two with any other character.
    ///
    /// - Parameters:
    ///   - index: place of the next character.
    ///   - count: number of bytes decoded; `octets` has room for more.
    func decode(
        _ text: Span<UInt8>, from index: inout Int, into octets: inout [UInt8],
        from count: inout Int
    ) {
        var span = octets.mutableSpan
        // SAFETY: each byte that is written is a whole `UInt8`; the bounds are checked below.
        var output = unsafe span.mutableBytes
        var (place, end) = (index, count)
        // Eight bytes are written, of which six count.
        while text.count - place >= 8, output.byteCount - end >= 8 {
            let word = text.word(at: place)
            let (left, right) = (bits(word), bits(word >> 32))
            if (left | right) & Self.invalid != 0 { break }
            let bits = UInt64(left) << 40 | UInt64(right) << 16
            output.storeBytes(of: bits.bigEndian, toByteOffset: end, as: UInt64.self)
            end &+= 6
            place &+= 8
        }
        (index, count) = (place, end)
    }

    /// The bits of four characters, the first of which is in the lowest byte.
    @inline(__always)
    private func bits(_ word: UInt64) -> UInt32 {
        first[Int(word & 0xFF)] | second[Int(word >> 8 & 0xFF)] | third[Int(word >> 16 & 0xFF)]
            | fourth[Int(word >> 24 & 0xFF)]
    }
}
