// Receives callbacks, from head to response. Nothing received is lost: a callback that can't be
// decoded is stored too, with its diagnostics.

import Clocks
import Emulator
import HTTP1
import LinkHosting
import LinkPatterns
import Problems
import ResultAPI
import ResultStore
import Vendors

extension Application {
    /// Stores a callback and responds when it is durable: 201, or 422 if it can't be decoded.
    ///
    /// A JSON list of objects is stored as that many callbacks.
    ///
    /// A callback that repeats an earlier Idempotency-Key gets the earlier response. A webhook
    /// delivery with an invalid signature is also stored; the response is 401.
    ///
    /// - Parameters:
    ///   - contract: the contract that the receiver expects; nil detects it from the message.
    ///   - flow: the flow that the path names; nil if it names none.
    ///   - parameters: what the receiver's path captured.
    ///   - program: what the receiver answers; nil for the usual answer.
    func receive(
        _ request: Request, vendor: Vendor, contract: Contract? = nil, inbox: String,
        flow: String? = nil, capturing parameters: [(name: String, value: String)] = [],
        answering program: AnswerProgram? = nil, over connection: inout Connection
    ) async throws(Problem) -> Response {
        guard let program = answers[ReceiverAnswers.Place(vendor, inbox)] ?? program else {
            var turn: AnswerTurn?
            return try await receive(
                request, vendor: vendor, contract: contract, inbox: inbox, flow: flow,
                capturing: parameters, answering: nil, &turn, over: &connection)
        }
        return try await answer(by: program, over: &connection) {
            turn, connection throws(Problem) in
            try await receive(
                request, vendor: vendor, contract: contract, inbox: inbox, flow: flow,
                capturing: parameters, answering: program, &turn, over: &connection)
        }
    }

    /// Stores what a request brings, and responds.
    private func receive(
        _ request: Request, vendor: Vendor, contract: Contract?, inbox: String, flow: String?,
        capturing parameters: [(name: String, value: String)],
        answering program: AnswerProgram?, _ turn: inout AnswerTurn?,
        over connection: inout Connection
    ) async throws(Problem) -> Response {
        let receivedAt = Timestamp.now
        let key = try key(of: request, to: vendor)
        let arrival = Arrival(
            request: request, body: try await connection.content(upTo: callbackBodyBytes),
            receivedAt: receivedAt, vendor: vendor, contract: contract, inbox: inbox, flow: flow,
            key: key, parameters: parameters, site: site(of: request))
        let permit = try await api.memory(toDecode: arrival.body, and: arrival.repeatedBytes)
        defer { withExtendedLifetime(permit) {} }
        switch try await keep(arrival, answering: program, &turn, over: &connection) {
        case .answered(let response, _): return response
        case .callback(let callback, let receipt, let fault):
            if let fault { throw Self.refusal(of: fault, receipt) }
            guard key == nil, request.acceptsPages else {
                return Self.reply(to: callback.record, receipt)
            }
            let url = request.method == .get ? request.url : nil
            return await page(of: callback, receipt, url, arrival.site)
        }
    }

    /// The site whose link file may say that a link should have opened an app; nil for other
    /// requests.
    func site(of request: Request) -> Sites.Site? {
        request.method == .get ? sites.current.site(of: request.host) : nil
    }

    /// Stores what a request brings: one callback, as many as its body lists, or nothing for a
    /// repetition.
    ///
    /// All callbacks come here: received ones, adopted strays, and those that are sent again.
    ///
    /// - Parameters:
    ///   - program: what the receiver answers; nil for the usual answer.
    ///   - turn: the turn of `program`, once nothing refuses the request any more.
    func keep(
        _ arrival: Arrival, answering program: AnswerProgram? = nil, _ turn: inout AnswerTurn?,
        over connection: inout Connection
    ) async throws(Problem) -> Reception {
        let (request, vendor) = (arrival.request, arrival.vendor)
        // A closure over `self` would copy all of it for each callback.
        let content =
            request.bytes.count + arrival.body.count <= LongWork.receivedBytes
            ? try read(arrival)
            : try await api.largeWork.run { () throws(Problem) in try read(arrival) }
        var callback: CallbackRecord
        let fault: WebhookFault?
        switch consume content {
        case .list(let records):
            return try await keep(
                records, of: arrival, answering: program, &turn, over: &connection)
        case .callback(let record, let reason):
            callback = record
            fault = reason
        }
        if let fault {
            leaveFutureFlow(&callback)
            callback.finish()
            let receipt = try await append(callback.record, over: &connection)
            return .callback(callback, receipt, fault)
        }
        let place = arrival.key?.place(of: vendor, arrival.inbox)
        if let place, !idempotency.begin(place) { throw .keyInFlight }
        defer { if let place { idempotency.end(place) } }
        if let key = arrival.key {
            switch try await repetition(
                of: key, vendor: vendor, inbox: arrival.inbox, callback.record.request)
            {
            case .repeated(let response):
                // A retry is an attempt too, though nothing more is stored.
                turn = program?.take(answers.waits, holding: response.contentBytes ?? 0)
                return .answered(response, new: [])
            case .first(let claim): callback.record.keyClaim = claim
            }
        }
        await join(&callback, of: arrival)
        callback.record.link =
            request.target.count <= Limits.usualTargetBytes
            ? FallThrough(request, of: arrival.site)?.note
            : await api.largeWork.run { FallThrough(request, of: arrival.site)?.note }
        take(&turn, of: program, for: &callback, of: request)
        callback.finish()
        let receipt = try await append(callback.record, over: &connection)
        flows.noteSpooled(
            receipt, of: callback.record.flow, endingBy: callback.record.request)
        return .callback(callback, receipt, nil)
    }

    /// Decodes what a request brings; O(size).
    ///
    /// Throws 413 if a list has more than `Limits.maximumBatch` callbacks.
    private func read(_ arrival: Arrival) throws(Problem) -> ArrivalContent {
        let message = message(of: arrival)
        let fault = webhooks.fault(
            of: arrival.request, message.callback, arrival.body, to: arrival.vendor,
            pinned: arrival.contract, now: arrival.receivedAt.unixMilliseconds / 1000,
            isChanged: arrival.isChanged)
        if fault == nil, arrival.request.method == .post,
            let elements = message.callback.batch(for: arrival.vendor)
        {
            return .list(try records(of: elements, in: arrival))
        }
        return .callback(Self.record(of: message, arrival, fault), fault)
    }

    /// Takes a callback's turn at a receiver with an answer of its own, and notes it.
    private func take(
        _ turn: inout AnswerTurn?, of program: AnswerProgram?,
        for callback: inout CallbackRecord, of request: Request
    ) {
        guard let program else { return }
        let taken = program.take(
            answers.waits, holding: callback.answerBytes(isPage: request.acceptsPages))
        callback.record.answer = taken.note(
            usual: CallbackReply.status(of: callback.record.verdict))
        turn = taken
    }

    /// Decodes one callback of a request into the record that is stored.
    ///
    /// - Parameter fault: why the callback is not trusted; nil if it is.
    static func record(
        of message: ReceivedRequest, _ arrival: Arrival, _ fault: WebhookFault? = nil
    ) -> CallbackRecord {
        var callback = record(
            of: message, arrival.receivedAt, arrival.vendor, arrival.inbox,
            contract: arrival.contract)
        if let flow = arrival.flow { callback.record.flow = flow }
        if let fault {
            callback.diagnostics.insert(fault.diagnostic, at: 0)
            if callback.record.verdict == Verdict.decoded.rawValue {
                callback.record.verdict = Verdict.decodedWithWarnings.rawValue
            }
        }
        return callback
    }

    /// Decodes a callback into the record that is stored.
    ///
    /// - Parameter contract: the contract that the receiver expects; nil detects it from the
    ///   message.
    static func record(
        of message: ReceivedRequest, _ receivedAt: Timestamp, _ vendor: Vendor, _ inbox: String,
        contract: Contract? = nil
    ) -> CallbackRecord {
        let (decoding, request) = message.read(by: vendor, contract: contract)
        return CallbackRecord(
            decoding, receivedAt: receivedAt, inbox: inbox, vendor: vendor, request: request)
    }

    /// Assigns a callback to its flow: the one it names, or the one that its URL and the vendor's
    /// own values identify.
    ///
    /// If a candidate exists but none matches, or the flow that it names can't exist yet, adds a
    /// diagnostic that says why.
    func join(_ callback: inout CallbackRecord, of arrival: Arrival) async {
        let vendor = arrival.vendor
        let isWebhook = Contract.isWebhook(callback.record.contract)
        // A webhook is about an item and comes in addition to the callback; it joins only by naming
        // a flow.
        if isWebhook, callback.record.flow == nil { return }
        if let flowFollower, callback.record.flow != nil || vendor.declaration.currentLaunch != nil
        {
            await flowFollower.catchUp()
        }
        guard
            callback.record.flow != nil
                || flows.canAccept(vendor, in: callback.record.inbox, naming: nil)
        else { return }
        let receivedAt = callback.record.receivedAt
        if let flow = callback.record.flow, flows.mayHaveEnded(flow, at: receivedAt) {
            await readAgain(flow: flow)
        }
        let candidate = OpenFlows.Arrival(
            vendor: vendor, inbox: callback.record.inbox, flow: callback.record.flow,
            place: arrival.request.url.flatMap { OpenFlows.place(of: $0) },
            value: callback.record.result,
            isFinal: !isWebhook && callback.record.outcome != Outcome.inProgress.rawValue,
            request: callback.record.request)
        let membership =
            candidate.request.json.count <= LongWork.receivedBytes
            ? flows.take(candidate, at: receivedAt)
            : await api.largeWork.run { [flows] in flows.take(candidate, at: receivedAt) }
        callback.join(membership)
    }

    /// Leaves out a flow that can't exist yet, of a callback that ends none.
    func leaveFutureFlow(_ callback: inout CallbackRecord) {
        guard let flow = callback.record.flow, flows.inbox(of: flow) == nil else { return }
        callback.join(OpenFlows.unknown(flow, at: callback.record.receivedAt))
    }

    /// Takes back that records which could not be stored have begun or ended flows.
    func undoJoining(_ records: [NewRecord]) async {
        for flow in Set(records.compactMap(\.flow)) where flows.inbox(of: flow) != nil {
            await readAgain(flow: flow)
        }
    }

    /// Reads a flow from the store again, beside the event loops.
    func readAgain(flow: String) async {
        await api.work.run { [flows, store] in await flows.restore(flow, from: store) }
    }

    /// The page for a browser that followed a callback link, made beside the event loops.
    ///
    /// - Parameter goal: where a trigger leads, for people.
    func page(
        of callback: CallbackRecord, _ receipt: Receipt, _ url: LinkURL?, _ site: Sites.Site?,
        goal: String? = nil
    ) async -> Response {
        await api.largeWork.run {
            let record = callback.record
            return LandingPage(record, callback.diagnostics, receipt, url, site, goal: goal)
                .response { page in
                    CallbackReply.stored(
                        page, as: LandingPage.contentType, id: receipt.id.description,
                        verdict: record.verdict, isWaiting: receipt.knownSequence == nil)
                }
        }
    }

    /// The flow that a path names; throws 404 for an invalid flow id.
    package func flow(_ name: String?) throws(Problem) -> String? {
        guard let name else { return nil }
        guard FlowID.isValid(name.utf8) else {
            throw Problem(
                status: .notFound, kind: "unknown-flow",
                detail:
                    "After the inbox comes the id of a flow: a UUID of version 7 in lower case."
            )
        }
        return name
    }

    /// Stores a record; returns when it is durable.
    func append(
        _ record: NewRecord, over connection: inout Connection
    ) async throws(Problem) -> Receipt {
        await connection.sendPending()
        do throws(StoreError) {
            let receipt =
                record.request.json.count <= LongWork.loopBytes
                ? try await store.append(record)
                : try await api.largeWork.run { [store] () async throws(StoreError) in
                    try await store.append(record)
                }
            if accessLog != nil { connection.subject = receipt.id.description }
            return receipt
        } catch {
            await undoJoining([record])
            metrics.count(error)
            log.error(
                "a record could not be stored",
                metadata: [
                    "vendor": "\(record.vendor)", "reason": "\(error)",
                    "request_id": "\(connection.requestIDText)",
                ])
            throw Problem(error)
        }
    }

    /// The problem for a delivery that is stored but not trusted.
    private static func refusal(of fault: WebhookFault, _ receipt: Receipt) -> Problem {
        var problem = fault.problem
        problem.members = [
            ("id", Array("\"\(receipt.id)\"".utf8)),
            ("seq", Array((receipt.knownSequence.map { "\($0)" } ?? "null").utf8)),
        ]
        return problem
    }

    /// The usual response to a callback that is stored.
    static func reply(to record: NewRecord, _ receipt: Receipt) -> Response {
        CallbackReply.response(
            id: receipt.id.description, sequence: receipt.knownSequence, verdict: record.verdict,
            outcome: record.outcome, flow: record.flow, link: record.link,
            diagnostics: record.diagnostics.json)
    }
}
