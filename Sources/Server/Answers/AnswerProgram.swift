// A receiver's answer while it is in force: how often it was given, and to whom it fails.
//
// Invariant: each callback has a number of its own, however many arrive at once, and its number
// alone decides whether it fails. Left out: which receiver has which answer, and waiting.

import HTTP1
import Problems
import ResultStore
import Settings
import Synchronization

/// The answer of one receiver, and its counters since it was set.
package final class AnswerProgram: Sendable {
    /// How often the answer was given.
    package struct Counts: Sendable, Equatable {
        package var answered = 0
        package var failed = 0
        /// Answers that should have waited, but too many others did.
        package var undelayed = 0
        /// Answers that wait now.
        var waiting = 0
    }

    let answer: ProgrammedAnswer
    private let state = Mutex(Counts())
    /// Nil for the usual answer.
    private let success: Response?
    private let failure: Response

    package init(_ answer: ProgrammedAnswer) {
        self.answer = answer
        success = answer.isOwn ? Self.success(answer) : nil
        failure = Self.failure(answer)
    }

    package var counts: Counts { state.withLock { $0 } }

    /// Counts a callback, and reserves its wait; after that, `end` must follow.
    ///
    /// - Parameter bytes: of the usual answer, at most.
    package func take(_ waits: WaitingAnswers, holding bytes: Int) -> AnswerTurn {
        state.withLock { counts in
            counts.answered += 1
            let number = counts.answered
            let fails = answer.fails(number)
            if fails { counts.failed += 1 }
            let response = fails ? failure : success
            let bytes = response == nil ? bytes : 0
            var delay = answer.delayMilliseconds ?? 0
            let skips =
                delay > 0
                && (counts.waiting >= Limits.waitingAnswersOfReceiver || !waits.begin(bytes))
            if skips {
                counts.undelayed += 1
                delay = 0
            } else if delay > 0 {
                counts.waiting += 1
            }
            return AnswerTurn(
                number: number, isFailure: fails, delayMilliseconds: delay, skipsDelay: skips,
                heldBytes: bytes, response: response)
        }
    }

    /// Releases what a turn has reserved.
    package func end(_ turn: AnswerTurn, _ waits: WaitingAnswers) {
        guard turn.delayMilliseconds > 0 else { return }
        state.withLock { $0.waiting -= 1 }
        waits.end(turn.heldBytes)
    }

    private static func success(_ answer: ProgrammedAnswer) -> Response {
        let body = answer.body ?? ""
        var response = Response(Status(code: answer.status ?? 200), body: Array(body.utf8))
        let names = Set(answer.headers.map { $0.name.lowercased() })
        for field in answer.headers { response.add(field.name, field.value) }
        if !body.isEmpty, !names.contains("content-type") {
            let isJSON = body.first == "{" || body.first == "["
            response.add(
                "Content-Type", isJSON ? "application/json" : "text/plain; charset=utf-8")
        }
        // The URL of a callback carries health data.
        let usual: [(name: String, value: String)] = [
            ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"),
        ]
        for (name, value) in usual + required(by: response.status)
        where !names.contains(name.lowercased()) {
            response.add(name, value)
        }
        // A script in the body would have the origin, and so the credentials, of the page.
        response.add("Content-Security-Policy", "sandbox")
        return response
    }

    private static func failure(_ answer: ProgrammedAnswer) -> Response {
        let status = Status(code: answer.failStatus ?? 503)
        var fields = required(by: status)
        if let seconds = answer.failRetryAfterSeconds {
            fields.append(("Retry-After", "\(seconds)"))
        }
        var response = Problem(
            status: status, kind: "programmed-failure",
            detail: "The callback is stored; this receiver is set to fail, to test retries.",
            fields: fields
        ).response
        response.add("Referrer-Policy", "no-referrer")
        return response
    }

    /// The field that a status must have: a challenge (RFC 9110 §11.6.1, §11.7.1), or the methods
    /// that work nevertheless (§15.5.6).
    private static func required(by status: Status) -> [(name: String, value: String)] {
        switch status.code {
        case 401: [("WWW-Authenticate", challenge)]
        case 405: [("Allow", "OPTIONS")]
        case 407: [("Proxy-Authenticate", challenge)]
        default: []
        }
    }

    /// Not Basic: browsers would ask for a password.
    private static let challenge = "Bearer realm=\"Landfall\""
}

/// What one callback gets from a receiver with an answer of its own.
package struct AnswerTurn: Sendable {
    /// From 1, since the answer was set.
    package let number: Int
    package let isFailure: Bool
    package let delayMilliseconds: Int
    package let skipsDelay: Bool
    /// Bytes of the usual answer, which is kept while it waits; 0 for an answer that many share.
    let heldBytes: Int
    /// Nil for the usual answer.
    let response: Response?

    /// What the record says of the answer.
    ///
    /// - Parameter status: of the usual answer.
    func note(usual status: Status) -> AnswerNote {
        AnswerNote(
            status: response?.status.code ?? status.code, isFailure: isFailure, number: number,
            delayMilliseconds: delayMilliseconds, skipsDelay: skipsDelay)
    }

    /// The response in place of the usual one.
    func response(usual: Response) -> Response {
        var response = response ?? usual
        if skipsDelay { response.add("Landfall-Delay", "skipped") }
        return response
    }
}

/// Counts the answers of all receivers that wait.
package final class WaitingAnswers: Sendable {
    private let state = Mutex((count: 0, bytes: 0))

    package init() {}

    /// Takes a place for an answer; false if all are taken.
    ///
    /// After true, `end` must follow.
    func begin(_ bytes: Int) -> Bool {
        state.withLock { state in
            guard state.count < Limits.waitingAnswers,
                bytes <= Limits.waitingAnswerBytes - state.bytes
            else { return false }
            state.count += 1
            state.bytes += bytes
            return true
        }
    }

    /// Releases a place.
    func end(_ bytes: Int) {
        state.withLock { state in
            state.count -= 1
            state.bytes -= bytes
        }
    }
}
