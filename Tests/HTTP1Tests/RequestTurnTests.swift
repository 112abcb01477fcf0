// When a peer that sends without a pause makes way for others. Left out: the loop that lets them
// run.

import Testing

@testable import HTTP1

struct RequestTurnTests {
    @Test(
        "a turn ends by the bytes of the heads, and after 32 requests however small they are",
        arguments: [(1, 32), (2_048, 32), (16_384, 4), (65_535, 2), (262_144, 1)])
    func requests(headBytes: Int, count: Int) {
        var turn = RequestTurn(in: 7)
        for _ in 1..<count { turn.add(headBytes, in: 7) }
        #expect(!turn.isOver(in: 7))
        turn.add(headBytes, in: 7)
        #expect(turn.isOver(in: 7))
    }

    @Test("a turn begins with the first request of another round")
    func rounds() {
        var turn = RequestTurn(in: 7)
        turn.add(262_144, in: 7)
        #expect(!turn.isOver(in: 8))
        turn.add(1, in: 8)
        #expect(!turn.isOver(in: 8))
    }
}
