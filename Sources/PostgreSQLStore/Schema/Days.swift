// Partitions of results: one for each UTC day.

import Clocks
import ResultStore

/// A UTC day, by the number of days since 1970-01-01.
struct Day: Hashable, Comparable, Sendable {
    let number: Int64

    static let milliseconds: Int64 = 86_400_000

    init(_ moment: Timestamp) {
        let (day, rest) = moment.unixMilliseconds.quotientAndRemainder(
            dividingBy: Self.milliseconds)
        number = rest < 0 ? day - 1 : day
    }

    init(number: Int64) { self.number = number }

    func advanced(by days: Int64) -> Day { Day(number: number + days) }

    var start: Timestamp { Timestamp(unixMilliseconds: number * Self.milliseconds) }

    static func < (left: Day, right: Day) -> Bool { left.number < right.number }

    /// The name of its partition, such as `results_2026_11_21`.
    var partition: String {
        var text: [UInt8] = []
        start.appendDay(to: &text)
        return "results_" + String(decoding: text, as: UTF8.self).replacing("-", with: "_")
    }

    /// The day of a partition; nil for another table.
    init?(partition: String) {
        guard partition.hasPrefix("results_") else { return nil }
        let text = partition.dropFirst("results_".count).replacing("_", with: "-")
        guard let start = Timestamp("\(text)T00:00:00Z".utf8) else { return nil }
        self.init(start)
    }

    /// Makes its partition if it is missing.
    var begin: Statement {
        Statement(
            sql: "SELECT begin_day($1, $2, $3)",
            parameters: [
                .text(partition), .integer(Place.start(start)),
                .integer(Place.start(advanced(by: 1).start)),
            ], isKept: true)
    }
}
