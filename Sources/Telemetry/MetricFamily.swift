// What a metric is, declared once: its name, its help text and its kind. A registry shows the
// families that it was made with, and nothing else.

/// A declared metric; its series differ in their labels.
package struct MetricFamily: Sendable {
    /// How values are collected and shown.
    package enum Kind: Sendable {
        /// A sum that only grows.
        case counter
        /// The last value.
        case gauge
        /// Counts of values up to each bound, in ascending order, for a recorder of whole numbers.
        case histogram(upTo: [Int64])
        /// The same for a timer; the bounds are in nanoseconds, and shown in seconds.
        case durations(upTo: [Int64])
    }

    /// As Prometheus spells names: lowercase letters and `_`, with the unit at the end, then
    /// `_total` for counters.
    package let name: String
    /// One sentence for people.
    let help: String
    let kind: Kind

    package init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }

    /// The type in the text format.
    var typeName: String {
        switch kind {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram, .durations: "histogram"
        }
    }
}

/// A value that is read when metrics are shown, for state that another part of the program keeps.
package struct MetricSample: Sendable {
    let family: String
    let labels: [(String, String)]
    package let value: Double

    /// - Parameter family: the name of a declared gauge or counter.
    package init(_ family: String, _ labels: [(String, String)] = [], _ value: Double) {
        self.family = family
        self.labels = labels
        self.value = value
    }
}
