// What the vendors' apps answer in each scenario, and that their own decoders agree.
// Left out: the values themselves; that is in `EmulationValueTests`.

import JSON
import Testing

@testable import Vendors

@Suite("Emulated apps")
struct EmulationTests {
    private static let cases: [(Contract, Scenario)] = Emulated.contracts.flatMap { contract in
        VendorApp.scenarios(of: contract).flatMap { entry in
            entry.choices.map { (contract, $0) }
        }
    }

    @Test("answer with the outcome that their decoder reads", arguments: cases)
    func outcomes(contract: Contract, scenario: Scenario) throws {
        for seed in 0..<5 as Range<UInt64> {
            for answer in try Emulated.app(contract, seed: seed).answers(scenario) {
                let decoding = answer.decoding(contract)
                #expect(decoding.outcome == answer.outcome)
                if case .malformed = scenario { continue }
                if answer.query.isEmpty { continue }
                #expect(decoding.contract == contract)
                #expect(decoding.verdict == .decoded, "\(decoding.diagnostics)")
            }
        }
    }

    @Test(
        "send what the vendor sends, in order",
        arguments: [
            (.flux, .completed, [.completed]), (.flux, .cancelled, [.cancelled]),
            (.flux, .error(code: nil), [.error]), (.flux, .empty, [.completed]),
            (.flux, .silent, []), (.flux, .outOfOrder, [.completed, .completed]),
            (.flux, .duplicate(count: 3), [.completed, .completed, .completed]),
            (.dimmy2024, .completed, [.completed]), (.dimmy2024, .cancelled, []),
            (.dimmy2024, .error(code: nil), []), (.dimmy2024, .stale, [.completed]),
            (.dimmy2024, .error(code: "not_logged_in"), []),
            (.welltoryDDS, .completed, [.completed]), (.welltoryDDS, .cancelled, []),
            (.welltoryDDS, .empty, [nil]), (.ailetDeeplink, .completed, [.completed]),
            (.ailetDeeplink, .inProgress, [.inProgress, .completed]),
            (.ailetDeeplink, .outOfOrder, [.completed, .inProgress]),
            (.ailetDeeplink, .empty, [.empty]), (.ailetDeeplink, .error(code: "13"), [.error]),
        ] as [(Contract, Scenario, [Outcome?])])
    func orders(contract: Contract, scenario: Scenario, outcomes: [Outcome?]) throws {
        let answers = try Emulated.app(contract).answers(scenario)
        #expect(answers.map(\.outcome) == outcomes)
        #expect(answers.map(\.after) == answers.map(\.after).sorted())
    }

    @Test("blame the broken layer first, and exactly that one", arguments: Emulated.contracts)
    func layers(contract: Contract) throws {
        let entry = try #require(VendorApp.scenarios(of: contract).first { $0.name == "malformed" })
        for case .malformed(let layer) in entry.choices {
            for seed in 0..<40 as Range<UInt64> {
                let answers = try Emulated.app(contract, seed: seed).answers(.malformed(layer))
                let decoding = try #require(answers.first).decoding(contract)
                #expect(decoding.diagnostics.first?.layer == layer)
                #expect(decoding.diagnostics.first?.severity != .info)
                #expect(decoding.verdict != .decoded)
            }
        }
    }

    @Test(
        "break the layers that a contract has, and no other",
        arguments: [
            (.flux, "url form body percent base64 utf8 json model"),
            (.dimmy2024, "url form body percent base64 utf8 json model"),
            (.welltoryDDS, "url form body percent utf8 model"),
            (.ailetDeeplink, "url form body percent utf8 json model"),
        ] as [(Contract, String)])
    func brokenLayers(contract: Contract, layers: String) {
        let app = Emulated.app(contract)
        for layer in Diagnostic.Layer.allCases {
            let isPossible = layers.split(separator: " ").contains(layer.rawValue[...])
            #expect(((try? app.answers(.malformed(layer))) != nil) == isPossible)
        }
    }

    @Test(
        "refuse a scenario that the contract hasn't, with those that it has",
        arguments: [
            (.flux, "in_progress", "flux has no scenario in_progress; possible: completed, "),
            (.welltoryDDS, "error", "silent, delayed:<duration>, duplicate:<n>, out_of_order, "),
            (.welltoryDDS, "malformed:json", "possible: malformed:url, malformed:form, "),
            (.ailetDeeplink, "cancelled", "possible: completed, error:<code>, in_progress, "),
            (.flux, "error:not_loged_in", "did you mean not_logged_in?; possible: invalid_request"),
            (.ailetDeeplink, "error:IR_ERROR_AUT", "did you mean IR_ERROR_AUTH?"),
            (.ailetDeeplink, "error:99", "has no error code \"99\"; possible: IR_ERROR, "),
            (.dimmy2024, "error:x", "dimmy-2024 has no error code \"x\"; possible: invalid_"),
            (.rezolveTrigger, "silent", "rezolve-trigger has no scenario silent"),
            (.rezolveTrigger, "stale", "possible: completed"),
        ] as [(Contract, String, String)])
    func refusals(contract: Contract, scenario: String, words: String) throws {
        let scenario = try Scenario(parsing: scenario)
        let error = try #require(throws: ScenarioError.self) {
            try Emulated.app(contract).answers(scenario)
        }
        #expect(error.description.contains(words))
    }

    @Test(
        "refuse numbers that no text could have",
        arguments: [
            Scenario.delayed(milliseconds: -1), .delayed(milliseconds: 600_001),
            .duplicate(count: 1), .duplicate(count: .max), .error(code: ""),
        ])
    func numbers(scenario: Scenario) {
        #expect(throws: ScenarioError.self) { try Emulated.app(.flux).answers(scenario) }
    }

    @Test("send nothing when the launch doesn't say where to", arguments: cases)
    func noCallback(contract: Contract, scenario: Scenario) throws {
        let app = Emulated.app(
            contract,
            Dictionary(
                uniqueKeysWithValues: Launch.callbackParameters(of: contract).map { ($0, nil) }))
        #expect(try app.answers(scenario).isEmpty)
    }

    @Test("wait as long as they are asked to")
    func delays() throws {
        let delayed = try Emulated.app(.flux).answers(.delayed(milliseconds: 90_500))
        #expect(delayed.map(\.after) == [.milliseconds(90_500)])
        let progress = try Emulated.app(.ailetDeeplink).answers(.inProgress)
        #expect(progress.map(\.after) == [.zero, .seconds(5)])
    }

    @Test("send the same bytes again for `duplicate`", arguments: Emulated.contracts)
    func duplicates(contract: Contract) throws {
        let answers = try Emulated.app(contract).answers(.duplicate(count: 100))
        let single = try #require(try Emulated.app(contract).answers(.completed).first)
        #expect(answers.count == 100)
        #expect(answers.allSatisfy { $0.query == single.query })
    }

    @Test("make a stale answer of other values, for a former launch", arguments: Emulated.contracts)
    func stale(contract: Contract) throws {
        let app = Emulated.app(contract)
        let answers = try app.answers(.stale)
        let current = try #require(try app.answers(.completed).first)
        #expect(answers.map(\.isForFormerLaunch) == [true])
        #expect(!current.isForFormerLaunch)
        #expect(answers.first?.query != current.query)
    }

    @Test(
        "are as large as the vendor's largest for `huge`",
        arguments: [
            (Contract.dimmy2024, 60_000), (.flux, 60_000), (.welltoryDDS, 60_000),
            (.ailetDeeplink, 80_000),
        ])
    func huge(contract: Contract, least: Int) throws {
        for seed in 0..<4 as Range<UInt64> {
            let answer = try #require(try Emulated.app(contract, seed: seed).answers(.huge).first)
            #expect((least..<250_000).contains(answer.query.count), "\(answer.query.count)")
        }
    }

    @Test("list each scenario once, with a sentence", arguments: Contract.allCases)
    func list(contract: Contract) {
        let entries = VendorApp.scenarios(of: contract)
        #expect(Set(entries.map(\.name)).count == entries.count)
        #expect(entries.allSatisfy { $0.summary.hasSuffix(".") && !$0.choices.isEmpty })
        #expect(entries.allSatisfy { entry in entry.choices.allSatisfy { $0.name == entry.name } })
    }
}
