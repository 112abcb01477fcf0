// The registry behind swift-metrics: what scrapers read, and the bounds on what it keeps.

import CoreMetrics
import Testing

@testable import Telemetry

@Suite struct MetricRegistryTests {
    private func text(
        _ families: [MetricFamily], _ samples: [MetricSample] = [],
        _ record: (MetricRegistry) -> Void = { _ in }
    ) -> String {
        let registry = MetricRegistry(families)
        record(registry)
        return String(decoding: registry.text(with: samples), as: UTF8.self)
    }

    @Test func aCounterIsShownWithItsLabels() {
        let text = text([MetricFamily("a_total", .counter, "All a.")]) { registry in
            for name in ["x", "y", "x"] {
                Counter(label: "a_total", dimensions: [("name", name)], factory: registry)
                    .increment()
            }
        }
        #expect(
            text == """
                # HELP a_total All a.
                # TYPE a_total counter
                a_total{name="x"} 2
                a_total{name="y"} 1

                """)
    }

    @Test func aTimerIsShownInSecondsAndItsBucketsAddUp() {
        let family = MetricFamily("t_seconds", .durations(upTo: [1_000_000, 2_500_000_000]), "T.")
        let text = text([family]) { registry in
            let timer = Timer(label: "t_seconds", factory: registry)
            for milliseconds in [1, 2, 500, 10_000] { timer.recordMilliseconds(milliseconds) }
        }
        #expect(
            text == """
                # HELP t_seconds T.
                # TYPE t_seconds histogram
                t_seconds_bucket{le="0.001"} 1
                t_seconds_bucket{le="2.5"} 3
                t_seconds_bucket{le="+Inf"} 4
                t_seconds_sum 10.503
                t_seconds_count 4

                """)
    }

    @Test func aRecorderCountsWholeNumbersByTheirSize() {
        let text = text([MetricFamily("n", .histogram(upTo: [1, 8]), "N.")]) { registry in
            let recorder = Recorder(
                label: "n", dimensions: [("of", "a")], factory: registry)
            for number in [1, 8, 9] { recorder.record(number) }
        }
        #expect(text.contains(#"n_bucket{of="a",le="8"} 2"#))
        #expect(text.contains(#"n_sum{of="a"} 18"#))
        #expect(text.contains(#"n_count{of="a"} 3"#))
    }

    @Test func aGaugeShowsItsLastValue() {
        let text = text([MetricFamily("g", .gauge, "G.")]) { registry in
            let gauge = Gauge(label: "g", factory: registry)
            gauge.record(3)
            gauge.record(0.25)
        }
        #expect(text.hasSuffix("\ng 0.25\n"))
    }

    @Test func samplesAreShownBesideWhatWasRecorded() {
        let text = text(
            [MetricFamily("g", .gauge, "G.")],
            [MetricSample("g", [("of", "now")], 7), MetricSample("unknown", [], 1)])
        #expect(text.hasSuffix("\ng{of=\"now\"} 7\n"))
        #expect(!text.contains("unknown"))
    }

    @Test func aFamilyWithoutValuesIsNamedAllTheSame() {
        #expect(
            text([MetricFamily("g", .gauge, "G.")]) == "# HELP g G.\n# TYPE g gauge\n")
    }

    @Test func labelsAndHelpTextsCannotBreakTheLine() {
        let text = text([MetricFamily("a_total", .counter, "One\ntwo \\ three")]) { registry in
            Counter(
                label: "a_total", dimensions: [("name", "\"\n\\")], factory: registry
            ).increment()
        }
        #expect(text.contains(#"# HELP a_total One\ntwo \\ three"#))
        #expect(text.contains(#"a_total{name="\"\n\\"} 1"#))
        #expect(text.split(separator: "\n").count == 3)
    }

    @Test func metricsThatWereNotDeclaredAreIgnored() {
        let text = text([MetricFamily("a_total", .counter, "A.")]) { registry in
            Counter(label: "b_total", factory: registry).increment()
            Timer(label: "a_total", factory: registry).recordSeconds(1)
            Gauge(label: "a_total", factory: registry).record(1)
        }
        #expect(text == "# HELP a_total A.\n# TYPE a_total counter\na_total 0\n")
    }

    @Test func aFamilyHasABoundedNumberOfSeries() {
        let text = text([MetricFamily("a_total", .counter, "A.")]) { registry in
            for number in 0..<Limits.series + 10 {
                Counter(label: "a_total", dimensions: [("n", "\(number)")], factory: registry)
                    .increment()
            }
        }
        #expect(text.contains(#"a_total{n="other"} 10"#))
        #expect(text.split(separator: "\n").count == 2 + Limits.series + 1)
    }

    @Test func threadsThatCountTheSameSeriesLoseNothing() async {
        let registry = MetricRegistry([
            MetricFamily("a_total", .counter, "A."),
            MetricFamily("t_seconds", .durations(upTo: [10]), "T."),
        ])
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1000 {
                        Counter(label: "a_total", factory: registry).increment()
                        Timer(label: "t_seconds", factory: registry).recordNanoseconds(20)
                    }
                }
            }
        }
        let text = String(decoding: registry.text(), as: UTF8.self)
        #expect(text.contains("\na_total 8000\n"))
        #expect(text.contains("\nt_seconds_count 8000\n"))
    }
}
