// What a launch asks of the emulator itself, beside what it asks of the vendor's app: a scenario, a
// seed, and whether a person decides.
//
// Invariant: the vendor's part of the link is looked at without these, byte by byte as it came. At a
// vendor's own host that is all of the link, and only fields count.

import AppLinks
import HTTP1
import Problems
import Vendors

/// The wishes of who opened a launch at the emulator.
package struct EmulatorControls: Sendable {
    /// Who says what happens.
    package enum Mode: String, CaseIterable, Sendable {
        /// The scenario happens at once.
        case automatic
        /// A page asks a person.
        case screen
    }

    package let scenario: Scenario?
    package let seed: UInt64?
    package let mode: Mode?
    /// The flow of a link that was made here, where its callback carries none.
    package let flow: String?
    /// The request target without the controls.
    package let target: [UInt8]

    package static let parameters = ["scenario", "seed", "mode"]

    private static let scenarioField = FieldName("landfall-scenario")
    private static let seedField = FieldName("landfall-seed")

    /// Reads `scenario`, `seed` and `mode` of the query, and `Landfall-Scenario` and
    /// `Landfall-Seed`; the query counts first.
    ///
    /// - Parameters:
    ///   - contract: of the link. Ailet's callbacks carry no flow, so its links may name one.
    ///   - isOwnHost: whether the vendor's own host was asked. The query is all the vendor's
    ///     there, which has parameters of any name.
    ///
    /// Throws 400 for what is none of them.
    package init(_ request: Request, of contract: Contract, isOwnHost: Bool) throws(Problem) {
        let names = Self.parameters + (contract == .ailetDeeplink ? [FlowID.parameter] : [])
        var values: [String: String] = [:]
        var target = Array(request.path)
        if let query = request.query, isOwnHost {
            target += [UInt8(ascii: "?")] + query
        } else if let query = request.query {
            var others: [ArraySlice<UInt8>] = []
            let pieces = query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
            for piece in pieces {
                let item = Link(path: [], query: piece)?.query.first
                if let item, names.contains(item.name), values[item.name] == nil {
                    values[item.name] = item.value ?? ""
                } else {
                    others.append(piece)
                }
            }
            target.append(UInt8(ascii: "?"))
            target += others.joined(separator: [UInt8(ascii: "&")])
        }
        self.target = target
        let text = { (field: FieldName) in
            request.first(field).map { String(decoding: $0, as: UTF8.self) }
        }
        flow = values[FlowID.parameter].flatMap { FlowID.isValid($0.utf8) ? $0 : nil }
        scenario = try Self.scenario(values["scenario"] ?? text(Self.scenarioField))
        seed = try (values["seed"] ?? text(Self.seedField)).map(Self.seed)
        if let name = values["mode"] {
            guard let mode = Mode(rawValue: name) else {
                throw Self.refusal("mode", "automatic or screen")
            }
            self.mode = mode
        } else {
            mode = nil
        }
    }

    /// Reads a scenario; throws 400 with what there is.
    package static func scenario(_ text: String?) throws(Problem) -> Scenario? {
        guard let text else { return nil }
        do throws(ScenarioError) {
            return try Scenario(parsing: text)
        } catch {
            throw Problem(error)
        }
    }

    /// Reads a seed; throws 400 for what is none.
    package static func seed(_ digits: String) throws(Problem) -> UInt64 {
        guard let number = UInt64(digits) else {
            throw refusal("seed", "a number from 0 to 18446744073709551615")
        }
        return number
    }

    private static func refusal(_ name: String, _ expected: String) -> Problem {
        Problem(
            status: .badRequest, kind: "invalid-parameter",
            detail: "The query is wrong at: \(name). Mend it and ask again.",
            findings: [Problem.Finding(name: name, detail: "Expected \(expected).")])
    }
}

extension Problem {
    /// A scenario that isn't one, or that a contract doesn't have.
    package init(_ error: ScenarioError) {
        let sentence = "\(error)."
        self.init(
            status: .badRequest, kind: error.code.replacing("_", with: "-"),
            detail: sentence.prefix(1).uppercased() + sentence.dropFirst(),
            findings: [
                Problem.Finding(
                    name: "scenario",
                    detail: "Possible: \(error.possible.joined(separator: ", ")).")
            ])
    }
}
