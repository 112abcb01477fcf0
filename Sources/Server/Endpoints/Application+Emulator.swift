// Launch links in the vendor's place: checked as the vendor's app would, stored, and answered at the
// callback as a scenario says.
//
// Invariant: the launch is on the disk before anything is answered. A wrong one gets what the vendor's
// app does with it, and its record says why.

import AppLinks
import Clocks
import Emulator
import Foundation
import HTTP1
import JSON
import Problems
import ResultStore
import Vendors

extension Application {
    /// Bytes of what a person may send from the emulated screen.
    private static let screenBytes = 1024 * 1024

    /// `GET` or `POST` of `/emulate/…` or a vendor's own host: what the vendor's app does with the launch.
    package func emulate(
        _ contract: Contract, isOwnHost: Bool, _ request: Request,
        over connection: inout Connection
    ) async throws(Problem) -> Response {
        let receivedAt = Timestamp.now
        let controls = try EmulatorControls(request, of: contract, isOwnHost: isOwnHost)
        let body = try await connection.content(upTo: Self.screenBytes)
        let decision = try ScreenDecision(body, of: request)
        if let decision {
            try await requireLaunch(of: decision.flow, contract, over: &connection)
        }
        let check =
            isOwnHost
            ? LaunchCheck(ofTarget: controls.target, on: request.host)
            : LaunchCheck(of: controls.target, as: contract)
        let callback = check.callback
        let named = decision?.flow ?? check.flow ?? controls.flow
        var opened = OpenedLaunch(
            flow: named ?? RecordID(at: receivedAt).description,
            inbox: named.flatMap { flows.inbox(of: $0) } ?? callback.flatMap { inbox(of: $0) }
                ?? Inbox.defaultName,
            contract: contract, receivedAt: receivedAt, check: check)
        opened.seed = controls.seed
        opened.target = callback.map { Self.target($0, of: opened.flow, request) }
        opened.refusal = callback.flatMap { callback in
            emulator.targets.refusal(
                of: callback, for: .redirect,
                from: request.authority.map { String(decoding: $0, as: UTF8.self) })
        }
        let asksPerson =
            decision == nil
            && (controls.mode == .screen
                || controls.mode == nil && controls.scenario == nil && request.acceptsPages
                    && emulator.plans[contract.vendor].scenarios.isEmpty)
        var answers: [PlannedAnswer] = []
        var brought: [Delivery] = []
        if !asksPerson, check.isOK, opened.refusal == nil {
            try choose(&opened, controls, decision, isPlayed: request.prefersJSON)
            answers = try plan(opened, decision)
            if !request.prefersJSON {
                opened.refusal = emulator.refusal(ofDelivering: answers, to: callback)
            }
            if opened.refusal == nil {
                brought = emulator.deliveries(of: opened, answers, isPlayed: request.prefersJSON)
            }
        }
        try await keep(&opened, bringing: brought, request, over: &connection)
        if opened.refusal == nil, let key = opened.key { flows.add(key, at: receivedAt) }
        let reply = EmulatorReply(opened: opened, answers: answers, request: request)
        guard check.isOK, opened.refusal == nil else { return reply.refusal }
        if asksPerson { return VendorScreen(opened, request).response }
        return try await answer(reply, over: &connection)
    }

    /// The inbox where a callback leads, as far as this server receives it; nil for other places.
    private func inbox(of callback: CallbackURL) -> String? {
        if let inbox = callback.inbox { return inbox }
        guard callback.kind == .web, let host = callback.host,
            let link = Link(path: Array(LinkURL(callback.description).path.utf8)[...]),
            case .work(.receiver(let receiver))? = routes.endpoint(for: link, on: host)?.endpoint
        else { return nil }
        return receiver.inbox
    }

    /// A callback with the flow in its path, where this server receives it under its own name; any other
    /// as it is.
    ///
    /// So what the emulator answers is never joined by a guess.
    private static func target(
        _ callback: CallbackURL, of flow: String, _ request: Request
    ) -> CallbackURL {
        let url = LinkURL(callback.description)
        let authority = (url.host ?? "") + (url.port.map { ":\($0)" } ?? "")
        guard callback.flow == nil, url.isWebLink, url.path.hasPrefix("/callbacks/"),
            let own = request.authority.map({ String(decoding: $0, as: UTF8.self) }),
            own.lowercased() == authority.lowercased()
        else { return callback }
        return callback.carrying(flow: flow, isReceiver: true) ?? callback
    }

    /// Stores a launch, and hands over what this server brings for it.
    ///
    /// Throws 503 when there is no room for that, which the record says too.
    private func keep(
        _ opened: inout OpenedLaunch, bringing deliveries: [Delivery], _ request: Request,
        over connection: inout Connection
    ) async throws(Problem) {
        let hasRoom = emulator.reserve(deliveries)
        opened.isOverload = !hasRoom
        let stored = ReceivedRequest(request, body: [], masking: pseudonyms)
        do throws(Problem) {
            _ = try await append(
                opened.record(request: stored.json, masking: pseudonyms), over: &connection)
        } catch {
            if hasRoom { emulator.deliveries.withdraw(deliveries) }
            throw error
        }
        guard hasRoom else {
            throw Problem(
                status: .serviceUnavailable, kind: "too-many-deliveries",
                detail: "Too many callbacks wait for being delivered, so nothing of this launch "
                    + "is delivered: open it again later.",
                fields: [("Retry-After", "5")])
        }
        emulator.deliveries.add(deliveries)
    }

    /// Throws 400 unless a launch of the flow is stored: screens belong to launches that were opened.
    private func requireLaunch(
        of flow: String, _ contract: Contract, over connection: inout Connection
    ) async throws(Problem) {
        await connection.sendPending()
        let query = ResultQuery(
            .all([
                .compare(.flow, .equal, .text(flow)), .kinds([.launch]),
                .compare(.contract, .equal, .text(contract.rawValue)),
            ]))
        let page = try await api.ask { () async throws(StoreError) in
            try await store.page(of: query, limit: 1)
        }
        guard page.lines.isEmpty else { return }
        throw ScreenDecision.refusal(
            "flow", "No launch of this flow was opened here: open the link again.")
    }

    /// Sends the browser on; what it can't bring is under way.
    private func answer(
        _ reply: EmulatorReply, over connection: inout Connection
    ) async throws(Problem) -> Response {
        // Who asks for JSON plays the device, and opens the callbacks itself.
        if reply.request.prefersJSON { return reply.plan(.ok) }
        guard let first = reply.answers.first else { return reply.silence }
        if reply.opened.check.callback?.kind != .web { return reply.links }
        if first.body != nil { return reply.deliveries }
        if first.after > .zero {
            let (_, ending) = await connection.whilePeerStays {
                try? await Task.sleep(for: first.after)
            }
            if ending == .draining { throw Problem(StoreError.closed) }
        }
        return reply.redirect(to: first.url)
    }

    /// Decides about scenario and seed: the person, the link, the sequence, and else `completed`.
    ///
    /// Throws 400 for a scenario that the launch can't have.
    private func choose(
        _ opened: inout OpenedLaunch, _ controls: EmulatorControls, _ decision: ScreenDecision?,
        isPlayed: Bool
    ) throws(Problem) {
        let wanted = decision?.scenario ?? controls.scenario
        var seed = controls.seed ?? decision?.seed
        if let wanted {
            try opened.check(wanted, isPlayed: isPlayed)
            opened.scenario = wanted
        } else {
            let launch = opened
            let planned = try emulator.plans.next(of: opened.contract.vendor) {
                scenario throws(Problem) in try launch.check(scenario, isPlayed: isPlayed)
            }
            opened.scenario = planned.scenario ?? .completed
            seed = seed ?? planned.seed
        }
        opened.seed = seed ?? UInt64.random(in: VendorApp.seeds)
    }

    /// The answers of a launch with their URLs; none while a person has not decided.
    private func plan(
        _ opened: OpenedLaunch, _ decision: ScreenDecision?
    ) throws(Problem) -> [PlannedAnswer] {
        guard let launch = opened.check.launch, let scenario = opened.scenario,
            let callback = opened.target
        else { return [] }
        if let value = decision?.value {
            guard let query = CallbackForm.query(of: value, in: opened.contract) else {
                throw Problem(
                    status: .badRequest, kind: "invalid-values",
                    detail: "The values are no JSON object: go back and mend them.")
            }
            return [PlannedAnswer(callback, query, after: .zero, outcome: .completed)].compactMap(
                \.self)
        }
        do throws(ScenarioError) {
            let app = VendorApp(
                launch, seed: opened.seed ?? 0,
                at: opened.receivedAt.unixMilliseconds / 1000)
            let former = flows.former(
                than: opened.flow, of: opened.contract, in: opened.inbox)
            return try app.answers(scenario).compactMap { answer in
                let target = answer.isForFormerLaunch ? callback.ofFormerLaunch(former) : callback
                var planned = PlannedAnswer(
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
    /// The inbox that our own receiver's path names.
    fileprivate var inbox: String? {
        let segments = LinkURL(description).path.split(separator: "/")
        guard segments.count >= 3, segments[0] == "callbacks" else { return nil }
        return Inbox.isValid(String(segments[2])) ? String(segments[2]) : nil
    }

    /// The same callback with the flow of a former launch: where it carries one, and in the query
    /// where a web URL carries none, by which the answer would be joined to the newest launch.
    fileprivate func ofFormerLaunch(_ former: String) -> CallbackURL {
        guard flow != nil || kind == .web else { return self }
        return carrying(flow: former, isReceiver: flow != nil) ?? self
    }
}
