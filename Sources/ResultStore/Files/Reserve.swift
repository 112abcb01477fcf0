// Disk space reserved for erasing: a file that takes up space and is emptied when an erasure, a
// compaction or the index finds the disk full.
//
// Invariant: while the reserve is released, no record may use its space; it is taken back as soon
// as twice as much is free. Meanwhile its file is empty, so that the next process knows. Always on
// the machine's file system, as the index is. Left out: who needs the space.

import FoundationEssentials
import Synchronization

/// The reserve of one data folder.
final class Reserve: Sendable {
    private struct State {
        var isHeld = false
        /// Size that the settings ask for, in bytes; 0 for no reserve.
        var bytes: Int64 = 0
    }

    private let root: String
    private let state = Mutex(State())
    private let isGivenUp = Atomic(false)

    init(root: String) {
        self.root = root
    }

    private var path: String { root + "/reserve" }

    /// Whether the reserve was released and not taken back; records are refused as long as it is
    /// missing.
    ///
    /// O(1), without a lock.
    var isMissing: Bool { isGivenUp.load(ordering: .relaxed) }

    /// Releases the reserve of an earlier process, so that opening the store has some space.
    func open() throws(StoreError) {
        let exists = (try? File(reading: path)) != nil
        if exists { try File(appendingTo: path).truncate(to: 0) }
        isGivenUp.store(exists, ordering: .relaxed)
    }

    /// Sets the size of the reserve and takes it.
    func keep(_ bytes: Int64) {
        state.withLock { $0.bytes = bytes }
        if bytes == 0 {
            try? File.remove(path)
            isGivenUp.store(false, ordering: .relaxed)
        }
        take()
    }

    /// Takes the reserve if twice as much is free; returns false if it is missing and stays so.
    ///
    /// It takes up to a sixteenth of the disk.
    @discardableResult
    func take() -> Bool {
        state.withLock { state in
            if state.isHeld || state.bytes == 0 { return true }
            guard let (size, free) = Self.space(root) else { return !isMissing }
            let bytes = min(state.bytes, size / 16)
            guard free >= 2 * bytes, fill(bytes) else { return !isMissing }
            state.isHeld = true
            isGivenUp.store(false, ordering: .relaxed)
            return true
        }
    }

    /// Releases the reserve because the disk is full; returns false if it isn't held.
    func giveUp() -> Bool {
        state.withLock { state in
            guard state.isHeld else { return false }
            state.isHeld = false
            isGivenUp.store(true, ordering: .relaxed)
            return (try? File(appendingTo: path).truncate(to: 0)) != nil
        }
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

    /// Writes data that no file system can compress.
    private func fill(_ bytes: Int64) -> Bool {
        do throws(StoreError) {
            let file = try File(appendingTo: path)
            try file.truncate(to: 0)
            var generator = SystemRandomNumberGenerator()
            let chunk = (0..<8192).flatMap { _ in randomBytes(&generator) }
            var left = bytes
            while left > 0 {
                try file.append(Array(chunk.prefix(Int(min(left, Int64(chunk.count))))))
                left -= Int64(chunk.count)
            }
            return true
        } catch {
            // Without a file, the next process doesn't look for a reserve that was never there.
            if isMissing {
                try? File(appendingTo: path).truncate(to: 0)
            } else {
                try? File.remove(path)
            }
            return false
        }
    }

    /// Eight random bytes.
    private func randomBytes(_ generator: inout SystemRandomNumberGenerator) -> [UInt8] {
        let number = generator.next()
        return (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// The file system's size and its free space, in bytes; nil if it reports none.
    private static func space(_ path: String) -> (size: Int64, free: Int64)? {
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
