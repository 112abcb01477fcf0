// Receives a list of callbacks in one request: each becomes a record of its own, and one response
// lists the receipts in the order of the list.
//
// Invariant: Idempotency-Key and signature belong to the whole request. If the request is repeated
// after only a part of its callbacks was stored, the rest is stored then, and nothing twice.

import HTTP1
import JSON
import Problems
import ResultAPI
import ResultStore

extension Application {
    /// A stored callback, as responses name it.
    private typealias Kept = (verdict: String, json: [UInt8])

    /// Stores the callbacks of a list; returns when all are durable.
    ///
    /// - Parameters:
    ///   - program: what the receiver answers, once for the list; nil for the usual answer.
    ///   - turn: the list's turn of `program`.
    func keep(
        _ records: [CallbackRecord], of arrival: Arrival, answering program: AnswerProgram?,
        _ turn: inout AnswerTurn?, over connection: inout Connection
    ) async throws(Problem) -> Reception {
        var records = records
        let place = arrival.key?.place(of: arrival.vendor, arrival.inbox)
        if let place, !idempotency.begin(place) { throw .keyInFlight }
        defer { if let place { idempotency.end(place) } }
        var kept: [Int: Kept] = [:]
        var newest: [Int: Int]?
        if let key = arrival.key { (kept, newest) = try await earlier(key, arrival, records) }
        let missing = records.indices.filter { kept[$0] == nil }
        for index in missing {
            await join(&records[index], of: arrival)
            records[index].record.keyClaim = newest.map {
                KeyClaim(follows: $0[index] ?? 0, part: index)
            }
        }
        if let program {
            let bytes = records.reduce(0) { $0 + $1.answerBytes(isPage: false) }
            let taken = program.take(answers.waits, holding: bytes)
            turn = taken
            let status = CallbackReply.status(
                ofBatch: records.indices.map { kept[$0]?.verdict ?? records[$0].record.verdict })
            for index in missing { records[index].record.answer = taken.note(usual: status) }
        }
        let stored = missing.map { records[$0].stored }
        let receipts = stored.isEmpty ? [] : try await append(stored, over: &connection)
        for (index, (record, receipt)) in zip(missing, zip(stored, receipts)) {
            flows.noteSpooled(receipt, of: record.flow, endingBy: record.request)
            let json = CallbackReply.receipt(
                id: receipt.id.description, sequence: receipt.knownSequence,
                verdict: record.verdict,
                outcome: record.outcome, flow: record.flow, diagnostics: record.diagnostics.json)
            kept[index] = (record.verdict, json)
        }
        var response = CallbackReply.response(
            toBatch: records.indices.compactMap { kept[$0] },
            isWaiting: receipts.contains { $0.knownSequence == nil })
        if missing.isEmpty {
            if arrival.key?.isDelivery == true, response.status == .created {
                response.status = .ok
            }
            response.add("Idempotent-Replayed", "true")
        }
        return .answered(response, new: receipts.map(\.id))
    }

    /// Decodes the callbacks of a list; O(size).
    ///
    /// Throws 413 if there are more than `Limits.maximumBatch`.
    ///
    /// - Parameter elements: JSON objects as they were written.
    func records(
        of elements: [ArraySlice<UInt8>], in arrival: Arrival
    ) throws(Problem) -> [CallbackRecord] {
        guard elements.count <= Limits.maximumBatch else {
            throw Problem(
                status: .contentTooLarge, kind: "batch-too-large",
                detail: """
                    The list has \(elements.count) callbacks: send at most \
                    \(Limits.maximumBatch) in one request.
                    """)
        }
        return elements.enumerated().map { index, element in
            let place = RecordRequest.BatchPlace(index: index, count: elements.count)
            return Self.record(of: message(of: arrival, Array(element), at: place), arrival)
        }
    }

    /// The callbacks of an earlier request with the same key that are stored, and the numbers of
    /// the newest records with the key; both by their place in the list.
    ///
    /// Throws 422 if that request was a different one.
    private func earlier(
        _ key: RepetitionKey, _ arrival: Arrival, _ records: [CallbackRecord]
    ) async throws(Problem) -> ([Int: Kept], newest: [Int: Int]) {
        let most = Limits.maximumBatch
        let (found, _) = try await earlier(
            key, arrival.vendor, arrival.inbox, reading: most, upTo: most
        ) { stored, request throws(Problem) -> (index: Int, sequence: Int, kept: Kept?)? in
            let index = request["batch"]?["index"]?.int
            let sequence = stored["seq"]?.int ?? 0
            guard let index, records.indices.contains(index),
                Self.isSame(request, records[index].record.request, by: key)
            else {
                if key.isDelivery { return (index ?? 0, sequence, nil) }
                throw Self.keyReused
            }
            let kept: Kept = (stored["verdict"]?.string ?? "", Self.receipt(of: stored))
            return (index, sequence, kept)
        }
        return (
            Dictionary(found.compactMap { one in one.kept.map { (one.index, $0) } }) { $1 },
            Dictionary(found.map { ($0.index, $0.sequence) }, uniquingKeysWith: max)
        )
    }

    /// Stores records in their order; returns when they are durable.
    private func append(
        _ records: [NewRecord], over connection: inout Connection
    ) async throws(Problem) -> [Receipt] {
        await connection.sendPending()
        do throws(StoreError) {
            let bytes = records.reduce(0) { $0 + $1.request.json.count }
            return try await api.largeWork.run(over: bytes) {
                [store] () async throws(StoreError) in try await store.append(records)
            }
        } catch {
            await undoJoining(records)
            metrics.count(error)
            log.error(
                "callbacks could not be stored",
                metadata: ["count": "\(records.count)", "reason": "\(error)"])
            throw Problem(error)
        }
    }
}
