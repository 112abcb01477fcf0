// When the heap is trimmed, and what that frees.

import Sockets
import Testing

@testable import Server

@Suite struct HeapTrimmingTests {
    private static let megabyte: Int64 = 1024 * 1024

    @Test func aSmallProcessIsLeftAlone() {
        var schedule = HeapTrimming.Schedule()
        let due = (0..<100).map { _ in schedule.isDue(30 * Self.megabyte) }
        #expect(!due.contains(true))
    }

    @Test func aLargeProcessIsTrimmedWhenItGrowsAndNowAndThen() {
        var schedule = HeapTrimming.Schedule()
        let whenLarge = schedule.isDue(200 * Self.megabyte)
        schedule.noteTrim(100 * Self.megabyte)
        let soonAfter = schedule.isDue(104 * Self.megabyte)
        let whenGrown = schedule.isDue(109 * Self.megabyte)
        schedule.noteTrim(108 * Self.megabyte)
        #expect(whenLarge && !soonAfter && whenGrown)
        let due = (0..<10).map { _ in schedule.isDue(108 * Self.megabyte) }
        #expect(due.firstIndex(of: true) == 4)
    }

    @Test func freedBlocksBetweenOthersGoBackToTheSystem() throws {
        // Each second block is freed: no heap can shrink at its end.
        var blocks = (0..<2000).map { _ in [UInt8](repeating: 1, count: 100_000) }
        let full = try #require(ProgramHeap.residentBytes)
        for index in stride(from: 0, to: blocks.count, by: 2) { blocks[index] = [] }
        ProgramHeap.trim()
        let trimmed = try #require(ProgramHeap.residentBytes)
        #expect(full - trimmed > 50 * Self.megabyte)
        #expect(blocks.count { !$0.isEmpty } == 1000)
    }
}
