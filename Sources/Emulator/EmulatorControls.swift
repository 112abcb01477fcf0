// The parameters of a launch for the emulator itself: scenario, seed, and whether a person decides.
//
// Invariant: they are removed before the link is checked; the rest stays unchanged, byte by byte.
// A link that names one with the prefix `landfall_` keeps its own `scenario`, `seed` and `mode`.
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

    private static let parameters = ["scenario", "seed", "mode"]

    private static let prefix = "landfall_"

    private static let scenarioField = FieldName("landfall-scenario")
    private static let seedField = FieldName("landfall-seed")

    /// Reads `scenario`, `seed` and `mode` of the query, with or without the prefix, and
    /// `Landfall-Scenario` and `Landfall-Seed`; the query takes precedence.
    ///
    /// - Parameters:
    ///   - contract: of the link. A callback that is a scheme carries no flow, so its links may name one.
    ///   - isOwnHost: whether the request is for the vendor's own host, where the query is all the
    ///     vendor's and may use any name.
    ///
    /// Throws 400 for invalid values.
    package init(_ request: Request, of contract: Contract, isOwnHost: Bool) throws(Problem) {
        var values: [String: String] = [:]
        var (target, hasLong) = (Array(request.path), false)
        if let query = request.query, isOwnHost {
            target += [UInt8(ascii: "?")] + query
        } else if let query = request.query {
            target.append(UInt8(ascii: "?"))
            let taken = Self.take(
                contract.returnsToScheme ? [FlowID.parameter] : [], from: query, into: &values)
            target += taken.rest
            hasLong = taken.hasLong
        }
        self.target = target
        let text = { (field: FieldName) in
            request.first(field).map { String(decoding: $0, as: UTF8.self) }
        }
        // The name of a parameter in the query, for refusals.
        let name = { (short: String) in
            hasLong && values[short] != nil ? Self.prefix + short : short
        }
        flow = values[FlowID.parameter].flatMap { FlowID.isValid($0.utf8) ? $0 : nil }
        scenario = try Self.scenario(
            values["scenario"] ?? text(Self.scenarioField), of: contract, named: name("scenario"))
        seed = try Self.seed(values["seed"] ?? text(Self.seedField), named: name("seed"))
        if let value = values["mode"] {
            guard let mode = Mode(rawValue: value) else {
                throw Self.refusal(name("mode"), "automatic or screen")
            }
            self.mode = mode
        } else {
            mode = nil
        }
    }

    /// What the link of a launch needs at the emulator, so that its own `scenario`, `seed` or
    /// `mode` stays in it; empty if it has none of them.
    package static func mark(for launch: Launch) -> String {
        let hasOwn = launch.parameters.contains { parameters.contains($0.name) }
        return hasOwn ? "&\(prefix)mode=" : ""
    }

    /// The names of a trip's scenario and seed.
    static let (scenarioName, seedName) = ("\(prefix)scenario", "\(prefix)seed")

    /// Takes the emulator's parameters and `others` out of a query; returns the rest, and whether
    /// the emulator's have the prefix.
    ///
    /// - Parameter values: gets the first value of each by its name without the prefix. An empty
    ///   one with the prefix says only that the short names are the link's own.
    private static func take(
        _ others: [String], from query: ArraySlice<UInt8>, into values: inout [String: String]
    ) -> (rest: [UInt8], hasLong: Bool) {
        let pieces = query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        let items = pieces.map { Link(path: [], query: $0)?.query.first }
        let long = parameters.map { prefix + $0 }
        let hasLong = items.contains { item in item.map { long.contains($0.name) } ?? false }
        let short = hasLong ? others : parameters + others
        var rest: [ArraySlice<UInt8>] = []
        for (piece, item) in zip(pieces, items) {
            let value = item?.value ?? ""
            if let item, long.contains(item.name) {
                let name = String(item.name.dropFirst(prefix.count))
                if values[name] == nil, !value.isEmpty { values[name] = value }
            } else if let item, short.contains(item.name), values[item.name] == nil {
                values[item.name] = value
            } else {
                rest.append(piece)
            }
        }
        return (Array(rest.joined(separator: [UInt8(ascii: "&")])), hasLong)
    }

    /// Parses a scenario; throws 400 with the list of the contract's scenarios, or of all.
    ///
    /// - Parameter name: of the parameter.
    package static func scenario(
        _ text: String?, of contract: Contract?, named name: String = "scenario"
    ) throws(Problem) -> Scenario? {
        guard let text else { return nil }
        do throws(ScenarioError) {
            return try Scenario(parsing: text, of: contract)
        } catch {
            throw Problem(error, named: name)
        }
    }

    /// Parses a seed; throws 400 if it is invalid.
    ///
    /// - Parameter name: of the parameter.
    static func seed(_ digits: String?, named name: String = "seed") throws(Problem) -> UInt64? {
        guard let digits else { return nil }
        guard let number = UInt64(digits) else {
            throw refusal(name, "a number from 0 to 18446744073709551615")
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
    ///
    /// - Parameter name: of the parameter.
    package init(_ error: ScenarioError, named name: String = "scenario") {
        let sentence = "\(error)."
        self.init(
            status: .badRequest, kind: error.code.replacing("_", with: "-"),
            detail: sentence.prefix(1).uppercased() + sentence.dropFirst(),
            findings: [
                Problem.Finding(
                    name: name,
                    detail: "Possible: \(error.possible.joined(separator: ", ")).")
            ])
    }
}
