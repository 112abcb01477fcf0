// The space that is reserved for erasing: a start finds it as the process before left it.

import Testing

@testable import ResultStore

@Suite struct ReserveTests {
    private static let bytes: Int64 = 200_000

    /// The reserve as a start finds it, with so much free space besides.
    private func open(_ folder: TemporaryFolder, free: Int64) throws -> Reserve {
        let reserve = Reserve(root: folder.path, space: { _ in (1 << 40, free) })
        try reserve.open()
        return reserve
    }

    private func expect(
        _ reserve: Reserve, isHeld: Bool, in folder: TemporaryFolder
    ) throws {
        #expect(reserve.isMissing == !isHeld)
        #expect(try folder.bytes(of: "reserve").count == (isHeld ? Int(Self.bytes) : 0))
    }

    @Test func aReserveThatIsHeldStaysHeldWhateverIsFreeAtAStart() throws {
        let folder = try TemporaryFolder()
        try open(folder, free: 2 * Self.bytes).keep(Self.bytes)
        let content = try folder.bytes(of: "reserve")
        for free in [0, Self.bytes, 9 * Self.bytes] {
            let reserve = try open(folder, free: free)
            try expect(reserve, isHeld: true, in: folder)
            reserve.keep(Self.bytes)
            try expect(reserve, isHeld: true, in: folder)
            #expect(try folder.bytes(of: "reserve") == content)
        }
    }

    @Test(arguments: [bytes - 1, bytes])
    func whatAStartHasReleasedIsTakenBackIfThereIsRoomForIt(free: Int64) throws {
        let folder = try TemporaryFolder()
        try open(folder, free: 2 * Self.bytes).keep(Self.bytes)
        let reserve = try open(folder, free: free)
        #expect(reserve.giveUp())
        try expect(reserve, isHeld: false, in: folder)
        reserve.keep(Self.bytes)
        try expect(reserve, isHeld: free >= Self.bytes, in: folder)
    }

    @Test(arguments: [bytes, 2 * bytes - 1, 2 * bytes])
    func whatAnEarlierProcessHadReleasedIsTakenBackIfTwiceAsMuchIsFree(free: Int64) throws {
        let folder = try TemporaryFolder()
        let first = try open(folder, free: 2 * Self.bytes)
        first.keep(Self.bytes)
        #expect(first.giveUp() && !first.giveUp())
        let reserve = try open(folder, free: free)
        try expect(reserve, isHeld: false, in: folder)
        #expect(!reserve.giveUp())
        reserve.keep(Self.bytes)
        try expect(reserve, isHeld: free >= 2 * Self.bytes, in: folder)
        #expect(reserve.take() == (free >= 2 * Self.bytes))
    }

    @Test(
        arguments: [
            (1, 600_000, true), (1, 500_000, false), (100, 2_100_000, false),
            (100, 2_200_000, true), (1_000_000, 8_900_000, false), (.max, 9_000_000, true),
        ] as [(Int, Int64, Bool)])
    func withoutTheReserveAnErasureNeedsFreeSpace(count: Int, free: Int64, isEnough: Bool) throws {
        let folder = try TemporaryFolder()
        try open(folder, free: 2 * Self.bytes).keep(Self.bytes)
        let reserve = try open(folder, free: free)
        #expect(reserve.hasRoomToErase(count))
        #expect(reserve.giveUp())
        #expect(reserve.hasRoomToErase(count) == isEnough)
    }

    @Test func aReserveOfAnotherSizeIsCutOrFilledUp() throws {
        let folder = try TemporaryFolder()
        let sizes = [Self.bytes, Self.bytes / 3, 2 * Self.bytes]
        for size in sizes {
            let reserve = try open(folder, free: 4 * Self.bytes)
            reserve.keep(size)
            #expect(try folder.bytes(of: "reserve").count == Int(size))
            #expect(!reserve.isMissing)
        }
        // Without room for more, it stays as it is.
        try open(folder, free: Self.bytes).keep(3 * Self.bytes)
        #expect(try folder.bytes(of: "reserve").count == Int(2 * Self.bytes))
        try open(folder, free: 0).keep(0)
        #expect(try !folder.files().contains("reserve"))
    }

    @Test func openingAStoreThatNeedsNoSpaceLeavesTheReserveAsItIs() async throws {
        let folder = try TemporaryFolder()
        var settings = StoreSettings()
        settings.reserveBytes = Self.bytes
        var contents: Set<[UInt8]> = []
        for number in 1...3 {
            let store = try ResultStore(folder, settings: settings)
            _ = try await store.append(sampleRecord(number))
            contents.insert(try folder.bytes(of: "reserve"))
            await store.close()
        }
        #expect(contents.map(\.count) == [Int(Self.bytes)])
    }

    @Test func aReserveThatWasReleasedIsTakenBackWithoutACallback() async throws {
        let folder = try TemporaryFolder()
        var settings = StoreSettings()
        settings.reserveBytes = Self.bytes
        let data = try StoreFolder(folder.path)
        let store = try ResultStore(folder: data, catalog: sampleCatalog, settings: settings)
        store.startMaintenance { _ in }
        // The first round of maintenance takes it back too, and the next is a minute later.
        try await Task.sleep(for: .milliseconds(100))
        #expect(data.reserve.giveUp() && store.status.isFull)
        for _ in 0..<1000 where store.status.isFull {
            try await Task.sleep(for: .milliseconds(10))
        }
        try expect(data.reserve, isHeld: true, in: folder)
        #expect(!store.status.isFull)
        await store.close()
    }

    @Test func roomIsTriedWithoutTheReserveAndLeavesNothing() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("results")
        let reserve = try open(folder, free: 2 * Self.bytes)
        reserve.keep(Self.bytes)
        #expect(reserve.hasRoom())
        #expect(try folder.files() == ["reserve"])
        #expect(reserve.giveUp() && !reserve.hasRoom())
        let missing = Reserve(root: folder.path + "/missing", space: { _ in nil })
        #expect(!missing.hasRoom())
    }
}
