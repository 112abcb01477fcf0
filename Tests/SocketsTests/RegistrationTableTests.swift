// Slots and generations: an event that was on its way when its descriptor was closed is dropped,
// although the slot (and the descriptor's number) may be in use again.

import Testing

@testable import Sockets

struct RegistrationTableTests {
    @Test("an id finds its registration until it is removed")
    func lifetime() {
        var table = RegistrationTable()
        let first = table.insert()
        let second = table.insert()
        #expect(table[first.id] === first)
        #expect(table[second.id] === second)
        table.remove(first)
        #expect(table[first.id] == nil)
        #expect(table[second.id] === second)
    }

    @Test("an event for a closed descriptor is dropped when its slot is in use again")
    func generation() {
        var table = RegistrationTable()
        let closed = table.insert()
        table.remove(closed)
        let successor = table.insert()
        #expect(table.slots.count == 1)
        #expect(successor.id != closed.id)
        #expect(table[closed.id] == nil)
        #expect(table[successor.id] === successor)
    }

    @Test("removing twice frees one slot")
    func removeTwice() {
        var table = RegistrationTable()
        let registration = table.insert()
        table.remove(registration)
        table.remove(registration)
        let successors = [table.insert(), table.insert()]
        #expect(successors[0].id & 0xFFFF_FFFF != successors[1].id & 0xFFFF_FFFF)
        table.remove(registration)
        #expect(successors.allSatisfy { table[$0.id] === $0 })
    }

    @Test(
        "ids that nobody was given find nothing",
        arguments: [
            0, 1, RegistrationTable.wakeupID, 5 << 32, .max >> 1,
        ] as [UInt64])
    func unknownID(_ id: UInt64) {
        var table = RegistrationTable()
        _ = table.insert()
        #expect(table[id] == nil)
    }

    @Test("ten thousand comings and goings use as many slots as were open at once")
    func reuse() {
        var table = RegistrationTable()
        var open: [Registration] = []
        var seen: Set<UInt64> = []
        for round in 0..<10_000 {
            let registration = table.insert()
            #expect(seen.insert(registration.id).inserted)
            open.append(registration)
            if open.count == 10 { table.remove(open.remove(at: round % 10)) }
        }
        #expect(table.slots.count == 10)
    }
}
