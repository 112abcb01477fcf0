// Handles launch links in the vendor's place: checks them as the vendor's app would, stores them,
// and sends the callbacks of a scenario.
//
// Invariant: the launch is durable before any response. An invalid launch gets the app's own
// reaction, and its record says why.

import Clocks
import Emulator
import Foundation
import HTTP1
import LinkPatterns
import Problems
import ResultStore
import Vendors

extension Application {
    /// Maximum bytes of a form that the emulated screen submits.
    static let screenBytes = 1024 * 1024

    /// `GET` or `POST` of `/emulate/…` or of a vendor's own host: runs the emulated app on a
    /// launch.
    func emulate(
        _ contract: Contract, isOwnHost: Bool, _ request: Request,
        over connection: inout Connection
    ) async throws(Problem) -> Response {
        let receivedAt = Timestamp.now
        let body = try await connection.content(upTo: Self.screenBytes)
        let permit = try await api.memory(toDecode: body, and: request.bytes.count)
        defer { withExtendedLifetime(permit) {} }
        let bytes = request.bytes.count + body.count
        let (controls, decision) = try await api.largeWork.run(overReceived: bytes) {
            () throws(Problem) in
            (
                try EmulatorControls(request, of: contract, isOwnHost: isOwnHost),
                try ScreenDecision(body, of: request)
            )
        }
        if let decision {
            try await requireLaunch(of: decision.flow, contract, over: &connection)
        }
        let plan = try await api.largeWork.run(overReceived: bytes) { () throws(Problem) in
            try EmulationPlan(
                request, of: contract, isOwnHost: isOwnHost, controls, decision, at: receivedAt,
                by: emulator, flows, receiverInbox: inbox)
        }
        try await keep(plan, request, over: &connection)
        emulator.subjects.remember(plan)
        emulator.items.remember(plan)
        let reply = EmulatorReply(plan, request)
        // The app may take long until it redirects.
        if reply.pause > .zero { permit?.release() }
        try await wait(for: reply, over: &connection)
        return await api.largeWork.run(overReceived: bytes) { reply.response }
    }

    /// `GET /emulate/…` or of the vendor's own host: the vendor's public page about a result.
    func showShared(_ page: SharedPage, of contract: Contract, _ request: Request)
        -> Response
    {
        emulator.subjects.page(
            of: contract, page, naming: request.query.flatMap { page.id(in: $0) })
    }

    /// The inbox of a callback URL that leads to this server; nil for other URLs.
    private func inbox(of callback: CallbackURL) -> String? {
        let url = LinkURL(callback.description)
        if let inbox = url.receiverPath?.inbox, Inbox.isValid(inbox) { return inbox }
        guard callback.kind == .web, let host = callback.host,
            let link = Link(path: Array(url.path.utf8)[...]),
            case .work(.receiver(let receiver, _))? = routes.route(for: link, on: host)?.route
                .endpoint
        else { return nil }
        return receiver.inbox
    }

    /// Stores a launch and queues the callbacks that this server delivers for it.
    ///
    /// Throws 503 if the queue is full; the record notes it.
    private func keep(
        _ plan: EmulationPlan, _ request: Request, over connection: inout Connection
    ) async throws(Problem) {
        let hasRoom = emulator.reserve(plan.deliveries)
        let record = await api.largeWork.run(overReceived: request.bytes.count) {
            plan.opened.record(
                request: ReceivedRequest(request, body: [], masking: pseudonyms).stored,
                isOverload: !hasRoom, masking: pseudonyms)
        }
        let receipt: Receipt
        do throws(Problem) {
            receipt = try await append(record, over: &connection)
        } catch {
            if hasRoom { emulator.deliveries.withdraw(plan.deliveries) }
            throw error
        }
        guard hasRoom else {
            throw Problem(
                status: .serviceUnavailable, kind: "too-many-deliveries",
                detail: "Too many callbacks are waiting for delivery, so nothing of this launch "
                    + "is delivered: open it again later.",
                fields: [("Retry-After", "5")])
        }
        flows.add(record, receipt, callback: plan.opened.check.callback?.description)
        emulator.deliveries.add(plan.deliveries, of: receipt)
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

    /// Waits as long as the vendor's app takes until it redirects the browser; callbacks that a
    /// browser can't carry are already queued.
    private func wait(
        for reply: EmulatorReply, over connection: inout Connection
    ) async throws(Problem) {
        let pause = reply.pause
        guard pause > .zero else { return }
        connection.releaseBody()
        let (_, ending) = await connection.whilePeerIsConnected {
            try? await Task.sleep(for: pause)
        }
        if ending == .draining { throw Problem(StoreError.closed) }
    }
}
