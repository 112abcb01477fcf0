// JSON in Base64 inside a longer text, as in Dimmy's links: decoded, redacted and encoded again.
//
// Invariant: only Base64 that begins like an object or array, or like Base64 of one, is decoded,
// and all of it: a part that is encoded again no longer fits the rest. So spaces and padding
// inside, which the decoders read as plus signs or skip, belong to it.
// Left out: Base64 of other texts, padding among the first three digits, and Base64 with escapes
// in it, which is found once they are removed.

import JSON
import Text

/// An object or array in Base64 within a longer text.
struct EncodedJSON {
    /// Shorter texts can't contain a name and a value.
    static let fewestDigits = 16

    /// Its range in the text.
    let range: Range<Int>

    /// The JSON text.
    let octets: [UInt8]

    /// Whether the bytes may be text; only the first of them count if the Base64 has spaces,
    /// because prose may follow it.
    let isText: Bool

    private let isURLSafe: Bool
    private let isPadded: Bool

    /// Decodes the text at `start`, where it begins, in O(its length); nil if it is something else.
    ///
    /// Ends at the first space or padding if that completes the JSON, or if the text after it isn't
    /// Base64 of text.
    ///
    /// - Parameter endOfRun: the end of its digits, and of those after spaces and padding.
    init?(_ text: Span<UInt8>, _ start: Int, endOfRun: Int) {
        var last = Self.endOfDigits(text, from: start)
        var decoded = Self.decode(text.extracting(start..<last))
        let hasMore =
            endOfRun > last && Self.isText(encodedIn: text.extracting(start..<endOfRun))
            && (try? JSONDocument(parsing: decoded ?? [])) == nil
        if hasMore {
            last = endOfRun
            decoded = Self.decode(text.extracting(start..<last))
        }
        let digits = text.extracting(start..<last)
        while last < text.count, last - start - digits.count < 2, text[last] == UInt8(ascii: "=") {
            last += 1
        }
        guard digits.count >= Self.fewestDigits, let octets = decoded else { return nil }
        self.octets = octets
        isText = hasMore || Self.isText(octets.span)
        isURLSafe = digits.indices.contains { index in
            digits[index] == UInt8(ascii: "-") || digits[index] == UInt8(ascii: "_")
        }
        isPadded = last > start + digits.count
        range = start..<last
    }

    /// Whether Base64 of an object or array, or Base64 of that, may begin at `start`.
    static func begins(_ text: Span<UInt8>, _ start: Int) -> Bool {
        text.count - start >= fewestDigits && hasBeginning(text, start)
    }

    /// Whether one of `beginnings` is at `start`, in O(1).
    static func hasBeginning(_ text: Span<UInt8>, _ start: Int) -> Bool {
        guard text.count - start >= 3 else { return false }
        let marks = Self.marks
        return marks[Int(text[start])].first & marks[Int(text[start + 1])].second
            & marks[Int(text[start + 2])].third != 0
    }

    /// The first three characters of Base64 of objects and arrays, of Base64 of that, and so on:
    /// one list for each layer.
    static let beginnings: [[[UInt8]]] = {
        var texts: [[UInt8]] = [[]]
        for _ in 0..<3 { texts = texts.flatMap { text in following(text).map { text + [$0] } } }
        // A byte order mark.
        texts.append([0xEF, 0xBB, 0xBF])
        return (0..<Limits.maximumUnescapedLayers).map { _ in
            let encoded = texts.map { Array(Base64Text.encode($0, urlSafe: true).prefix(3)) }
            texts = Array(Set(encoded))
            return texts
        }
    }()

    /// The bytes that may follow the beginning of an object or array, or of blanks before it.
    ///
    /// After a quotation mark only the two highest bits of a byte matter: one byte represents each
    /// value of them that a first byte can have.
    private static func following(_ text: [UInt8]) -> [UInt8] {
        let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
        return switch text.last(where: { $0 > 0x20 }) {
        case UInt8(ascii: "{"): blanks + Array("\"".utf8)
        case UInt8(ascii: "["): blanks + Array("\"{[-0123456789tfn".utf8)
        case UInt8(ascii: "\""): [0x20, 0x40, 0xC0]
        default: blanks + Array("{[".utf8)
        }
    }

    /// For each byte, a bit for each pair of characters in `beginnings`: whether the byte is first in
    /// it, whether it is second, and whether it may be third.
    private static let marks: [(first: UInt64, second: UInt64, third: UInt64)] = {
        var marks = [(first: UInt64, second: UInt64, third: UInt64)](
            repeating: (first: 0, second: 0, third: 0), count: 256)
        // There are 40.
        let pairs = Dictionary(grouping: beginnings.joined()) { Array($0.prefix(2)) }
        for (number, (pair, texts)) in pairs.enumerated() {
            let bit = UInt64(1) << UInt64(number)
            marks[Int(pair[0])].first |= bit
            marks[Int(pair[1])].second |= bit
            for text in texts { marks[Int(text[2])].third |= bit }
        }
        return marks
    }()

    /// Whether the first bytes at `start` may be text, in O(1): those of a picture that begins like
    /// JSON by chance are not.
    static func beginsAsText(_ text: Span<UInt8>, _ start: Int) -> Bool {
        let end = min(text.count, start + Limits.base64TextDigits)
        let digits = start..<endOfDigits(text.extracting(..<end), from: start)
        return isText(encodedIn: text.extracting(digits))
    }

    /// Whether the first of the bytes that Base64 gives may be text, in O(1).
    private static func isText(encodedIn digits: Span<UInt8>) -> Bool {
        decode(digits.extracting(first: Limits.base64TextDigits)).map { isText($0.span) } ?? true
    }

    /// Whether the Base64 at `start`, which gives `octets`, is searched as JSON.
    static func isSearched(_ text: Span<UInt8>, _ start: Int, as octets: [UInt8]) -> Bool {
        (start == 0 || !isInBase64URL(text[start - 1])) && begins(text, start)
            && isText(octets.span.extracting(first: Limits.base64TextDigits / 4 * 3))
            && isText(octets.span)
    }

    /// Whether no Base64 begins after `byte`.
    static func isInBase64URL(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    /// Whether few of the bytes are control characters, whatever the text's encoding.
    ///
    /// One byte in nine of random data is one; none of a JSON text is, apart from blanks (RFC 8259
    /// §7).
    private static func isText(_ text: Span<UInt8>) -> Bool {
        var (index, controls) = (0, 0)
        while index < text.count {
            // Most eight bytes contain none.
            if text.count - index >= 8, !mayHaveControl(text.word(at: index)) {
                index &+= 8
                continue
            }
            for place in index..<min(text.count, index + 8) where isControl(text[place]) {
                controls += 1
            }
            index &+= 8
        }
        return controls <= text.count / 50 + 1
    }

    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D
    }

    /// Whether one of eight bytes may be a control character.
    @inline(__always)
    private static func mayHaveControl(_ word: UInt64) -> Bool {
        // Such a byte borrows from its own highest bit, and possibly from later bytes.
        (word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080 != 0
    }

    /// The bytes of a text of digits, in O(its length); nil with other characters than digits,
    /// spaces and padding.
    static func decode(_ digits: Span<UInt8>) -> [UInt8]? {
        if case .octets(let octets, _) = Base64Text.decode(digits) { return octets }
        // A single extra character encodes nothing.
        guard !digits.isEmpty,
            case .octets(let octets, _) = Base64Text.decode(digits.extracting(droppingLast: 1))
        else { return nil }
        return octets
    }

    /// Encodes another text in the same form.
    func encode(_ text: [UInt8]) -> [UInt8] {
        var encoded = Base64Text.encode(text, urlSafe: isURLSafe)
        while !isPadded, encoded.last == UInt8(ascii: "=") { encoded.removeLast() }
        return encoded
    }

    /// The end of the digits that begin at `start`, in O(their number).
    static func endOfDigits(_ text: Span<UInt8>, from start: Int) -> Int {
        var end = start
        while true {
            // Most of it is letters and digits.
            end = Base64Text.endOfGroups(in: text, from: end)
            var rest = 8
            while rest > 0, end < text.count, isDigit(text[end]) {
                (end, rest) = (end &+ 1, rest - 1)
            }
            if rest > 0 { return end }
        }
    }

    /// The end of the digits that begin at `start`, and of those after spaces and padding, in
    /// O(their number).
    static func endOfRun(_ text: Span<UInt8>, from start: Int) -> Int {
        var (end, next) = (start, start)
        while true {
            let last = endOfDigits(text, from: next)
            if last == next { return end }
            (end, next) = (last, last)
            while next < text.count, isFiller(text[next]) { next += 1 }
        }
    }

    /// Whether the Base64 before `start` goes on after spaces and padding, if there are any: with a
    /// digit, as written or by an escape of this layer or a later one.
    ///
    /// O(1) without padding.
    static func goesOn(_ text: Span<UInt8>, from start: Int) -> Bool {
        var index = start
        while index < text.count {
            let octet = PercentEncoding.octet(text, at: index, end: text.count)
            switch octet ?? text[index] {
            case UInt8(ascii: " "), UInt8(ascii: "="): index += octet == nil ? 1 : 3
            case UInt8(ascii: "%"): return octet != nil
            // An escaped `/` or `+` in a string of JSON.
            case UInt8(ascii: "\\"):
                return octet != nil
                    || index + 1 < text.count && "/u\\".utf8.contains(text[index + 1])
            case let byte: return isDigit(byte)
            }
        }
        return false
    }

    /// Whether the decoders read `byte` within Base64 as a plus sign, or skip it.
    static func isFiller(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "=")
    }

    /// Whether `byte` is a digit of either alphabet.
    static func isDigit(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}
