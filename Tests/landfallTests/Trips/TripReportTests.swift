// Whether a trip ended as its scenario says, by what was sent, how that was received, and the flow.

import Emulator
import JSON
import Testing
import Text
import Vendors

@testable import landfall

@Suite struct TripReportTests {
    private static let flow = "019a9a3c-1d2e-7f30-8a4b-5c6d7e8f9a0b"

    /// A callback that was sent, and how it was answered.
    private static func step(
        _ outcome: Outcome?, status: Int = 201, isFormer: Bool = false, flow: String? = Self.flow
    ) throws -> TripStep {
        let text = """
            {"url":"http://localhost/","after_ms":0,"outcome":\(outcome.map { "\"\($0)\"" } ?? "null"),\
            "former":\(isFormer)}
            """
        let node = try JSONDocument(parsing: Array(text.utf8)).root
        var step = try #require(TripStep(node))
        step.reply = (status, flow)
        return step
    }

    private static func problems(
        _ scenario: Scenario, _ steps: [TripStep], _ found: String
    ) throws -> [String] {
        let plan = TripPlan(contract: .flux, scenario: scenario, seed: 1, inbox: "trips")
        let root = try JSONDocument(parsing: Array(found.utf8)).root
        return TripReport(plan: plan, link: "", flow: flow, steps: steps, found: root).problems
    }

    @Test func nothingThatTheServerReportsControlsTheTerminal() throws {
        let escape = #"\u001b[2J"#
        let found = #"""
            {"state":"a\#(escape)","callbacks":1,"outcome":"b\#(escape)","messages":[\#
            {"kind":"callback","outcome":"c\#(escape)","verdict":"d\#(escape)"}]}
            """#
        let report = TripReport(
            plan: TripPlan(contract: .flux, scenario: .completed, seed: 1, inbox: "trips"),
            link: "", flow: Self.flow, steps: [try Self.step(.completed)],
            found: try JSONDocument(parsing: Array(found.utf8)).root)
        let text = report.text(TerminalStyle(isColored: false))
        #expect(text.contains("c?[2J · d?[2J") && text.contains("The flow is a?[2J"))
        #expect(!text.unicodeScalars.contains("\u{1B}"))
    }

    private static func failed(_ reason: String) -> String {
        """
        {"state":"returned","callbacks":1,"outcome":"error","messages":[\
        {"kind":"launch"},{"kind":"callback","record":{"result":{"error":"\(reason)"}}}]}
        """
    }

    @Test func anotherErrorThanTheOneThatWasSentIsAProblem() throws {
        let steps = [try Self.step(.error)]
        let scenario = Scenario.error(code: "not_logged_in")
        #expect(try Self.problems(scenario, steps, Self.failed("not_logged_in")).isEmpty)
        #expect(
            try Self.problems(scenario, steps, Self.failed("flow_unavailable"))
                == ["The error is flow_unavailable; not_logged_in was sent."])
        #expect(
            try Self.problems(.error(code: nil), steps, Self.failed("flow_unavailable")).isEmpty)
    }

    @Test(arguments: [(201, true), (422, false), (500, false), (401, false)])
    func aCallbackThatWasNotTakenIsAProblem(status: Int, isRight: Bool) throws {
        let found = #"{"state":"returned","callbacks":1,"outcome":"completed","messages":[]}"#
        let steps = [try Self.step(.completed, status: status)]
        #expect(try Self.problems(.completed, steps, found).isEmpty == isRight)
    }

    @Test func aCallbackWithoutAnOutcomeMayBeUndecodable() throws {
        let found = #"{"state":"returned","callbacks":1,"messages":[]}"#
        #expect(try Self.problems(.empty, [Self.step(nil, status: 422)], found).isEmpty)
        #expect(try !Self.problems(.empty, [Self.step(nil, status: 507)], found).isEmpty)
    }

    @Test func aFormerLaunchsAnswerBelongsToAnotherFlow() throws {
        let found = #"{"state":"launched","callbacks":0,"messages":[]}"#
        let other = [try Self.step(.completed, isFormer: true, flow: "other")]
        #expect(try Self.problems(.stale, other, found).isEmpty)
        let own = [try Self.step(.completed, isFormer: true)]
        #expect(
            try Self.problems(.stale, own, found)
                == ["The callback of an earlier launch arrived in this flow."])
    }
}
