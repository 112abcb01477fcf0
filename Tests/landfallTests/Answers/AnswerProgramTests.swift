// Answers of receivers' own: which callbacks fail, how many answers wait, and how many can be set.
// Left out: the requests themselves, see Tests/curl/answers.bats.

import Foundation
import Testing
import Vendors

@testable import HTTP1
@testable import Problems
@testable import Server
@testable import enum Server.Limits
@testable import Settings

@Suite struct AnswerProgramTests {
    private func program(_ change: (inout ProgrammedAnswer) -> Void) -> AnswerProgram {
        var answer = ProgrammedAnswer()
        change(&answer)
        return AnswerProgram(answer)
    }

    private func fields(_ response: Response?) -> String {
        String(decoding: response?.fieldLines ?? [], as: UTF8.self)
    }

    @Test(
        arguments: [
            (first: nil, every: nil, failing: []), (first: 3, every: nil, failing: [1, 2, 3]),
            (first: nil, every: 3, failing: [3, 6, 9]),
            (first: 2, every: 4, failing: [1, 2, 4, 8]),
            (first: nil, every: 1, failing: Array(1...10)),
        ] as [(first: Int?, every: Int?, failing: [Int])])
    func theNumberAloneDecidesWhatFails(first: Int?, every: Int?, failing: [Int]) {
        let program = program { ($0.failFirst, $0.failEvery) = (first, every) }
        let waits = WaitingAnswers()
        let turns = (1...10).map { _ in program.take(waits, holding: 0) }
        #expect(turns.map(\.number) == Array(1...10))
        #expect(turns.filter(\.isFailure).map(\.number) == failing)
        #expect(program.counts.answered == 10 && program.counts.failed == failing.count)
    }

    @Test func eachCallbackOfACrowdHasANumberOfItsOwn() async {
        let program = program { ($0.failFirst, $0.failEvery) = (3, 7) }
        let waits = WaitingAnswers()
        let turns = await withTaskGroup(of: [AnswerTurn].self) { group in
            for _ in 0..<64 {
                group.addTask { (0..<100).map { _ in program.take(waits, holding: 0) } }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(turns.map(\.number).sorted() == Array(1...6400))
        #expect(turns.count(where: \.isFailure) == 3 + 6400 / 7)
    }

    @Test func answersOfOneReceiverAndOfAllThatWaitAreBounded() {
        let waits = WaitingAnswers()
        let programs = (0..<5).map { _ in
            program { ($0.delayMilliseconds, $0.status) = (1000, 200) }
        }
        var turns: [(AnswerProgram, AnswerTurn)] = []
        for program in programs {
            for _ in 0..<300 { turns.append((program, program.take(waits, holding: 1 << 20))) }
        }
        #expect(turns.count { !$0.1.skipsDelay } == Limits.waitingAnswers)
        #expect(programs.map(\.counts.undelayed) == [50, 50, 50, 50, 300])
        for (program, turn) in turns { program.end(turn, waits) }
        #expect(!programs[4].take(waits, holding: 0).skipsDelay)
    }

    @Test func usualAnswersThatWaitAreBoundedByTheirBytes() {
        let waits = WaitingAnswers()
        let program = program { ($0.delayMilliseconds, $0.failFirst) = (1000, 1) }
        #expect(!program.take(waits, holding: .max).skipsDelay)
        let first = program.take(waits, holding: Limits.waitingAnswerBytes)
        #expect(!first.skipsDelay)
        let second = program.take(waits, holding: 1)
        #expect(second.skipsDelay && second.delayMilliseconds == 0)
        #expect(second.note(usual: .created).skipsDelay)
        #expect(fields(second.response(usual: Response(.ok))).contains("Landfall-Delay: skipped"))
        program.end(first, waits)
        program.end(second, waits)
        #expect(!program.take(waits, holding: 1).skipsDelay)
    }

    @Test(arguments: [
        (body: #"{"a":1}"#, type: "application/json"), (body: "[1]", type: "application/json"),
        (body: "ok", type: "text/plain; charset=utf-8"),
    ])
    func aBodyHasASensibleType(body: String, type: String) {
        let response = program { $0.body = body }.take(WaitingAnswers(), holding: 0).response
        #expect(response?.status == .ok)
        #expect(fields(response).contains("Content-Type: \(type)\r\n"))
    }

    @Test func ownFieldsTakeThePlaceOfTheUsualOnes() {
        let response = program {
            $0.headers = [
                .init(name: "content-type", value: "a/b"),
                .init(name: "cache-control", value: "max-age=1"),
            ]
            $0.body = "{}"
        }.take(WaitingAnswers(), holding: 0).response
        let lines = fields(response).lowercased()
        #expect(lines.contains("content-type: a/b\r\n") && !lines.contains("json"))
        #expect(lines.contains("cache-control: max-age=1\r\n") && !lines.contains("no-store"))
        #expect(lines.contains("referrer-policy: no-referrer\r\n"))
        #expect(lines.contains("content-security-policy: sandbox\r\n"))
    }

    @Test func withoutAnAnswerOfItsOwnOnlyFailuresDiffer() {
        let program = program { ($0.failFirst, $0.failStatus) = (1, 429) }
        let failure = program.take(WaitingAnswers(), holding: 0)
        #expect(failure.response?.status.code == 429)
        #expect(!fields(failure.response).contains("Retry-After"))
        let usual = program.take(WaitingAnswers(), holding: 0)
        #expect(usual.response == nil)
        #expect(usual.note(usual: .multi).status == 207)
    }

    @Test(arguments: [
        (status: 401, field: "WWW-Authenticate: Bearer realm=\"Landfall\"\r\n"),
        (status: 405, field: "Allow: OPTIONS\r\n"),
        (status: 407, field: "Proxy-Authenticate: Bearer realm=\"Landfall\"\r\n"),
    ])
    func aStatusHasTheFieldThatItMustHave(status: Int, field: String) {
        let program = program {
            ($0.failFirst, $0.failStatus, $0.failRetryAfterSeconds) = (1, status, 7)
            $0.status = status
        }
        let failure = fields(program.take(WaitingAnswers(), holding: 0).response)
        #expect(failure.contains(field) && failure.contains("Retry-After: 7\r\n"))
        #expect(fields(program.take(WaitingAnswers(), holding: 0).response).contains(field))
    }

    @Test func ownFieldsOfAStatusTakeThePlaceOfItsUsualOne() {
        let response = program {
            $0.status = 405
            $0.headers = [.init(name: "allow", value: "PUT")]
        }.take(WaitingAnswers(), holding: 0).response
        #expect(fields(response).contains("allow: PUT\r\n"))
        #expect(!fields(response).contains("Allow: "))
    }

    @Test func theAPISetsBoundedlyManyAnswers() throws {
        let answers = ReceiverAnswers()
        #expect(answers[.init(.welltory, "a")] == nil)
        for index in 0..<Limits.answers {
            try answers.set(ProgrammedAnswer(), at: .init(.welltory, "inbox\(index)"))
        }
        #expect(throws: Problem.self) {
            try answers.set(ProgrammedAnswer(), at: .init(.ailet, "a"))
        }
        try answers.set(ProgrammedAnswer(), at: .init(.welltory, "inbox0"))
        try answers.set(nil, at: .init(.welltory, "inbox0"))
        try answers.set(ProgrammedAnswer(), at: .init(.ailet, "a"))
        #expect(answers[.init(.ailet, "a")] != nil)
        #expect(answers[.init(.ailet, "b")] == nil && answers[.init(.raw, "a")] == nil)
        #expect(answers.all.map(\.place.inbox).first == "a")
    }

    @Test func theAPISetsBoundedlyManyBytes() throws {
        let answers = ReceiverAnswers()
        var answer = ProgrammedAnswer()
        answer.body = String(repeating: "a", count: ProgrammedAnswer.bodyBytes)
        let fitting = Limits.answerBytes / ProgrammedAnswer.bodyBytes
        for index in 0..<fitting { try answers.set(answer, at: .init(.raw, "inbox\(index)")) }
        #expect(throws: Problem.self) { try answers.set(answer, at: .init(.raw, "more")) }
        // The answer that is replaced doesn't count.
        try answers.set(answer, at: .init(.raw, "inbox0"))
        try answers.set(ProgrammedAnswer(), at: .init(.raw, "more"))
        #expect(answers.all.count == fitting + 1)
    }

    @Test func ofManyThatRequireTheSameStateOneSetsTheAnswer() async {
        let answers = ReceiverAnswers()
        let place = ReceiverAnswers.Place(.raw, "a")
        let changes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    let changed: Void? = try? answers.set(ProgrammedAnswer(), at: place) {
                        former throws(Problem) in
                        guard former == nil else { throw Problem(.preconditionFailed) }
                        // Meanwhile the others check their condition, if they can.
                        Thread.sleep(forTimeInterval: 0.02)
                    }
                    return changed != nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(changes == 1)
    }

    @Test func aStatusWithoutANameHasAnEmptyPhrase() {
        #expect(String(decoding: Status(code: 299).line, as: UTF8.self) == "HTTP/1.1 299 \r\n")
        #expect(Status(code: 503) == .serviceUnavailable)
    }
}
