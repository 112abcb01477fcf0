// Answers that receivers give in place of the usual ones: the routes that list, set and remove
// them, and the wait before one is sent.
//
// Invariant: an answer waits after its callback is durable, and while it waits it holds neither
// memory of the body nor an idempotency key.

import HTTP1
import JSON
import LinkPatterns
import Problems
import ResultAPI
import ResultStore
import Settings
import Vendors

extension Application {
    /// Maximum bytes of an answer in the API, where JSON escapes the body.
    private static let answerBytes = 512 * 1024

    /// Receives a callback at a receiver with an answer of its own.
    ///
    /// What is refused before it is stored, or as not trusted, gets its usual problem and counts
    /// for nothing. Never inlined: keeps the async frame of other callbacks small.
    ///
    /// - Parameter receive: stores the callback, and takes the turn.
    @inline(never)
    func answer(
        by program: AnswerProgram, over connection: inout Connection,
        _ receive: (inout AnswerTurn?, inout Connection) async throws(Problem) -> Response
    ) async throws(Problem) -> Response {
        var turn: AnswerTurn?
        defer { if let turn { program.end(turn, answers.waits) } }
        let usual = try await receive(&turn, &connection)
        guard let turn else { return usual }
        if turn.delayMilliseconds > 0 {
            connection.releaseBody()
            let delay = Duration.milliseconds(turn.delayMilliseconds)
            _ = await connection.whilePeerIsConnected { try? await Task.sleep(for: delay) }
        }
        return turn.response(usual: usual)
    }

    /// `GET /api/v1/receivers`: the receivers of the configuration, then the places that the API has
    /// given an answer.
    func listReceivers(_ request: Request) throws(Problem) -> Response {
        try QueryParameters(request).requireNone()
        var json = JSONWriter()
        json.object { json in
            json.array("receivers") { json in
                for (index, receiver) in routes.receivers.enumerated() {
                    let place = ReceiverAnswers.Place(receiver.vendor, receiver.inbox)
                    let set = answers[place]
                    Self.write(
                        receiver.host, receiver.path, place, set ?? answers.configured[index],
                        set == nil ? "configuration" : "api", to: &json)
                }
                for (place, program) in answers.all {
                    Self.write(nil, Self.path(of: place), place, program, "api", to: &json)
                }
            }
        }
        return ResultAPI.uncached(json.bytes)
    }

    /// `/api/v1/receivers/{vendor}/{inbox}/answer`: what callbacks of a vendor to an inbox get.
    func programAnswer(
        _ parameters: Parameters?, _ request: Request, over connection: inout Connection
    ) async throws(Problem) -> Response {
        try QueryParameters(request).requireNone()
        let place = ReceiverAnswers.Place(
            try ResultAPI.vendor(parameters?["vendor"]), try Inbox.name(in: parameters?["inbox"]))
        func state(_ program: AnswerProgram?) -> [UInt8] {
            var json = JSONWriter()
            Self.write(nil, Self.path(of: place), place, program, "api", to: &json)
            return json.bytes
        }
        var answer: ProgrammedAnswer?
        switch request.method {
        case .put:
            let body = try await connection.content(upTo: Self.answerBytes)
            answer = try await api.largeWork.run(over: body.count) { () throws(Problem) in
                try ProgrammedAnswer(body)
            }
        case .delete: break
        default: return try ResultAPI.state(state(answers[place]), for: request)
        }
        try answers.set(answer, at: place) { former throws(Problem) in
            _ = try ResultAPI.state(state(former), for: request)
        }
        return ResultAPI.uncached(state(answers[place]))
    }

    private static func path(of place: ReceiverAnswers.Place) -> String {
        ReceiverPath.path(vendor: place.vendor, inbox: place.inbox)
    }

    private static func write(
        _ host: String?, _ path: String, _ place: ReceiverAnswers.Place, _ program: AnswerProgram?,
        _ source: String, to json: inout JSONWriter
    ) {
        let counts = program?.counts ?? AnswerProgram.Counts()
        json.object { json in
            json.member("host", host)
            json.member("path", path)
            json.member("vendor", place.vendor.rawValue)
            json.member("inbox", place.inbox)
            json.member("source", program == nil ? nil : source)
            json.key("answer")
            if let program { program.answer.write(to: &json) } else { json.null() }
            json.member("answered", counts.answered)
            json.member("failed", counts.failed)
            json.member("undelayed", counts.undelayed)
        }
    }
}

extension ProgrammedAnswer {
    /// Reads the body of a request; throws 400 with what is wrong.
    init(_ body: [UInt8]) throws(Problem) {
        self.init()
        let members = try JSONMembers(body, known: Self.members)
        for (name, range, path) in Self.numbers {
            self[keyPath: path] = try members.number(name, in: range)
        }
        self.body = try members.text("body")
        headers = try members.texts("headers").map { Field(name: $0.name, value: $0.value) }
        do throws(Fault) {
            try check()
        } catch {
            throw JSONMembers.refusal(error.member, "Expected \(error.expected).")
        }
    }

    /// Writes all members; those that aren't set are null.
    func write(to json: inout JSONWriter) {
        json.object { json in
            for (name, _, path) in Self.numbers { json.member(name, self[keyPath: path]) }
            json.object("headers") { json in
                for field in headers { json.member(field.name, field.value) }
            }
            json.member("body", body)
        }
    }
}
