// A vendor's app as a partner sees it: its callbacks to a launch.
//
// Invariant: the same launch, seed, time and scenario give the same bytes; there is no other input.
// Left out: checking the launch, and sending the callbacks.

import Text

/// A launched vendor's app, which follows a scenario instead of a person.
///
/// Values are generated from a seed: plausible, within the contract, and about no real person.
public struct VendorApp: Sendable {
    /// The range of random seeds: large enough to rarely repeat, short enough to type.
    public static let seeds: ClosedRange<UInt64> = 0...999_999_999

    /// What a launch is about by an id, such as a visit.
    public struct Subject: Sendable, Equatable {
        /// The id.
        public let id: String
        /// Whether the launch begins it; otherwise it asks about it.
        public let isNew: Bool
    }

    /// What the launch is about; nil if its contract has no such thing.
    public var subject: Subject? { contract.declaration.app?.subject(self) }

    /// The scenario of a launch about a subject that no launch began.
    public var unknownSubject: Scenario {
        contract.declaration.app?.unknownSubject.map { .error(code: $0) } ?? .completed
    }

    let contract: Contract
    /// The launch's parameters by name; empty values are absent.
    let asked: [String: String]
    /// Selects the generated values.
    public let seed: UInt64
    /// The time of the launch, in seconds since 1970.
    public let time: Int64

    /// Launches a vendor's app.
    ///
    /// - Parameters:
    ///   - launch: the parameters of the link.
    ///   - seed: selects the generated values.
    ///   - unixSeconds: the time of the launch, in seconds since 1970; years 1970 to 9999.
    public init(_ launch: Launch, seed: UInt64, at unixSeconds: Int64) {
        self.init(
            launch.contract, launch.parameters.map { ($0.name, $0.value) }, seed: seed,
            at: unixSeconds)
    }

    init(
        _ contract: Contract, _ parameters: [(name: String, value: String)], seed: UInt64,
        at unixSeconds: Int64
    ) {
        self.contract = contract
        self.seed = seed
        time = UTCText.clamped(unixSeconds)
        asked = Dictionary(
            parameters.filter { !$0.value.isEmpty }.map { ($0.name, $0.value) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The item that the vendor's server keeps of a scenario's finished work; nil if it keeps none.
    ///
    /// - Parameter edited: the value that a person sends instead, as the callback carries it.
    public func keptItem(_ scenario: Scenario, edited: [UInt8]? = nil) -> ScannedItem? {
        contract.declaration.app?.keptItem(self, scenario, edited)
    }

    /// The app's callbacks, in the order of sending, without those whose target the launch lacks.
    ///
    /// Throws for a scenario that the contract doesn't have, with a list of those that it has, and
    /// for a duration or number out of range.
    public func answers(_ scenario: Scenario) throws(ScenarioError) -> [EmulatedAnswer] {
        try Self.check(scenario, of: contract)
        let declaration = contract.declaration
        guard let app = declaration.app, let launch = declaration.launch,
            let target = launch.callback?.parameter, !launch.endsOnScreen({ asked[$0] })
        else { return [] }
        return answers(scenario, app).filter { asked[$0.callbackParameter ?? target] != nil }
    }

    private func answers(_ scenario: Scenario, _ app: AppBehaviour) -> [EmulatedAnswer] {
        let completed = app.completed(self)
        switch scenario {
        case .completed: return [completed]
        case .cancelled: return [app.cancelled(self)].compactMap(\.self)
        case .error(let code):
            let name = Self.errorName(code, of: contract)
            return [name.flatMap { app.failed(self, $0) }].compactMap(\.self)
        case .inProgress:
            guard let progress = app.inProgress(self) else { return [completed] }
            return [progress, completed.after(.seconds(5))]
        case .empty: return [app.empty(self)]
        case .silent: return []
        case .delayed(let milliseconds): return [completed.after(.milliseconds(milliseconds))]
        case .duplicate(let count): return Array(repeating: completed, count: count)
        case .outOfOrder:
            return [completed, (app.inProgress(self) ?? stale(app)).after(.seconds(1))]
        case .stale: return [stale(app)]
        case .malformed(let layer): return [malformed(layer, app)]
        case .huge: return [app.huge(self)]
        }
    }

    /// Throws, with the available scenarios, unless the contract has the scenario.
    public static func check(
        _ scenario: Scenario, of contract: Contract
    ) throws(ScenarioError) {
        let entries = scenarios(of: contract)
        guard let entry = entries.first(where: { $0.name == scenario.name }) else {
            throw .notPossible(scenario, contract, possible: entries.map(\.form))
        }
        switch scenario {
        case .malformed where !entry.choices.contains(scenario):
            throw .notPossible(scenario, contract, possible: entry.choices.map(\.description))
        case .delayed(let milliseconds) where !Scenario.delays.contains(milliseconds):
            throw .wrongArgument(scenario.description, expected: ["a duration up to 10m"])
        case .duplicate(let count) where !Scenario.copies.contains(count):
            throw .wrongArgument(scenario.description, expected: ["a number from 2 to 100"])
        case .error(let code?) where errorName(code, of: contract) == nil:
            let names = errorNames(of: contract)
            throw .unknownErrorCode(
                code, contract, meant: Spelling.nearest(to: code, among: names),
                possible: names)
        default: break
        }
    }

    private func stale(_ app: AppBehaviour) -> EmulatedAnswer {
        var answer = app.completed(former)
        answer.isForFormerLaunch = true
        return answer
    }

    /// The app at the previous launch: a day earlier, with other ids and values.
    var former: VendorApp {
        let launch = contract.declaration.launch
        let constants = launch?.constants.union(launch?.callback?.names ?? []) ?? []
        let ids = asked.map { name, value in
            (name: name, value: constants.contains(name) ? value : value + "-former")
        }
        return VendorApp(
            contract, ids, seed: seed &+ 0x5EED, at: time - 86_400)
    }
}

extension EmulatedAnswer {
    /// The same callback, sent `delay` after the launch.
    func after(_ delay: Duration) -> EmulatedAnswer {
        var answer = self
        answer.after = delay
        return answer
    }
}
