// Base64 as the vendors write it: both alphabets, with and without padding (RFC 4648 §4 and §5).
//
// The rules are the vendor document's (Dimmy and Flux callbacks): trim; a space is a plus sign that
// a form decoder changed; `-_` are `+/`; `=` is dropped. Anything else is an error with its offset.

import JSON

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
                decodeGroups(of: text, from: &index, into: &octets, from: &count)
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

    /// Decodes letters and digits eight at a time, up to the first group with any other character.
    ///
    /// That covers most of a text: in Base64 of JSON, even `+` and `/` are rare.
    private static func decodeGroups(
        of text: Span<UInt8>, from index: inout Int, into octets: inout [UInt8],
        from count: inout Int
    ) {
        var output = octets.mutableSpan
        var (place, end) = (index, count)
        while text.count - place >= 8, output.count - end >= 6,
            let values = values(of: text.word(at: place))
        {
            // The first value is in the lowest byte: combine 12 bits from two values, then 24 from
            // four.
            let pairs = values >> 8 & 0x003F_003F_003F_003F | (values & 0x003F_003F_003F_003F) << 6
            let fours = pairs >> 16 & 0x0000_0FFF_0000_0FFF | (pairs & 0x0000_0FFF_0000_0FFF) << 12
            // Last first: its bounds check covers the others.
            output[end &+ 5] = UInt8(truncatingIfNeeded: fours >> 32)
            output[end &+ 4] = UInt8(truncatingIfNeeded: fours >> 40)
            output[end &+ 3] = UInt8(truncatingIfNeeded: fours >> 48)
            output[end &+ 2] = UInt8(truncatingIfNeeded: fours)
            output[end &+ 1] = UInt8(truncatingIfNeeded: fours >> 8)
            output[end] = UInt8(truncatingIfNeeded: fours >> 16)
            end &+= 6
            place &+= 8
        }
        (index, count) = (place, end)
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
