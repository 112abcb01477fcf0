// How much of one peer is served before the other tasks of its loop get their turn.
//
// Invariant: what a request costs the loop grows with its head, so the turn ends by bytes; small
// heads count as `Limits.leastTurnBytes` each. Left out: bodies and responses, whose parts wait for
// the socket.

/// The requests of one connection since its loop last looked at its descriptors.
struct RequestTurn {
    private var round: UInt64
    private var bytes = 0

    /// Begins a turn in a round of the loop.
    init(in round: UInt64) { self.round = round }

    /// Whether others get their turn before the next request, in this round of the loop.
    func isOver(in round: UInt64) -> Bool { round == self.round && bytes >= Limits.turnBytes }

    /// Counts a request by the size of its head; in another round, a turn begins with it.
    mutating func add(_ headBytes: Int, in round: UInt64) {
        if round != self.round { self = RequestTurn(in: round) }
        bytes += max(headBytes, Limits.leastTurnBytes)
    }
}
