// What a budget gives out, to whom, and when it comes back.

import Testing

@testable import HTTP1

struct MemoryBudgetTests {
    @Test("no more than the budget is given out, and what is given back can be taken again")
    func bounds() {
        let budget = MemoryBudget(bytes: 100)
        #expect(budget.take(60))
        #expect(!budget.take(41))
        #expect(budget.take(40))
        budget.give(60)
        #expect(budget.used == 40)
        #expect(budget.take(60))
    }

    @Test("more than all of it is given to a single holder, alone")
    func large() {
        let budget = MemoryBudget(bytes: 100)
        #expect(budget.take(1_000))
        #expect(!budget.take(1))
        budget.give(1_000)
        #expect(budget.take(1))
        #expect(!budget.take(1_000))
    }

    @Test("it is short while more than three quarters are taken")
    func shortage() {
        let budget = MemoryBudget(bytes: 100)
        #expect(budget.take(75) && !budget.isShort)
        #expect(budget.take(1) && budget.isShort)
        budget.give(1)
        #expect(!budget.isShort)
    }

    @Test("those that wait get theirs in their order, a small one not before a large one")
    func order() async {
        let budget = MemoryBudget(bytes: 100)
        #expect(budget.take(100))
        async let large = budget.permit(for: 80, within: 60_000)
        // Even no bytes are given out while somebody waits.
        while budget.take(0) { await Task.yield() }
        budget.give(50)
        #expect(!budget.take(1))
        #expect(await budget.permit(for: 10, within: 1) == nil)
        async let small = budget.permit(for: 10, within: 60_000)
        budget.give(50)
        let permits = await [large, small]
        #expect(permits.allSatisfy { $0 != nil })
        #expect(budget.used == 90)
    }

    @Test("a wait ends with its time, and with its task")
    func waitsEnd() async {
        let budget = MemoryBudget(bytes: 100)
        #expect(budget.take(100))
        #expect(await budget.permit(for: 1, within: 1) == nil)
        let task = Task { await budget.permit(for: 1, within: 60_000) == nil }
        task.cancel()
        #expect(await task.value)
        budget.give(100)
        #expect(budget.take(1))
    }

    @Test("a permit for finished content holds only that, and nothing when it ends")
    func permits() async {
        let budget = MemoryBudget(bytes: 100)
        let permit = await budget.permit(for: 50)
        permit?.finish(holding: 20)
        permit?.finish(holding: 30)
        #expect(budget.used == 20)
        _ = consume permit
        #expect(budget.used == 0)
    }

    @Test("finished content leaves all of the budget to others, while its own has room")
    func finishedContent() async {
        let budget = MemoryBudget(bytes: 100, finishedBytes: 40)
        let first = await budget.permit(for: 90)
        first?.finish(holding: 30)
        #expect(budget.used == 0 && !budget.isShort)
        let second = await budget.permit(for: 90)
        second?.finish(holding: 20)
        #expect(budget.used == 20)
        first?.release()
        let third = await budget.permit(for: 70)
        third?.finish(holding: 40)
        #expect(budget.used == 20 && budget.isShort)
        withExtendedLifetime((first, second, third)) {}
    }

    @Test("a connection's share grows only where there is room, and goes with the connection")
    func shares() {
        let budget = MemoryBudget(bytes: 100)
        do {
            var share = MemoryShare(of: budget)
            let outcomes = [share.grow(to: 40), share.grow(to: 30), share.grow(to: 101)]
            #expect(outcomes == [true, true, false])
            #expect(budget.used == 40)
            share.shrink(to: 10)
            #expect(budget.used == 10)
        }
        #expect(budget.used == 0)
    }
}
