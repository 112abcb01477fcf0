// Disk space reserved for erasing: a file that takes up space and is emptied when an erasure, a
// compaction or the index finds the disk full.
//
// Invariant: while the reserve is released, no record may use its space; it is taken back as soon
// as twice as much is free. Meanwhile its file is empty, so that the next process knows. A reserve
// that is held stays held across restarts: other programs would take its space. Always on the
// machine's file system, as the index is. Left out: who needs the space.

import FoundationEssentials
import Synchronization

/// The reserve of one data folder.
final class Reserve: Sendable {
    private struct State {
        /// Size of the file in bytes; 0 if the reserve isn't held.
        var held: Int64 = 0
        /// Whether an earlier process held the reserve; until `keep`.
        var wasHeld = false
        /// Size that the settings ask for, in bytes; 0 for no reserve.
        var bytes: Int64 = 0
    }

    private let root: String
    private let space: @Sendable (_ path: String) -> (size: Int64, free: Int64)?
    private let state = Mutex(State())
    private let isGivenUp = Atomic(false)

    /// - Parameter space: the file system's size and its free space, in bytes; nil if it reports
    ///   none.
    init(
        root: String,
        space: @escaping @Sendable (_ path: String) -> (size: Int64, free: Int64)? = Reserve.space
    ) {
        self.root = root
        self.space = space
    }

    private var path: String { root + "/reserve" }

    /// Whether the reserve was released and not taken back; records are refused as long as it is
    /// missing.
    ///
    /// O(1), without a lock.
    var isMissing: Bool { isGivenUp.load(ordering: .relaxed) }

    /// Looks whether an earlier process left the reserve held or released.
    func open() throws(StoreError) {
        guard let file = try? File(reading: path) else { return }
        let size = try file.size()
        state.withLock { state in (state.held, state.wasHeld) = (size, size > 0) }
        isGivenUp.store(size == 0, ordering: .relaxed)
    }

    /// Sets the size of the reserve and takes it.
    ///
    /// If an earlier process held it and opening the store released it, room for the reserve alone
    /// is enough: the restart must not be a reason to refuse records.
    func keep(_ bytes: Int64) {
        state.withLock { state in
            defer { state.wasHeld = false }
            state.bytes = bytes
            guard bytes == 0 else {
                take(&state)
                return
            }
            state.held = 0
            try? File.remove(path)
            isGivenUp.store(false, ordering: .relaxed)
        }
    }

    /// Takes the reserve if twice as much is free; returns false if it is missing and stays so.
    ///
    /// It takes up to a sixteenth of the disk.
    @discardableResult
    func take() -> Bool {
        state.withLock { state in
            if state.held > 0 || state.bytes == 0 { return true }
            return take(&state)
        }
    }

    /// Takes the reserve, or gives the one that is held its size.
    @discardableResult
    private func take(_ state: inout State) -> Bool {
        guard let (size, free) = space(root) else { return state.held > 0 || !isMissing }
        let bytes = min(state.bytes, size / 16)
        let spare = state.wasHeld && state.held == 0 ? 0 : bytes
        if bytes <= state.held || free - (bytes - state.held) >= spare,
            resize(from: state.held, to: bytes)
        {
            state.held = bytes
            isGivenUp.store(false, ordering: .relaxed)
        }
        return state.held > 0 || !isMissing
    }

    /// Releases the reserve because the disk is full; returns false if it isn't held.
    func giveUp() -> Bool {
        state.withLock { state in
            guard state.held > 0 else { return false }
            state.held = 0
            isGivenUp.store(true, ordering: .relaxed)
            return (try? File(appendingTo: path).truncate(to: 0)) != nil
        }
    }

    /// Whether the index has room to erase `count` records: in the reserve, or without it.
    ///
    /// An erasure that is durable before it has room would make all queries, and the next start,
    /// wait for it.
    func hasRoomToErase(_ count: Int) -> Bool {
        if state.withLock({ $0.held > 0 }) { return true }
        guard let free = space(root)?.free else { return true }
        let rows = Int64(min(count, Limits.erasedRows))
        return free >= Limits.erasureBytes + rows * Limits.erasedRowBytes
    }

    /// Runs `body`; if the disk is full and the reserve is held, runs it again with it released.
    ///
    /// Throws as `body` does.
    func whenFull<Value>(
        _ body: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        do throws(StoreError) {
            return try await body()
        } catch {
            guard error.isFull, giveUp() else { throw error }
            return try await body()
        }
    }

    /// The same for a `body` that blocks the thread.
    func whenFullNow<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        do throws(StoreError) {
            return try body()
        } catch {
            guard error.isFull, giveUp() else { throw error }
            return try body()
        }
    }

    /// Cuts or extends the file; on failure, it has the size that it had.
    private func resize(from held: Int64, to bytes: Int64) -> Bool {
        if bytes == held { return true }
        do throws(StoreError) {
            let file = try File(appendingTo: path)
            try file.truncate(to: min(held, bytes))
            try Self.append(bytes - held, to: file)
            return true
        } catch {
            // Without a file, the next process doesn't look for a reserve that was never there.
            if isMissing || held > 0 {
                try? File(appendingTo: path).truncate(to: held)
            } else {
                try? File.remove(path)
            }
            return false
        }
    }

    /// Whether callbacks can be written now; not while the reserve is missing.
    func hasRoom() -> Bool { !isMissing && writingError() == nil }

    /// Whether the disk or the quota is full now.
    func isDiskFull() -> Bool { writingError()?.isFull == true }

    /// Why some callbacks can't be written now; nil if they can.
    ///
    /// Writes a file and removes it, which notices a quota and missing inodes too.
    private func writingError() -> StoreError? {
        // The next start removes what a crash leaves of a file with this name.
        let path = root + "/results/room" + StoreFolder.unfinishedSuffix
        defer { try? File.remove(path) }
        do throws(StoreError) {
            try Self.append(Limits.roomBytes, to: File(appendingTo: path))
            return nil
        } catch {
            return error
        }
    }

    /// Appends data that no file system can compress.
    private static func append(_ bytes: Int64, to file: File) throws(StoreError) {
        var generator = SystemRandomNumberGenerator()
        let chunk = (0..<8192).flatMap { _ in randomBytes(&generator) }
        var left = bytes
        while left > 0 {
            try file.append(Array(chunk.prefix(Int(min(left, Int64(chunk.count))))))
            left -= Int64(chunk.count)
        }
    }

    /// Eight random bytes.
    private static func randomBytes(_ generator: inout SystemRandomNumberGenerator) -> [UInt8] {
        let number = generator.next()
        return (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// The file system's size and its free space, in bytes; nil if it reports none.
    static func space(_ path: String) -> (size: Int64, free: Int64)? {
        guard let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path),
            let size = number(attributes[.systemSize]),
            let free = number(attributes[.systemFreeSize])
        else { return nil }
        return (size, free)
    }

    private static func number(_ value: Any?) -> Int64? {
        if let number = value as? UInt64 { return Int64(clamping: number) }
        if let number = value as? UInt { return Int64(clamping: number) }
        return (value as? Int).map { Int64($0) }
    }
}

extension StoreError {
    /// Whether the disk is full, for a file or for the index.
    package var isFull: Bool {
        switch self {
        case .full: true
        case .index(let reason): reason.contains("disk is full")
        default: false
        }
    }
}
