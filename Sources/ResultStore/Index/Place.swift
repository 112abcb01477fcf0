// The order of results in one integer: time of receipt, then number. A record that is decoded again
// keeps its place.
//
// It is the row id of the index. Every index and every list of words therefore ends in this order,
// and a page of any filter is read without sorting.

import Clocks

/// A record's position among all others: milliseconds, then the low bits of its number.
package enum Place {
    /// Number of low bits of a place that hold the low bits of a record's number.
    ///
    /// They distinguish 1,048,576 records of one millisecond; the remaining bits last beyond the
    /// year 2200.
    package static let numberBits: Int64 = 20

    /// Those bits.
    package static let numberMask: Int64 = 1 << numberBits - 1

    /// The place of a record; if it is taken, the index uses the next one.
    static func of(_ receivedAt: Timestamp, _ sequence: Int) -> Int64 {
        start(receivedAt) | Int64(sequence) & numberMask
    }

    /// The number of a record's first line, from its place and the number of its line now.
    ///
    /// Too high if more than a million numbers are between the two.
    package static func firstNumber(at place: Int64, of sequence: Int) -> Int {
        sequence - Int((Int64(sequence) &- place) & numberMask)
    }

    /// The first place of a millisecond.
    package static func start(_ moment: Timestamp) -> Int64 {
        let limit = Int64.max >> numberBits
        return min(max(moment.unixMilliseconds, -limit), limit) << numberBits
    }

    /// The first place of the next millisecond.
    package static func end(_ moment: Timestamp) -> Int64 {
        start(Timestamp(unixMilliseconds: moment.unixMilliseconds + 1))
    }

    /// The time of receipt that a place contains.
    package static func moment(_ place: Int64) -> Timestamp {
        Timestamp(unixMilliseconds: place >> numberBits)
    }
}
