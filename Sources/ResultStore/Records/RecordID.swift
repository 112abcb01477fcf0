// UUID version 7 (RFC 9562 §5.7): ids that sort by their record's time of receipt.

import Clocks
import Text

/// A record's id.
package struct RecordID: Sendable, Hashable {
    /// The first eight octets: milliseconds, version and 12 random bits.
    package let high: UInt64
    /// The last eight octets: variant and 62 random bits.
    package let low: UInt64

    /// Makes an id for a time, with 74 bits from `generator`.
    init(at milliseconds: Int64, using generator: inout some RandomNumberGenerator) {
        let random = generator.next()
        high = UInt64(bitPattern: milliseconds) << 16 | 0x7000 | random >> 52
        low = 0x8000_0000_0000_0000 | generator.next() >> 2
    }

    /// Makes an id for a time, for a record or a flow.
    package init(at moment: Timestamp) {
        var generator = SystemRandomNumberGenerator()
        self.init(at: moment.unixMilliseconds, using: &generator)
    }

    /// The time in the id, in milliseconds since 1970-01-01T00:00:00Z: when its record was
    /// received.
    package var milliseconds: Int64 { Int64(high >> 16) }

    /// Whether version and variant are those of a UUIDv7.
    package var isVersion7: Bool { high >> 12 & 0xF == 7 && low >> 62 == 2 }

    /// Makes an id of its two halves.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Bytes of its text.
    static let textBytes = 36

    /// Parses the 36 characters of RFC 9562 §4; nil for anything else.
    package init?(_ text: some StringProtocol) {
        let octets = Array(text.utf8)
        guard octets.count == Self.textBytes else { return nil }
        var halves: (UInt64, UInt64) = (0, 0)
        var digits = 0
        for (index, octet) in octets.enumerated() {
            if Self.dashes.contains(index) {
                guard octet == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let value = octet.hexadecimalValue else { return nil }
            if digits < 16 {
                halves.0 = halves.0 << 4 | UInt64(value)
            } else {
                halves.1 = halves.1 << 4 | UInt64(value)
            }
            digits += 1
        }
        (high, low) = halves
    }

    /// Appends the 36 characters in lowercase.
    ///
    /// O(1).
    func append(to output: inout [UInt8]) {
        output.append(addingCapacity: Self.textBytes) { text in
            for index in 0..<16 {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    text.append(UInt8(ascii: "-"))
                }
                let half = index < 8 ? high : low
                let octet = UInt8(truncatingIfNeeded: half &>> UInt64(56 &- 8 &* (index & 7)))
                text.append(Hexadecimal.digit(octet &>> 4))
                text.append(Hexadecimal.digit(octet & 0xF))
            }
        }
    }

    private static let dashes = [8, 13, 18, 23]
}

extension RecordID: CustomStringConvertible {
    /// The 36 characters in lowercase.
    package var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(Self.textBytes)
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}
