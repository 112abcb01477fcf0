// What the emulated app does on a launch, decided as a whole before anything is stored.
//
// Invariant: a plan doesn't change; storing and replying only read it. Left out: storing the
// launch, reserving room for deliveries, and the reply (`EmulatorReply`).

import Clocks
import HTTP1
import LinkPatterns
import Problems
import ResultAPI
import ResultStore
import Vendors

/// The plan for one launch.
package struct EmulationPlan: Sendable {
    package let opened: OpenedLaunch
    /// The callbacks with their URLs; none until the person has decided.
    let answers: [PlannedCallback]
    /// The app that answers; nil until the person has decided, and for a refused launch.
    let app: VendorApp?
    /// The item that the vendor's server has when the work is done; nil if it has none.
    let item: EmulatedItem?
    /// What this server delivers itself.
    package let deliveries: [Delivery]
    /// Whether a person decides on a screen.
    package let showsScreen: Bool

    /// Plans a launch.
    ///
    /// Throws 400 for a scenario that the launch doesn't support, and for invalid values of the
    /// screen.
    ///
    /// - Parameters:
    ///   - decision: the person's decision; nil if no screen was submitted.
    ///   - isOwnHost: whether the link was opened on the vendor's own host.
    ///   - receiverInbox: the inbox of a callback URL that leads to this server; nil for others.
    package init(
        _ request: Request, of contract: Contract, isOwnHost: Bool, _ controls: EmulatorControls,
        _ decision: ScreenDecision?, at receivedAt: Timestamp, by emulator: Emulator,
        _ flows: OpenFlows, receiverInbox: (CallbackURL) -> String?
    ) throws(Problem) {
        let check =
            isOwnHost
            ? LaunchCheck(
                ofTarget: controls.target, on: request.host, partners: emulator.partners)
            : LaunchCheck(of: controls.target, as: contract, partners: emulator.partners)
        let named = decision?.flow ?? check.flow ?? controls.flow
        let flow = named ?? RecordID(at: receivedAt).description
        let inbox =
            named.flatMap { flows.inbox(of: $0) } ?? check.callback.flatMap { receiverInbox($0) }
            ?? Inbox.defaultName
        let authority = request.authority.map { String(decoding: $0, as: UTF8.self) }
        let forbidden = check.callbacks.lazy.compactMap {
            emulator.targets.refusal(of: $0.url, for: .redirect, from: authority)
        }.first
        let asksPerson =
            controls.mode == .screen
            || controls.mode == nil && controls.scenario == nil && request.acceptsPages
                && emulator.plans[contract.vendor].scenarios.isEmpty
        showsScreen = decision == nil && asksPerson
        let targets = Dictionary(
            check.callbacks.map {
                ($0.parameter, $0.url.carrying(flow, ifServedAt: authority))
            }, uniquingKeysWith: { $1 })
        func opened(
            _ choice: (scenario: Scenario, seed: UInt64)?, _ refusal: CallbackTarget.Refusal?
        ) -> OpenedLaunch {
            OpenedLaunch(
                flow: flow, inbox: inbox, contract: contract, receivedAt: receivedAt, check: check,
                targets: targets, scenario: choice?.scenario, seed: choice?.seed ?? controls.seed,
                refusal: refusal)
        }
        guard !showsScreen, forbidden == nil, check.isOK, let launch = check.launch else {
            self.opened = opened(nil, forbidden)
            (answers, deliveries, self.app, item) = ([], [], nil, nil)
            return
        }
        let isPlayed = request.prefersJSON
        var app = VendorApp(launch, seed: 0, at: receivedAt.unixMilliseconds / 1000)
        let asked = app.subject.flatMap { $0.isNew ? nil : $0.id }
        let origin = asked.flatMap { emulator.subjects[contract, $0] }
        let isUnknown = asked != nil && origin == nil && decision == nil
        let choice = try Self.choice(
            opened(nil, nil), controls, decision, isPlayed: isPlayed, emulator.plans,
            otherwise: (
                isUnknown ? app.unknownSubject : origin?.scenario ?? .completed, origin?.seed
            ))
        app = VendorApp(launch, seed: choice.seed, at: origin?.time ?? app.time)
        self.app = app
        let edited = decision?.value(of: app)
        answers = try Self.answers(of: app, choice.scenario, contract, edited, targets) {
            flows.former(than: flow, of: contract, in: inbox)
        }
        let refusal = isPlayed ? nil : emulator.refusal(ofDelivering: answers, to: check.callback)
        self.opened = opened(choice, refusal)
        item = refusal == nil ? EmulatedItem(of: app, choice.scenario, edited: edited) : nil
        deliveries =
            refusal == nil
            ? emulator.deliveries(of: self.opened, item, answers, isPlayed: isPlayed) : []
    }

    /// Chooses scenario and seed, in this order: the person's choice, the link, the planned
    /// sequence, `usual`; a seed may be random.
    ///
    /// Throws 400 for a scenario that the launch doesn't support.
    private static func choice(
        _ opened: OpenedLaunch, _ controls: EmulatorControls, _ decision: ScreenDecision?,
        isPlayed: Bool, _ plans: ScenarioPlans, otherwise usual: (scenario: Scenario, seed: UInt64?)
    ) throws(Problem) -> (scenario: Scenario, seed: UInt64) {
        var (scenario, seed) = (
            decision?.scenario ?? controls.scenario, controls.seed ?? decision?.seed
        )
        if let scenario {
            try opened.check(scenario, isPlayed: isPlayed)
        } else {
            let planned = try plans.next(of: opened.contract.vendor) { scenario throws(Problem) in
                try opened.check(scenario, isPlayed: isPlayed)
            }
            scenario = planned.scenario
            seed = seed ?? planned.seed
        }
        return (
            scenario ?? usual.scenario, seed ?? usual.seed ?? UInt64.random(in: VendorApp.seeds)
        )
    }

    /// The callbacks of a launch with their URLs.
    ///
    /// - Parameters:
    ///   - edited: the value that a person sends instead of the scenario's.
    ///   - former: the flow of an earlier launch that has ended.
    private static func answers(
        of app: VendorApp, _ scenario: Scenario, _ contract: Contract,
        _ edited: [UInt8]?, _ targets: [String: CallbackURL], former: () -> String
    ) throws(Problem) -> [PlannedCallback] {
        guard let main = Launch.callbackParameter(of: contract) else { return [] }
        if let edited {
            guard let query = CallbackForm.query(of: edited, in: contract) else {
                throw Problem(
                    status: .badRequest, kind: "invalid-values",
                    detail: "The values aren't a JSON object: go back and correct them.")
            }
            let callback = Callback(target: [UInt8(ascii: "?")] + query)
            let outcome = Decoding(of: callback, from: contract.vendor).outcome
            let answer = targets[main].flatMap {
                PlannedCallback($0, query, after: .zero, outcome: outcome)
            }
            return [answer].compactMap(\.self)
        }
        do throws(ScenarioError) {
            return try app.answers(scenario).compactMap { answer in
                guard let callback = targets[answer.callbackParameter ?? main] else { return nil }
                let target =
                    answer.isForFormerLaunch ? callback.ofFormerLaunch(former()) : callback
                var planned = PlannedCallback(
                    target, answer.query, after: answer.after, outcome: answer.outcome)
                planned?.body = answer.body
                planned?.isForFormerLaunch = answer.isForFormerLaunch
                return planned
            }
        } catch {
            throw Problem(error)
        }
    }
}

extension CallbackURL {
    /// Adds the flow to the path of a callback that leads to the server at `authority`; returns
    /// others unchanged.
    ///
    /// So the emulator's own callbacks are always joined by name, never by a guess.
    fileprivate func carrying(_ name: String, ifServedAt authority: String?) -> CallbackURL {
        let url = LinkURL(description)
        guard flow == nil, url.isWebLink, url.receiverPath != nil, let authority,
            url.authority?.lowercased() == authority.lowercased()
        else { return self }
        return carrying(flow: name, isReceiver: true) ?? self
    }

    /// The same callback with the flow of an earlier launch.
    ///
    /// If a web URL carries no flow, it goes into the query; otherwise the callback would join the
    /// newest launch.
    fileprivate func ofFormerLaunch(_ former: String) -> CallbackURL {
        guard flow != nil || kind == .web else { return self }
        return carrying(flow: former, isReceiver: flow != nil) ?? self
    }
}
