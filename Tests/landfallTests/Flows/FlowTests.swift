// What became of a launch, by the records of its flow.

import Clocks
import ResultStore
import Testing

@testable import landfall

@Suite struct FlowTests {
    /// A message of a flow: its contract, with its kind at the end, its outcome, and seconds after the flow's beginning.
    private typealias Message = (contract: String, outcome: String?, at: Int64)

    private static let launch: Message = ("flux-launch", nil, 0)

    private static let start = Timestamp(unixMilliseconds: 1_795_241_580_000)

    private static func flow(
        _ messages: [Message], now: Int64 = 60, patience: Duration = .seconds(600)
    ) -> Flow {
        let facts = messages.enumerated().map { index, message in
            let moment = moment(message.at)
            let (kind, contract) = RecordKind.derived(from: message.contract)
            return RecordFacts(
                sequence: index + 1, id: RecordID(at: moment), receivedAt: moment, kind: kind,
                inbox: "default", vendor: "dimmy", contract: contract,
                outcome: message.outcome, verdict: "decoded", flow: "f", method: "GET", host: "h",
                path: "/", fields: [], words: "")
        }
        return Flow(id: "f", facts.shuffled(), now: moment(now), patience: patience)
    }

    private static func moment(_ seconds: Int64) -> Timestamp {
        Timestamp(unixMilliseconds: start.unixMilliseconds + seconds * 1000)
    }

    private static let states: [([Message], Int64, Flow.State)] = [
        ([launch], 60, .launched),
        ([launch], 601, .lost),
        ([launch, ("flux", "completed", 5)], 60, .returned),
        ([launch, ("flux", "completed", 5)], 6000, .returned),
        ([launch, ("flux", "cancelled", 5)], 60, .returned),
        ([launch, ("flux", nil, 5)], 60, .returned),
        ([launch, ("ailet-deeplink", "in_progress", 5)], 60, .launched),
        ([launch, ("ailet-deeplink", "in_progress", 5)], 700, .lost),
        (
            [launch, ("ailet-deeplink", "in_progress", 5), ("ailet-deeplink", "completed", 9)], 60,
            .returned
        ),
        ([launch, ("flux", "completed", 5), ("flux", "completed", 6)], 60, .duplicate),
        ([("flux", "completed", 5)], 60, .orphan),
        ([("flux", "completed", 5), ("flux", "completed", 6)], 60, .duplicate),
        ([launch, ("flux-webhook-delivery", nil, 5)], 60, .launched),
        // Opened again: the patience begins anew.
        ([launch, ("flux-launch", nil, 500)], 900, .launched),
    ]

    @Test(arguments: states.indices)
    func theStateFollowsFromTheMessages(index: Int) {
        let (messages, now, expected) = Self.states[index]
        #expect(Self.flow(messages, now: now).state == expected)
    }

    @Test func latencyCountsFromTheLaunchThatWasAnsweredToTheFirstFinalCallback() {
        let flow = Self.flow([
            Self.launch, ("flux-launch", nil, 10), ("ailet-deeplink", "in_progress", 11),
            ("flux", "completed", 13), ("flux-launch", nil, 20), ("flux", "completed", 21),
        ])
        #expect(flow.latency == 3000)
        #expect(Self.flow([Self.launch]).latency == nil)
        #expect(Self.flow([("flux", "completed", 5)]).latency == nil)
    }

    @Test func progressBehindTheEndIsOutOfOrder() {
        let progress: Message = ("ailet-deeplink", "in_progress", 5)
        let end: Message = ("ailet-deeplink", "completed", 6)
        #expect(!Self.flow([Self.launch, progress, end]).isOutOfOrder)
        #expect(Self.flow([Self.launch, end, progress]).isOutOfOrder)
    }

    @Test func percentilesAreNearestRanks() {
        var line = FlowReport.Line()
        #expect(line.latency(0.5) == nil)
        line.latencies = [40, 10, 30, 20]
        #expect(line.latency(0.5) == 20)
        #expect(line.latency(0.9) == 40)
        line.latencies = Array(1...100)
        #expect(line.latency(0.5) == 50)
        #expect(line.latency(0.9) == 90)
        #expect(line.latency(0.99) == 99)
    }

    @Test func theReportCountsByVendorAndNamesWhatNeedsALook() {
        var report = FlowReport()
        report.add(Self.flow([Self.launch, ("flux", "completed", 5)]))
        report.add(Self.flow([Self.launch], now: 700))
        report.add(Self.flow([("flux", "completed", 5)]))
        let line = report.lines["dimmy"]
        #expect(line?.counts == [.returned: 1, .lost: 1, .orphan: 1])
        #expect(line?.latencies == [5000])
        #expect(report.examples == [.lost: ["f"], .orphan: ["f"]])
    }
}
