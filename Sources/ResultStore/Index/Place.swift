// The order of results: by the time of receiving, then by number, in one integer.
//
// It is the row id of the index, so that every index and every list of words ends in this order, and
// a page of any filter is read off without sorting.

import Clocks

/// Where a record stands among all others: milliseconds, then the low bits of its number.
enum Place {
    /// 20 bits tell 1,048,576 records of one millisecond apart; what remains lasts beyond the year
    /// 2200.
    private static let numberBits: Int64 = 20

    /// The place of a record; the index moves it on where it is taken.
    static func of(_ receivedAt: Timestamp, _ sequence: Int) -> Int64 {
        start(receivedAt) | Int64(sequence) & (1 << numberBits - 1)
    }

    /// The first place of a moment.
    static func start(_ moment: Timestamp) -> Int64 {
        let limit = Int64.max >> numberBits
        return min(max(moment.unixMilliseconds, -limit), limit) << numberBits
    }

    /// The first place of the next millisecond.
    static func end(_ moment: Timestamp) -> Int64 {
        start(Timestamp(unixMilliseconds: moment.unixMilliseconds + 1))
    }

    /// The moment of a place.
    static func moment(_ place: Int64) -> Timestamp {
        Timestamp(unixMilliseconds: place >> numberBits)
    }
}
