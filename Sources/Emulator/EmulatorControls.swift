// The parameters of a launch for the emulator itself: scenario, seed, and whether a person decides.
//
// Invariant: they are removed before the link is checked; the rest stays unchanged, byte by byte.
// On a vendor's own host the whole query is the vendor's, and only header fields count.

import HTTP1
import LinkPatterns
import Problems
import Vendors

/// The emulator parameters of one launch request.
package struct EmulatorControls: Sendable {
    /// Who chooses the result.
    enum Mode: String, CaseIterable, Sendable {
        /// The scenario runs at once.
        case automatic
        /// A person chooses on a page.
        case screen
    }

    let scenario: Scenario?
    let seed: UInt64?
    let mode: Mode?
    /// The flow of a link that was created here, if its callback can't carry one.
    let flow: String?
    /// The request target without the emulator parameters.
    let target: [UInt8]

    static let parameters = ["scenario", "seed", "mode"]

    private static let scenarioField = FieldName("landfall-scenario")
    private static let seedField = FieldName("landfall-seed")

    /// Reads `scenario`, `seed` and `mode` of the query, and `Landfall-Scenario` and
    /// `Landfall-Seed`; the query takes precedence.
    ///
    /// - Parameters:
    ///   - contract: of the link. A callback that is a scheme carries no flow, so its links may name one.
    ///   - isOwnHost: whether the request is for the vendor's own host, where the query is all the
    ///     vendor's and may use any name.
    ///
    /// Throws 400 for invalid values.
    package init(_ request: Request, of contract: Contract, isOwnHost: Bool) throws(Problem) {
        let names = Self.parameters + (contract.returnsToScheme ? [FlowID.parameter] : [])
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
        scenario = try Self.scenario(values["scenario"] ?? text(Self.scenarioField), of: contract)
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

    /// Parses a scenario; throws 400 with the list of the contract's scenarios, or of all.
    package static func scenario(
        _ text: String?, of contract: Contract?
    ) throws(Problem) -> Scenario? {
        guard let text else { return nil }
        do throws(ScenarioError) {
            return try Scenario(parsing: text, of: contract)
        } catch {
            throw Problem(error)
        }
    }

    /// Parses a seed; throws 400 if it is invalid.
    static func seed(_ digits: String) throws(Problem) -> UInt64 {
        guard let number = UInt64(digits) else {
            throw refusal("seed", "a number from 0 to 18446744073709551615")
        }
        return number
    }

    private static func refusal(_ name: String, _ expected: String) -> Problem {
        Problem(
            status: .badRequest, kind: "invalid-parameter",
            detail: "Invalid query parameter: \(name).",
            findings: [Problem.Finding(name: name, detail: "Expected \(expected).")])
    }
}

extension Problem {
    /// The problem for an unknown scenario, or one that the contract doesn't have.
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
