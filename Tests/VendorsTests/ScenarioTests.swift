// Scenarios as text, and what is said of those that can't be had.
// Left out: what the vendors' apps answer; that is in `EmulationTests`.

import Testing

@testable import Vendors

@Suite("Scenarios")
struct ScenarioTests {
    private static let texts: [(String, Scenario)] = [
        ("completed", .completed), ("cancelled", .cancelled), ("error", .error(code: nil)),
        ("error:not_logged_in", .error(code: "not_logged_in")), ("error:13", .error(code: "13")),
        ("error:a:b", .error(code: "a:b")), ("in_progress", .inProgress), ("empty", .empty),
        ("silent", .silent), ("delayed:500ms", .delayed(milliseconds: 500)),
        ("delayed:3s", .delayed(milliseconds: 3000)), ("delayed:0s", .delayed(milliseconds: 0)),
        ("delayed:2m", .delayed(milliseconds: 120_000)),
        ("delayed:61s", .delayed(milliseconds: 61_000)),
        ("delayed:10m", .delayed(milliseconds: 600_000)), ("duplicate:2", .duplicate(count: 2)),
        ("duplicate:100", .duplicate(count: 100)), ("out_of_order", .outOfOrder),
        ("stale", .stale), ("malformed:url", .malformed(.url)),
        ("malformed:form", .malformed(.form)), ("malformed:body", .malformed(.body)),
        ("malformed:percent", .malformed(.percent)), ("malformed:base64", .malformed(.base64)),
        ("malformed:utf8", .malformed(.utf8)), ("malformed:json", .malformed(.json)),
        ("malformed:model", .malformed(.model)), ("huge", .huge),
    ]

    @Test("are read and written as the same text", arguments: texts)
    func text(text: String, scenario: Scenario) throws {
        #expect(try Scenario(parsing: text) == scenario)
        #expect(Scenario(text) == scenario)
        #expect(scenario.description == text)
    }

    @Test(
        "take durations in several units",
        arguments: [("120s", "2m"), ("3000ms", "3s"), ("0ms", "0s"), ("600000ms", "10m")])
    func durations(written: String, shortest: String) {
        #expect(Scenario("delayed:\(written)")?.description == "delayed:\(shortest)")
    }

    @Test("say what the contract has, with its forms")
    func scenariosOfContract() throws {
        let error = try #require(throws: ScenarioError.self) {
            try Scenario(parsing: "in_progres", of: .welltoryDDS)
        }
        #expect(error.possible == VendorApp.scenarios(of: .welltoryDDS).map(\.form))
        #expect(error.possible.contains("delayed:<duration>"))
        #expect(!error.description.contains("in_progress"))
    }

    @Test(
        "say what is possible instead",
        arguments: [
            (
                "complete", "unknown_scenario",
                "there is no scenario \"complete\"; did you mean completed?; possible: completed, "
            ),
            ("", "unknown_scenario", "there is no scenario \"\"; possible: completed, cancelled, "),
            ("Silent", "unknown_scenario", "there is no scenario \"Silent\"; did you mean silent?"),
            ("completed:now", "wrong_scenario_argument", "expected nothing after completed"),
            ("error:", "wrong_scenario_argument", "expected error, or error: and a code"),
            ("delayed", "wrong_scenario_argument", "expected a duration up to 10m"),
            (
                "delayed:3", "wrong_scenario_argument",
                "\"delayed:3\" is no scenario; expected a dur"
            ),
            ("delayed:-3s", "wrong_scenario_argument", "expected a duration"),
            ("delayed:1.5s", "wrong_scenario_argument", "expected a duration"),
            ("delayed:11m", "wrong_scenario_argument", "expected a duration"),
            ("delayed:600001ms", "wrong_scenario_argument", "expected a duration"),
            ("delayed:99999999999999999999s", "wrong_scenario_argument", "expected a duration"),
            ("delayed:9223372036854775807m", "wrong_scenario_argument", "expected a duration"),
            ("delayed:ms", "wrong_scenario_argument", "expected a duration"),
            (
                "duplicate:1", "wrong_scenario_argument",
                "a number from duplicate:2 to duplicate:100"
            ),
            ("duplicate:101", "wrong_scenario_argument", "expected a number"),
            ("duplicate:+5", "wrong_scenario_argument", "expected a number"),
            ("malformed", "wrong_scenario_argument", "expected malformed:url, malformed:form, "),
            ("malformed:xml", "wrong_scenario_argument", "malformed:json, malformed:model"),
        ])
    func errors(text: String, code: String, words: String) throws {
        let error = try #require(throws: ScenarioError.self) { try Scenario(parsing: text) }
        #expect(error.code == code)
        #expect(error.description.contains(words))
        #expect(Scenario(text) == nil)
    }
}
