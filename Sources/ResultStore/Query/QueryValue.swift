// The values that queries compare with.

import Clocks

/// A value in a query.
package enum QueryValue: Sendable {
    /// For text fields; an `id` is its 36 characters in lowercase.
    case text(String)
    /// For number fields; finite.
    case number(Double)
    /// For `seq`.
    case integer(Int)
    /// For `received_at`; the years 0000 to 9999.
    case time(Timestamp)
    /// For flags.
    case flag(Bool)
}

extension QueryValue {
    /// Whether both are of one ordered kind and this one is less than or equal to the other.
    func isAtMost(_ other: QueryValue) -> Bool {
        switch (self, other) {
        case (.number(let left), .number(let right)): left <= right
        case (.integer(let left), .integer(let right)): left <= right
        case (.time(let left), .time(let right)): left <= right
        default: false
        }
    }
}
