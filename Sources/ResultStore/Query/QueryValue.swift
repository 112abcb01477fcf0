// What a query compares with.

import Clocks

/// A value that a query asks for.
package enum QueryValue: Sendable, Hashable {
    /// For text fields; an `id` is the 36 characters in lower case.
    case text(String)
    /// For number fields; finite.
    case number(Double)
    /// For `seq`.
    case integer(Int)
    /// For `received_at`; of the years 0000 to 9999.
    case time(Timestamp)
    /// For flags.
    case flag(Bool)
}
