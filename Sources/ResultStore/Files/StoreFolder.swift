// The data folder: what lies where, and the lock that keeps a second process out.

import FoundationEssentials
import Synchronization

/// Paths below one data folder, held by this process.
final class StoreFolder: Sendable {
    let disk: any Disk
    let root: String
    /// Hears of failed syncs.
    let alarm: SyncAlarm
    /// Room for erasing when there is no other.
    let reserve: Reserve
    private let locks: Mutex<[any DiskFile]>

    /// Makes the folder where it is missing, and locks it.
    ///
    /// What holds is the lock on the folder itself, also when the file LOCK is removed; that one tells
    /// people which process it is.
    ///
    /// Throws `locked` when another process has it, or `file`.
    init(_ root: String, on disk: any Disk = SystemDisk()) throws(StoreError) {
        self.root = root
        let alarm = SyncAlarm()
        self.alarm = alarm
        self.disk = WatchedDisk(disk: disk, alarm: alarm)
        reserve = Reserve(root: root)
        try disk.makeFolder(root + "/results")
        let (folder, file) = (try disk.openReadOnly(root), try disk.open(root + "/LOCK"))
        for lock in [folder, file] where try !lock.lock() {
            let holder = try String(decoding: file.read(20, at: 0), as: UTF8.self)
            throw .locked(
                folder: root, process: holder.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        try reserve.open()
        try disk.syncFolder(root)
        try file.truncate(to: 0)
        try file.append(Array("\(ProcessInfo.processInfo.processIdentifier)\n".utf8))
        locks = Mutex([folder, file])
    }

    /// Lets other processes have the folder.
    func unlock() {
        locks.withLock { $0 = [] }
    }

    /// The index's file, always on the machine's file system.
    var indexPath: String { root + "/index.sqlite" }

    var results: String { root + "/results" }

    /// A segment's file in one of its forms.
    func path(of segment: SegmentName, _ form: SegmentForm = .plain) -> String {
        "\(results)/\(segment.fileName)\(form.suffix)"
    }

    /// All segments with the form that each has, oldest first.
    ///
    /// What a crash left behind is removed: unfinished files, and the plain file beside a compressed
    /// one, which is only named when it is whole. A merging that was decided is completed.
    func segments() throws(StoreError) -> [(name: SegmentName, form: SegmentForm)] {
        // A process that was killed may have left names in the machine's memory only: what is found
        // now is built upon.
        try syncResults()
        var forms: [SegmentName: SegmentForm] = [:]
        var plain: Set<SegmentName> = []
        var hasRemoved = false
        var mergings: [Merging] = []
        for name in try disk.names(in: results) {
            if let merging = Merging(fileName: name) {
                mergings.append(merging)
            } else if name.hasSuffix(Self.unfinishedSuffix) {
                try disk.remove("\(results)/\(name)")
                hasRemoved = true
            } else if let segment = SegmentName(fileName: name) {
                if forms[segment] == nil { forms[segment] = .plain }
                plain.insert(segment)
            } else if name.hasSuffix(SegmentForm.compressed.suffix),
                let segment = SegmentName(
                    fileName: String(name.dropLast(SegmentForm.compressed.suffix.count)))
            {
                forms[segment] = .compressed
            }
        }
        for merging in mergings {
            let others = forms.keys.filter { merging.takesIn($0) }
            try complete(merging, insteadOf: others)
            for name in others { forms[name] = nil }
            forms[merging.first] = merging.form
        }
        for segment in plain where forms[segment] == .compressed {
            try disk.remove(path(of: segment, .plain))
            hasRemoved = true
        }
        if hasRemoved { try syncResults() }
        return forms.map { ($0.key, $0.value) }.sorted { $0.name < $1.name }
    }

    /// Makes the names of segments durable.
    func syncResults() throws(StoreError) { try disk.syncFolder(results) }

    private static let unfinishedSuffix = ".unfinished"

    /// A file that takes a segment's place with `replace`; empty.
    func unfinished(_ segment: SegmentName) throws(StoreError) -> any DiskFile {
        let path = path(of: segment) + Self.unfinishedSuffix
        try disk.remove(path)
        return try disk.open(path)
    }

    /// Removes a file that `unfinished` made and that has taken no segment's place; what fails here
    /// is done at the next start.
    func discard(_ file: any DiskFile) {
        try? disk.remove(file.path)
    }

    /// Puts a finished file in the place of a segment, durably: after a crash at any point there is
    /// the old file or the new one.
    ///
    /// - Parameter onDecided: is called when the old file has lost its place.
    func replace(
        _ segment: SegmentName, _ form: SegmentForm, by file: any DiskFile, _ newForm: SegmentForm,
        onDecided: () -> Void
    ) throws(StoreError) {
        try file.sync()
        try disk.rename(file.path, to: path(of: segment, newForm))
        onDecided()
        try syncResults()
        if newForm != form {
            try disk.remove(path(of: segment, form))
            try syncResults()
        }
    }

    /// Removes a segment's file, durably.
    func remove(_ segment: SegmentName, _ form: SegmentForm) throws(StoreError) {
        try disk.remove(path(of: segment, form))
        try syncResults()
    }

    /// Keeps bytes that are cut off a segment, durably, in `results/torn/`.
    ///
    /// - Returns: the path.
    func keepTorn(
        _ bytes: [UInt8], of segment: SegmentName, at offset: Int64
    ) throws(StoreError) -> String {
        let torn = results + "/torn"
        try disk.makeFolder(torn)
        let path = "\(torn)/\(segment.fileName).\(offset)"
        let file = try disk.open(path)
        // A crash may have left a part of the same bytes.
        try file.truncate(to: 0)
        try file.append(bytes)
        try file.sync()
        try disk.syncFolder(torn)
        try syncResults()
        return path
    }

    /// Removes what was cut off segments' ends: it may hold what is erased, and belongs to no record
    /// that was acknowledged.
    func removeTorn() throws(StoreError) {
        let torn = results + "/torn"
        guard try disk.names(in: results).contains("torn") else { return }
        for name in try disk.names(in: torn) { try disk.remove("\(torn)/\(name)") }
        try disk.syncFolder(torn)
    }

    /// Removes the index's files.
    func removeIndex() throws(StoreError) {
        for suffix in ["", "-wal", "-shm"] { try File.remove(indexPath + suffix) }
    }
}
