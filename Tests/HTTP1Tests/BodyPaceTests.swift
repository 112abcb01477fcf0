// How slowly a body may come: what was fast before buys no patience later.

import TestClient
import Testing

@testable import HTTP1

struct BodyPaceTests {
    private static let rule = BodyPace.Rule(milliseconds: 10_000, bytesPerSecond: 1_024)

    @Test("no pause is longer than the rule's, however much has come before")
    func pause() {
        var pace = BodyPace()
        #expect(pace.patience(Self.rule) == 10_000)
        pace.note(4_000_000, after: 1, Self.rule)
        #expect(pace.patience(Self.rule) == 10_000)
    }

    @Test("a body that drips in has as long as one that pauses", arguments: [1, 100, 1_000])
    func drip(milliseconds: UInt64) {
        var pace = BodyPace()
        var time: UInt64 = 0
        while pace.patience(Self.rule) >= milliseconds, time < 60_000 {
            pace.note(1, after: milliseconds, Self.rule)
            time += milliseconds
        }
        #expect(time <= 10_000)
    }

    @Test(
        "a body that comes at the slowest rate or faster comes to its end",
        arguments: [(1_024, 1_000), (10_240, 9_999), (2_048, 1_500), (20_000, 6_000)])
    func even(count: Int, milliseconds: UInt64) {
        var pace = BodyPace()
        for _ in 0..<1_000 {
            #expect(pace.patience(Self.rule) >= milliseconds)
            pace.note(count, after: milliseconds, Self.rule)
        }
    }

    @Test("with a stricter rule, the patience of a slow body ends sooner")
    func hurry() {
        var pace = BodyPace()
        pace.note(2_000, after: 1_500, Self.rule)
        let strict = BodyPace.Rule(milliseconds: 2_000, bytesPerSecond: 16_384)
        #expect(pace.patience(strict) == 500)
    }
}
