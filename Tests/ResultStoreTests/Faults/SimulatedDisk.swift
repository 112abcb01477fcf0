// A file system in memory that has faults on demand, and that knows what a power cut leaves of it.
//
// Invariant: bytes are durable after `sync` of their file, names after `syncFolder` of their
// folder; of what came later a power cut leaves what `Remains` says. Paths are kept relative to the
// root, which exists, so that what is left can be opened elsewhere.

import Synchronization

@testable import ResultStore

/// A file system in memory.
final class SimulatedDisk: Disk {
    /// What a power cut leaves of what was not made durable.
    struct Remains: Sendable, CustomStringConvertible {
        /// `allButLast` is everything but the last operation on a file.
        enum Bytes: Sendable { case none, half, allButLast, all }
        enum Names: Sendable { case none, removals, all }

        let bytes: Bytes
        let names: Names

        /// Only the process died: what it had written is there, and still not durable.
        static let everything = Remains(bytes: .all, names: .all)
        static let nothing = Remains(bytes: .none, names: .none)

        var description: String { "\(bytes) of the bytes, \(names) of the names" }
    }

    /// What happens to one operation.
    enum Fault: Sendable {
        /// It fails; a sync with `syncFailed`, an append with `full`, others with `file`.
        case fails
        /// An append writes a half, then fails; others fail with `full`.
        case isShortened
        /// It is done, and fails nevertheless.
        case failsLate
        /// It and all later ones fail, and nothing of it is done.
        case powerIsCut
    }

    /// Which operation goes wrong, counted from 1.
    struct Plan: Sendable {
        var number: Int
        var fault: Fault
        /// Whether reading and listing count too.
        var countsReads = false
    }

    enum Kind: Sendable { case append, truncate, sync, open, name, read }

    final class Inode: Sendable {
        struct Content {
            var live: [UInt8] = []
            var durable: [UInt8] = []
            /// What was done since the last sync: bytes appended, or a size cut to.
            var pending: [(appended: [UInt8]?, size: Int)] = []
        }

        let content: Mutex<Content>
        let isLocked = Mutex(false)

        init(_ bytes: [UInt8] = []) {
            content = Mutex(Content(live: bytes, durable: bytes))
        }

        /// A file of its own with the same bytes, durable or not.
        init(copyOf other: Inode) {
            content = Mutex(other.content.withLock { $0 })
        }

        func remaining(_ bytes: Remains.Bytes) -> [UInt8] {
            content.withLock { content in
                let total = content.pending.reduce(0) { $0 + ($1.appended?.count ?? 1) }
                var left: Int
                switch bytes {
                case .none: return content.durable
                case .all: return content.live
                case .allButLast:
                    left = total - (content.pending.last.map { $0.appended?.count ?? 1 } ?? 0)
                case .half: left = (total + 1) / 2
                }
                var result = content.durable
                for (appended, size) in content.pending where left > 0 {
                    if let appended {
                        result += appended.prefix(left)
                        left -= min(left, appended.count)
                    } else {
                        result.removeLast(max(0, result.count - size))
                        left -= 1
                    }
                }
                return result
            }
        }
    }

    struct State {
        var live: [String: Inode] = [:]
        var durable: [String: Inode] = [:]
        /// Names that were given up for another one since their folder was synced: a file system
        /// makes both durable, or neither.
        var renamed: Set<String> = []
        var liveFolders: Set<String> = [""]
        var durableFolders: Set<String> = [""]
        var plan: Plan?
        var count = 0
        var isDead = false
        var hit: Kind?
        var watch: (@Sendable (Kind, String) -> Void)?
        var onHit: (@Sendable () -> Void)?
    }

    let root: String
    let state = Mutex(State())
    /// The root, which is only ever locked.
    private let rootFolder = Inode()

    init(root: String) {
        self.root = root
    }

    // MARK: Disk

    func open(_ path: String) throws(StoreError) -> any DiskFile {
        let name = relative(path)
        try begin(.open, name)
        let inode: Inode? = state.withLock { state in
            if let inode = state.live[name] { return inode }
            guard state.liveFolders.contains(folder(of: name)) else { return nil }
            let inode = Inode()
            state.live[name] = inode
            return inode
        }
        guard let inode else { throw missing(path) }
        return SimulatedFile(path, inode, self)
    }

    func openReadOnly(_ path: String) throws(StoreError) -> any DiskFile {
        try begin(.read, relative(path))
        if relative(path).isEmpty { return SimulatedFile(path, rootFolder, self) }
        guard let inode = inode(at: path) else { throw missing(path) }
        return SimulatedFile(path, inode, self)
    }

    /// The file that a path leads to; nil for none.
    func inode(at path: String) -> Inode? {
        let name = relative(path)
        return name.isEmpty ? rootFolder : state.withLock { $0.live[name] }
    }

    func names(in path: String) throws(StoreError) -> [String] {
        let folder = relative(path)
        try begin(.read, folder)
        return state.withLock { state in
            let all = Array(state.live.keys) + state.liveFolders.subtracting([""])
            return all.filter { self.folder(of: $0) == folder }.map { lastName(of: $0) }
        }
    }

    func rename(_ path: String, to newPath: String) throws(StoreError) {
        let (old, new) = (relative(path), relative(newPath))
        try begin(.name, new)
        let isThere = state.withLock { state in
            guard let inode = state.live.removeValue(forKey: old) else { return false }
            state.live[new] = inode
            state.renamed.insert(old)
            return true
        }
        if !isThere { throw missing(path) }
    }

    func remove(_ path: String) throws(StoreError) {
        try begin(.name, relative(path))
        state.withLock { $0.live[relative(path)] = nil }
    }

    func makeFolder(_ path: String) throws(StoreError) {
        let name = relative(path)
        if state.withLock({ $0.liveFolders.contains(name) && !$0.isDead }) { return }
        try begin(.name, name)
        state.withLock { state in
            var parts = name.split(separator: "/")
            while !parts.isEmpty {
                state.liveFolders.insert(parts.joined(separator: "/"))
                parts.removeLast()
            }
        }
    }

    func syncFolder(_ path: String) throws(StoreError) {
        let folder = relative(path)
        try begin(.sync, folder)
        state.withLock { state in
            let isHere = { (name: String) in self.folder(of: name) == folder && !name.isEmpty }
            state.renamed = state.renamed.filter { !isHere($0) }
            state.durable = state.durable.filter { !isHere($0.key) }
                .merging(state.live.filter { isHere($0.key) }) { $1 }
            state.durableFolders.formUnion(state.liveFolders.filter(isHere))
        }
    }

    // MARK: Faults

    /// Sets what goes wrong from now on; the count starts again.
    func arm(_ plan: Plan?) {
        state.withLock { state in
            state.plan = plan
            state.count = 0
            state.hit = nil
        }
    }

    /// The operation that went wrong; nil when its turn has not come.
    var hit: Kind? { state.withLock { $0.hit } }

    /// Operations since `arm`.
    var count: Int { state.withLock { $0.count } }

    /// Calls a closure when the operation of the plan comes.
    func onHit(_ body: (@Sendable () -> Void)?) {
        state.withLock { $0.onHit = body }
    }

    /// Calls a closure before each operation.
    func watch(_ body: (@Sendable (Kind, String) -> Void)?) {
        state.withLock { $0.watch = body }
    }

    /// Makes all operations fail from now on: nobody who still has files of this disk does harm.
    func kill() {
        state.withLock { $0.isDead = true }
    }

    /// What is there after a power cut, below another root.
    func afterPowerCut(_ remains: Remains, root newRoot: String) -> SimulatedDisk {
        kill()
        let disk = SimulatedDisk(root: newRoot)
        if remains.names == .all, remains.bytes == .all {
            copyAll(to: disk)
            return disk
        }
        let (names, folders): ([String: Inode], Set<String>) = state.withLock { state in
            switch remains.names {
            case .none: return (state.durable, state.durableFolders)
            case .removals:
                return (
                    state.durable.filter { name, _ in
                        state.live[name] != nil || state.renamed.contains(name)
                    }, state.durableFolders
                )
            case .all: return (state.live, state.liveFolders)
            }
        }
        let files = names.filter { folders.contains(folder(of: $0.key)) }
            .mapValues { Inode($0.remaining(remains.bytes)) }
        disk.state.withLock { state in
            state.live = files
            state.durable = files
            state.liveFolders = folders
            state.durableFolders = folders
        }
        return disk
    }

    private func copyAll(to disk: SimulatedDisk) {
        let (live, durable, liveFolders, durableFolders) = state.withLock {
            ($0.live, $0.durable, $0.liveFolders, $0.durableFolders)
        }
        var copies: [ObjectIdentifier: Inode] = [:]
        func copy(_ inode: Inode) -> Inode {
            let copy = copies[ObjectIdentifier(inode)] ?? Inode(copyOf: inode)
            copies[ObjectIdentifier(inode)] = copy
            return copy
        }
        let (newLive, newDurable) = (live.mapValues(copy), durable.mapValues(copy))
        disk.state.withLock { state in
            state.live = newLive
            state.durable = newDurable
            state.liveFolders = liveFolders
            state.durableFolders = durableFolders
        }
    }

    /// All files' bytes by their path below the root.
    var files: [String: [UInt8]] {
        state.withLock { $0.live }.mapValues { $0.remaining(.all) }
    }

    /// Puts bytes at a file's end, durably.
    func append(_ bytes: [UInt8], to name: String) {
        let inode = state.withLock { $0.live[name] }
        inode?.content.withLock { content in
            content.live += bytes
            content.durable = content.live
        }
    }

    /// Counts an operation, and makes it fail when it is its turn.
    ///
    /// Returns the fault of an append that writes something before it fails.
    @discardableResult
    func begin(_ kind: Kind, _ path: String) throws(StoreError) -> Fault? {
        state.withLock { $0.watch }?(kind, path)
        let isNext = state.withLock { state in
            guard let plan = state.plan, kind != .read || plan.countsReads else { return false }
            return state.count + 1 == plan.number
        }
        if isNext { state.withLock { $0.onHit }?() }
        let result: Result<Fault?, StoreError> = state.withLock { state in
            let dead = StoreError.file(path: path, operation: "use", reason: "there is no power")
            if state.isDead { return .failure(kind == .sync ? Self.failedSync(path) : dead) }
            guard let plan = state.plan, kind != .read || plan.countsReads else {
                return .success(nil)
            }
            state.count += 1
            guard state.count == plan.number else { return .success(nil) }
            state.hit = kind
            switch (plan.fault, kind) {
            case (.powerIsCut, _):
                state.isDead = true
                return .failure(kind == .sync ? Self.failedSync(path) : dead)
            case (_, .sync): return .failure(Self.failedSync(path))
            case (.isShortened, .append), (.failsLate, .append): return .success(plan.fault)
            case (.fails, .append), (.isShortened, _): return .failure(.full)
            case (.fails, _), (.failsLate, _):
                return .failure(.file(path: path, operation: "use", reason: "a test wants it"))
            }
        }
        return try result.get()
    }

    private static func failedSync(_ path: String) -> StoreError {
        .syncFailed(path: path, reason: "a test wants it")
    }

    private func missing(_ path: String) -> StoreError {
        .file(path: path, operation: "open", reason: "there is none")
    }

    private func relative(_ path: String) -> String {
        path.hasPrefix(root) ? String(path.dropFirst(root.count).drop { $0 == "/" }) : path
    }

    private func folder(of name: String) -> String {
        name.split(separator: "/").dropLast().joined(separator: "/")
    }

    private func lastName(of name: String) -> String {
        name.split(separator: "/").last.map(String.init) ?? ""
    }
}
