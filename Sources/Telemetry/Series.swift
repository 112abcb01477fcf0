// The values of one series, as the handlers of swift-metrics.
//
// Invariant: recording takes no lock and allocates nothing. Orderings are relaxed: a reader may see
// the parts of a histogram at slightly different times.

import CoreMetrics
import Synchronization

/// A sum that only grows.
final class CounterSeries: CounterHandler {
    private let sum = Atomic<Int64>(0)

    var value: Int64 { sum.load(ordering: .relaxed) }

    func increment(by amount: Int64) { sum.wrappingAdd(amount, ordering: .relaxed) }

    func reset() { sum.store(0, ordering: .relaxed) }
}

/// The last value.
final class GaugeSeries: RecorderHandler {
    private let bits = Atomic<UInt64>(0)

    var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }
}

/// Counts of values by size.
final class HistogramSeries: RecorderHandler, TimerHandler {
    let bounds: [Int64]
    /// The first ones count the values up to each bound, the next one those above all.
    private let counts: InlineArray<32, Atomic<Int64>> = InlineArray { _ in Atomic(0) }
    private let total = Atomic<Int64>(0)

    /// - Parameter bounds: in ascending order, at most 31.
    init(upTo bounds: [Int64]) {
        precondition(bounds.count <= 31)
        self.bounds = bounds
    }

    /// The count of each bucket, and the sum of all values.
    var values: (counts: [Int64], sum: Int64) {
        (
            (0...bounds.count).map { counts[$0].load(ordering: .relaxed) },
            total.load(ordering: .relaxed)
        )
    }

    func record(_ value: Int64) {
        var index = 0
        while index < bounds.count, value > bounds[index] { index += 1 }
        counts[index].wrappingAdd(1, ordering: .relaxed)
        total.wrappingAdd(value, ordering: .relaxed)
    }

    func record(_ value: Double) { record(Int64(exactly: value.rounded()) ?? .max) }

    func recordNanoseconds(_ duration: Int64) { record(duration) }
}
