// From which moment on `since` finds results: that moment is the first.

import Clocks
import ResultStore
import Testing

@testable import ResultAPI

@Suite struct SinceTests {
    private static let midnight = Timestamp(unixMilliseconds: 1_795_132_800_000)

    @Test(arguments: [
        "2026-11-20", "2026-11-20T00:00:00Z", "2026-11-20t02:00:00.000+02:00",
        "2026-11-20T02:00:00 02:00",
    ])
    func aTimeItselfIsFound(text: String) {
        #expect(
            ResultAPI.condition(since: text, catalog: .all)
                == Condition.compare(.receivedAt, .greaterOrEqual, .time(Self.midnight)))
        #expect(ResultAPI.time(since: text, catalog: .all) == Self.midnight)
        // That parameter leaves out its own moment.
        #expect(ResultAPI.receivedAfter(since: text) == "2026-11-19T23:59:59.999Z")
    }

    @Test(arguments: [
        ("7d", "-7d"), ("-12h", "-12h"), ("soon", "soon"),
        ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"),
    ])
    func anythingElseStaysAsItIs(text: String, value: String) {
        #expect(ResultAPI.receivedAfter(since: text) == value)
    }
}
