// Maps errors of the store to responses.

import HTTP1
import Problems
import ResultStore
import Text

extension Problem {
    /// Another request with the same idempotency key is being stored.
    package static let keyInFlight = Problem(
        status: .conflict, kind: "idempotency-key-in-flight",
        detail: "The first request with this key or webhook id is still in progress: try again.",
        fields: [("Retry-After", "1")])

    /// The problem for an error of the store.
    package init(_ error: StoreError) {
        switch error {
        case _ where error.isFull:
            self.init(
                status: .insufficientStorage, kind: "disk-full",
                detail:
                    "The disk is full, so the request was not carried out. Make room and send it "
                    + "again.",
                fields: [("Retry-After", "30")])
        case .cancelled:
            self.init(
                status: .badRequest, kind: "client-left",
                detail: "The query was ended, because its client shut down its side of the "
                    + "connection: keep it open until the response has come.")
        case .closed:
            self.init(
                status: .serviceUnavailable, kind: "stopping",
                detail: "The server is stopping: send the request again in a moment.",
                fields: [("Retry-After", "5")])
        case .rebuilding(let done, let total):
            self.init(
                status: .serviceUnavailable, kind: "index-rebuilding",
                detail:
                    "The index is being rebuilt from the files; callbacks are stored meanwhile. "
                    + "Try again in a moment.",
                fields: [("Retry-After", "2")],
                members: [
                    ("done_bytes", Array("\(done)".utf8)), ("total_bytes", Array("\(total)".utf8)),
                ])
        case .noDescriptor:
            self.init(
                status: .serviceUnavailable, kind: "service-unavailable",
                detail: "The server can open no more files; try again in a moment.",
                fields: [("Retry-After", "5")])
        case .database:
            self.init(
                status: .serviceUnavailable, kind: "database-unavailable",
                detail:
                    "The database can't be used at the moment, and the server's log says why. Send "
                    + "the request again.",
                fields: [("Retry-After", "2")])
        case .partlyErased(let count, let error):
            let problem = Problem(error)
            self.init(
                status: problem.status, kind: problem.kind,
                detail:
                    "\(problem.detail) At least \(count.counted("result")) are erased already.",
                fields: problem.fields)
        case .keyTaken: self = .keyInFlight
        case .numberTaken(let number):
            self.init(
                status: .conflict, kind: "number-taken",
                detail: "The store has records with seq \(number) or more already.")
        case .damaged(let segment, let offset):
            self.init(
                status: .internalServerError, kind: "damaged-record",
                detail:
                    "The stored record is damaged: see byte \(offset) of results/\(segment).")
        case .unreadableRow(let sequence):
            self.init(
                status: .internalServerError, kind: "damaged-record",
                detail:
                    "The record with seq \(sequence) can't be read: it is damaged, or a newer "
                    + "program's.")
        case .full, .locked, .file, .syncFailed, .index, .unreadable, .erased:
            self.init(
                status: .internalServerError, kind: "store-failed",
                detail: "The store failed; the server's log says why.")
        }
    }
}
