// Keeps the series of all metrics, behind swift-metrics as the API.
//
// Invariant: only declared families exist, and each has a bounded number of series, so that no peer
// can make the registry grow. Making a series takes a lock; recording to one doesn't. Left out: the
// text that a scraper reads (`MetricRegistry+Text`).

import CoreMetrics
import Synchronization

/// The metrics of one program.
package final class MetricRegistry: MetricsFactory {
    /// The value of a series.
    enum Series {
        case counter(CounterSeries)
        case gauge(GaugeSeries)
        case histogram(HistogramSeries, scale: Double)
    }

    let families: [MetricFamily]
    private let kinds: [String: MetricFamily.Kind]
    /// The series of each family by their labels in the text format.
    private let series = Mutex<[String: [String: Series]]>([:])

    /// Makes a registry of these families; metrics of other names are ignored.
    package init(_ families: [MetricFamily]) {
        self.families = families
        kinds = Dictionary(families.map { ($0.name, $0.kind) }) { first, _ in first }
    }

    /// The series of a family, by labels.
    func series(of family: String) -> [(labels: String, series: Series)] {
        series.withLock { $0[family] ?? [:] }.map { ($0.key, $0.value) }
            .sorted { $0.labels < $1.labels }
    }

    /// The series with these labels, made if it doesn't exist; nil for an undeclared family.
    private func entry(_ label: String, _ dimensions: [(String, String)]) -> Series? {
        guard let kind = kinds[label] else { return nil }
        return series.withLock { all in
            var labels = Self.text(of: dimensions)
            let known = all[label]?[labels]
            if let known { return known }
            if all[label]?.count ?? 0 >= Limits.series {
                labels = Self.text(of: dimensions.map { ($0.0, "other") })
                if let shared = all[label]?[labels] { return shared }
            }
            let made: Series =
                switch kind {
                case .counter: .counter(CounterSeries())
                case .gauge: .gauge(GaugeSeries())
                case .histogram(let bounds): .histogram(HistogramSeries(upTo: bounds), scale: 1)
                case .durations(let bounds): .histogram(HistogramSeries(upTo: bounds), scale: 1e9)
                }
            all[label, default: [:]][labels] = made
            return made
        }
    }

    // MARK: MetricsFactory

    package func makeCounter(label: String, dimensions: [(String, String)]) -> CounterHandler {
        guard case .counter(let counter)? = entry(label, dimensions) else {
            return NOOPMetricsHandler.instance
        }
        return counter
    }

    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> RecorderHandler {
        switch entry(label, dimensions) {
        case .gauge(let gauge)?: gauge
        case .histogram(let histogram, _)?: histogram
        case .counter?, nil: NOOPMetricsHandler.instance
        }
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> TimerHandler {
        guard case .histogram(let histogram, _)? = entry(label, dimensions) else {
            return NOOPMetricsHandler.instance
        }
        return histogram
    }

    // A series keeps its value for as long as the process runs, as Prometheus expects of counters.

    package func destroyCounter(_ handler: CounterHandler) {}

    package func destroyRecorder(_ handler: RecorderHandler) {}

    package func destroyTimer(_ handler: TimerHandler) {}
}
