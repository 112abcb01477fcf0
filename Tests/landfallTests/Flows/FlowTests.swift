// What became of a launch, by the records of its flow.

import Clocks
import JSON
import Testing

@testable import ResultAPI
@testable import ResultStore
@testable import Server

@Suite struct FlowTests {
    /// A message of a flow: its contract, with its kind at the end, its outcome, and seconds after the flow's beginning.
    private typealias Message = (contract: String, outcome: String?, at: Int64)

    private static let launch: Message = ("flux-launch", nil, 0)

    private static let start = Timestamp(unixMilliseconds: 1_795_241_580_000)

    /// - Parameter making: whether the first message is a link that was made, and not opened.
    private static func flow(
        _ messages: [Message], now: Int64 = 60, patience: Duration = .seconds(600),
        making: Bool = false, decision: Int? = nil, inboxes: [Int: String] = [:],
        comesBack: Bool = true, refused: Int? = nil, redecoded: Int? = nil
    ) -> Flow {
        let messages = messages.enumerated().map { index, message in
            let moment = moment(message.at)
            let (kind, contract) = RecordKind.derived(from: message.contract)
            let facts = RecordFacts(
                sequence: index == redecoded ? 100 : index + 1, id: RecordID(at: moment),
                receivedAt: moment, kind: kind,
                inbox: inboxes[index] ?? "default", vendor: "dimmy", contract: contract,
                outcome: message.outcome, verdict: "decoded", flow: "f",
                method: index == decision ? "POST" : "GET", host: "h",
                path: making && index == 0 ? "/api/v1/launches" : "/",
                fields: FieldValues(count: 0), words: "")
            let text = #"{"request":{"target":"\#(message.contract) \#(message.outcome ?? "")"}}"#
            let record = try? JSONDocument(parsing: Array(text.utf8))
            return Flow.Message(
                facts: facts, digest: record.flatMap { CallbackDigest(ofRecord: $0.root) },
                comesBack: comesBack, wasRefused: index == refused,
                isRedecoded: index == redecoded)
        }
        return Flow(id: "f", messages.shuffled(), now: moment(now), patience: patience)
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
        // Another callback changes nothing.
        ([launch, ("flux", "completed", 5), ("flux", "cancelled", 6)], 60, .returned),
        ([launch, ("flux", "completed", 601)], 700, .lost),
        ([launch, ("flux-webhook", "completed", 5)], 60, .launched),
        ([("flux", "completed", 5), ("flux", "cancelled", 6)], 60, .orphan),
        // Opened again: the time until it counts as lost starts again.
        ([launch, ("flux-launch", nil, 500)], 900, .launched),
        // An import brought an earlier opening.
        ([launch, ("flux-launch", nil, -900)], 60, .launched),
        ([launch, ("flux-launch", nil, -900), ("flux", "completed", 5)], 60, .returned),
    ]

    @Test(arguments: states.indices)
    func theStateFollowsFromTheMessages(index: Int) {
        let (messages, now, expected) = Self.states[index]
        #expect(Self.flow(messages, now: now).state == expected)
    }

    @Test func aLaunchFromWhichNoAppComesBackIsNeverLost() {
        #expect(Self.flow([Self.launch], now: 100_000, comesBack: false).state == .launched)
        let late: [Message] = [Self.launch, ("flux", "completed", 5000)]
        #expect(Self.flow(late, now: 100_000, comesBack: false).state == .returned)
    }

    @Test func latencyCountsFromTheFirstOpeningToTheCallbackThatEndedIt() {
        let messages: [Message] = [
            Self.launch, ("flux-launch", nil, 3), ("flux-launch", nil, 10),
            ("ailet-deeplink", "in_progress", 11), ("flux", "completed", 13),
            ("flux-launch", nil, 20), ("flux", "completed", 21),
        ]
        #expect(Self.flow(messages).latency == 13_000)
        #expect(Self.flow(messages, making: true).latency == 10_000)
        #expect(Self.flow([Self.launch]).latency == nil)
        #expect(Self.flow([("flux", "completed", 5)]).latency == nil)
    }

    @Test func timesInAnotherOrderHaveNoLatency() {
        let messages: [Message] = [
            Self.launch, ("flux-launch", nil, 10), ("flux-launch", nil, 3),
            ("flux", "completed", 5),
        ]
        let flow = Self.flow(messages, making: true, decision: 2)
        #expect(flow.state == .returned)
        #expect(flow.latency == nil && flow.decisionMilliseconds == nil)
    }

    @Test func theTimeOfAPersonIsApart() {
        let messages: [Message] = [
            Self.launch, ("flux-launch", nil, 3), ("flux-launch", nil, 10),
            ("flux", "completed", 13),
        ]
        let flow = Self.flow(messages, making: true, decision: 2)
        #expect(flow.decisionMilliseconds == 7000 && flow.latency == 10_000)
        #expect(Self.flow(messages, making: true).decisionMilliseconds == nil)
    }

    @Test func recordsOfOtherInboxesAreNoneOfTheFlows() {
        let flow = Self.flow(
            [Self.launch, ("flux", "completed", 5), ("flux", "cancelled", 6)],
            inboxes: [0: "team-a", 1: "team-b", 2: "team-a"])
        #expect(flow.inbox == "team-a" && flow.callbackCount == 1)
        #expect(flow.end?.facts.outcome == "cancelled")
    }

    @Test func progressBehindTheEndIsOutOfOrder() {
        let progress: Message = ("ailet-deeplink", "in_progress", 5)
        let end: Message = ("ailet-deeplink", "completed", 6)
        #expect(!Self.flow([Self.launch, progress, end]).isOutOfOrder)
        #expect(Self.flow([Self.launch, end, progress]).isOutOfOrder)
    }

    @Test func aRefusedDeliveryNeitherEndsAFlowNorAnswersIt() {
        let forged: Message = ("flux", "completed", 5)
        let flow = Self.flow([Self.launch, forged], refused: 1)
        #expect(flow.state == .launched && flow.answer == nil && flow.callbackCount == 1)
        let genuine: Message = ("flux", "cancelled", 6)
        let ended = Self.flow([Self.launch, forged, genuine], refused: 1)
        #expect(ended.state == .returned && ended.answer?.facts.outcome == "cancelled")
    }

    @Test func decodingAgainKeepsTheOrderOfArrival() {
        let progress: Message = ("ailet-deeplink", "in_progress", 5)
        let end: Message = ("ailet-deeplink", "completed", 6)
        #expect(!Self.flow([Self.launch, progress, end], redecoded: 1).isOutOfOrder)
        let repeated: Message = ("ailet-deeplink", "completed", 9)
        let flow = Self.flow([Self.launch, end, repeated], redecoded: 1)
        #expect(flow.latency == 6000 && flow.state == .duplicate)
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
