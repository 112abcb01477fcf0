// How often a message that peers can cause goes through; time is an argument.

import Testing

@testable import landfall

@Suite struct LogThrottleTests {
    @Test func oneMessageGoesThroughInEachIntervalAndTellsOfTheOthers() {
        let throttle = LogThrottle(interval: .seconds(10))
        let start = ContinuousClock.now
        let admitted = [0, 1, 9, 10, 11, 25].map { second in
            throttle.admit(at: start.advanced(by: .seconds(second)))
        }
        #expect(admitted == [0, nil, nil, 2, nil, 1])
    }
}
