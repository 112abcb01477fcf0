// Handles launch links in the vendor's place: checks them as the vendor's app would, stores them,
// and sends the callbacks of a scenario.
//
// Invariant: the launch is durable before any response. An invalid launch gets the app's own
// reaction, and its record says why.

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
    /// Maximum bytes of a form that the emulated screen submits.
    private static let screenBytes = 1024 * 1024

    /// `GET` or `POST` of `/emulate/…` or of a vendor's own host: runs the emulated app on a
    /// launch.
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
        for (parameter, url) in check.callbacks {
            opened.targets[parameter] = Self.target(url, of: opened.flow, request)
            opened.refusal =
                opened.refusal
                ?? emulator.targets.refusal(
                    of: url, for: .redirect,
                    from: request.authority.map { String(decoding: $0, as: UTF8.self) })
        }
        let showsScreen =
            decision == nil
            && (controls.mode == .screen
                || controls.mode == nil && controls.scenario == nil && request.acceptsPages
                    && emulator.plans[contract.vendor].scenarios.isEmpty)
        var answers: [PlannedCallback] = []
        var pending: [Delivery] = []
        if !showsScreen, check.isOK, opened.refusal == nil {
            try choose(&opened, controls, decision, isPlayed: request.prefersJSON)
            answers = try plan(opened, decision)
            if !request.prefersJSON {
                opened.refusal = emulator.refusal(ofDelivering: answers, to: callback)
            }
            if opened.refusal == nil {
                pending = emulator.deliveries(of: opened, answers, isPlayed: request.prefersJSON)
            }
        }
        try await keep(&opened, bringing: pending, request, over: &connection)
        if opened.refusal == nil, let key = opened.key { flows.add(key, at: receivedAt) }
        let reply = EmulatorReply(opened: opened, answers: answers, request: request)
        guard check.isOK, opened.refusal == nil else { return reply.refusal }
        if showsScreen { return VendorScreen(opened, request).response }
        return try await answer(reply, over: &connection)
    }

    /// The inbox of a callback URL that leads to this server; nil for other URLs.
    private func inbox(of callback: CallbackURL) -> String? {
        if let inbox = callback.inbox { return inbox }
        guard callback.kind == .web, let host = callback.host,
            let link = Link(path: Array(LinkURL(callback.description).path.utf8)[...]),
            case .work(.receiver(let receiver))? = routes.route(for: link, on: host)?.route.endpoint
        else { return nil }
        return receiver.inbox
    }

    /// Adds the flow to the path of a callback that leads to this server; returns others unchanged.
    ///
    /// So the emulator's own callbacks are always joined by name, never by a guess.
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

    /// Stores a launch and queues the callbacks that this server delivers for it.
    ///
    /// Throws 503 if the queue is full; the record notes it.
    private func keep(
        _ opened: inout OpenedLaunch, bringing deliveries: [Delivery], _ request: Request,
        over connection: inout Connection
    ) async throws(Problem) {
        let hasRoom = emulator.reserve(deliveries)
        opened.isOverload = !hasRoom
        let received = ReceivedRequest(request, body: [], masking: pseudonyms)
        do throws(Problem) {
            _ = try await append(
                opened.record(request: received.stored, masking: pseudonyms), over: &connection)
        } catch {
            if hasRoom { emulator.deliveries.withdraw(deliveries) }
            throw error
        }
        guard hasRoom else {
            throw Problem(
                status: .serviceUnavailable, kind: "too-many-deliveries",
                detail: "Too many callbacks are waiting for delivery, so nothing of this launch "
                    + "is delivered: open it again later.",
                fields: [("Retry-After", "5")])
        }
        emulator.deliveries.add(deliveries)
    }

    /// Throws 400 unless a launch of the flow is stored: a screen belongs to an opened launch.
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

    /// Redirects the browser; callbacks that a browser can't carry are already queued.
    private func answer(
        _ reply: EmulatorReply, over connection: inout Connection
    ) async throws(Problem) -> Response {
        // A client that prefers JSON acts as the device and opens the callbacks itself.
        if reply.request.prefersJSON { return reply.plan(.ok) }
        guard let first = reply.answers.first else { return reply.silence }
        if !LinkURL(first.url).isWebLink { return reply.links }
        if first.body != nil { return reply.deliveries }
        if first.after > .zero {
            let (_, ending) = await connection.whilePeerIsConnected {
                try? await Task.sleep(for: first.after)
            }
            if ending == .draining { throw Problem(StoreError.closed) }
        }
        return reply.redirect(to: first.url)
    }

    /// Chooses scenario and seed, in this order: the person's choice, the link, the planned
    /// sequence, `completed`.
    ///
    /// Throws 400 for a scenario that the launch doesn't support.
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

    /// The callbacks of a launch with their URLs; none until the person has decided.
    private func plan(
        _ opened: OpenedLaunch, _ decision: ScreenDecision?
    ) throws(Problem) -> [PlannedCallback] {
        guard let launch = opened.check.launch, let scenario = opened.scenario,
            let main = Launch.callbackParameter(of: opened.contract)
        else { return [] }
        if let value = decision?.value {
            guard let query = CallbackForm.query(of: value, in: opened.contract) else {
                throw Problem(
                    status: .badRequest, kind: "invalid-values",
                    detail: "The values aren't a JSON object: go back and correct them.")
            }
            let answer = opened.targets[main].flatMap {
                PlannedCallback($0, query, after: .zero, outcome: .completed)
            }
            return [answer].compactMap(\.self)
        }
        do throws(ScenarioError) {
            let app = VendorApp(
                launch, seed: opened.seed ?? 0,
                at: opened.receivedAt.unixMilliseconds / 1000)
            let former = flows.former(
                than: opened.flow, of: opened.contract, in: opened.inbox)
            return try app.answers(scenario).compactMap { answer in
                guard let callback = opened.targets[answer.callbackParameter ?? main] else {
                    return nil
                }
                let target = answer.isForFormerLaunch ? callback.ofFormerLaunch(former) : callback
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
    /// The inbox in a path of the built-in receiver.
    fileprivate var inbox: String? {
        let segments = LinkURL(description).path.split(separator: "/")
        guard segments.count >= 3, segments[0] == "callbacks" else { return nil }
        return Inbox.isValid(String(segments[2])) ? String(segments[2]) : nil
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
