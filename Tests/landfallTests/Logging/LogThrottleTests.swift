// How often a message that peers can cause goes through; time is an argument.

import Testing

@testable import ProgramLog

@Suite struct LogThrottleTests {
    @Test func aBurstGoesThroughAndThenOneLineInEachInterval() {
        var throttle = LogThrottle(burst: 3, milliseconds: 1000, messages: 9)
        let moments: [UInt64] = [0, 0, 0, 0, 999, 1000, 1000, 2500, 60_000, 60_000, 60_000, 60_000]
        let admitted = moments.map { throttle.admit("a", at: 5000 + $0) }
        #expect(
            admitted == [
                true, true, true, false, false, true, false, true, true, true, true, false,
            ])
        let suppressed = [throttle.takeSuppressed(), throttle.takeSuppressed()]
        #expect(suppressed == [[.init(message: "a", lines: 4)], []])
    }

    @Test func messagesAreCountedEachForItself() {
        var throttle = LogThrottle(burst: 1, milliseconds: 1000, messages: 9)
        let admitted = ["a", "b", "b"].map { throttle.admit($0, at: 0) }
        #expect(admitted == [true, true, false])
        let suppressed = throttle.takeSuppressed()
        #expect(suppressed == [.init(message: "b", lines: 1)])
    }

    @Test func messagesThatAreTooManyShareOneCount() {
        var throttle = LogThrottle(burst: 1, milliseconds: 1000, messages: 2)
        let admitted = ["a", "b", "c", "d", "e", "a"].map { throttle.admit($0, at: 0) }
        #expect(admitted == [true, true, true, false, false, false])
        let suppressed = throttle.takeSuppressed()
        #expect(
            suppressed == [
                .init(message: "(others)", lines: 2), .init(message: "a", lines: 1),
            ])
    }
}
