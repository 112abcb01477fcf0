// The data folder of a store in files: the paths in it, and what is done to them.

/// Paths in one data folder that this process has locked.
final class StoreFolder: Sendable {
    let disk: any Disk
    let root: String
    /// Is called when a sync fails.
    let alarm: SyncAlarm
    /// Space for erasing when the disk is full.
    let reserve: Reserve
    private let lock: FolderLock

    /// Creates the folder if it doesn't exist, and locks it.
    ///
    /// Throws `locked` if another process holds the lock, or `file`.
    init(_ root: String, on disk: any Disk = SystemDisk()) throws(StoreError) {
        self.root = root
        let alarm = SyncAlarm()
        self.alarm = alarm
        self.disk = WatchedDisk(disk: disk, alarm: alarm)
        reserve = Reserve(root: root)
        try disk.makeFolder(root + "/results")
        lock = try FolderLock(root, on: disk)
        try reserve.open()
        try disk.syncFolder(root)
        try reserve.whenFullNow { () throws(StoreError) in try announce([]) }
    }

    /// Names this process, and the addresses of its server, to other programs.
    func announce(_ addresses: [String]) throws(StoreError) { try lock.announce(addresses) }

    /// Locks the folder that has the name now, if another one was put in its place.
    ///
    /// Throws `locked` if another process uses that one, or `file`.
    ///
    /// - Returns: how many other folders have taken the place of the first one so far.
    @discardableResult func followLock() throws(StoreError) -> Int { try lock.follow() }

    /// Releases the lock.
    func unlock() { lock.unlock() }

    /// Path of the index, always on the machine's file system.
    var indexPath: String { Self.indexPath(in: root) }

    /// The same for any data folder.
    ///
    /// SQLite takes a path that begins with "file:" for a URI.
    static func indexPath(in root: String) -> String {
        (root.hasPrefix("file:") ? "./" : "") + "\(root)/\(indexName)"
    }

    /// Name of the index's file.
    static let indexName = "index.sqlite"

    var results: String { root + "/results" }

    /// Path of a segment's file in one of its forms.
    func path(of segment: SegmentName, _ form: SegmentForm = .plain) -> String {
        "\(results)/\(segment.fileName)\(form.suffix)"
    }

    /// Whether a segment's file is there in one of its forms, readable or not.
    func holds(_ segment: SegmentName, _ form: SegmentForm) throws(StoreError) -> Bool {
        try disk.names(in: results).contains(segment.fileName + form.suffix)
    }

    /// All segments with their forms, oldest first.
    ///
    /// Removes unfinished files, which a crash left, and completes a merge that was decided. A plain
    /// file beside a compressed one was put there by somebody, such as from a backup: it becomes a
    /// further part of its day.
    func segments() throws(StoreError) -> [(name: SegmentName, form: SegmentForm)] {
        // A process that was killed may have left names that are not durable yet. What is found
        // here must stay, because new data depends on it.
        try syncResults()
        var forms: [SegmentName: Set<SegmentForm>] = [:]
        var hasChanged = false
        var mergings: [Merging] = []
        for name in try disk.names(in: results) {
            if let merging = Merging(fileName: name) {
                mergings.append(merging)
            } else if name.hasSuffix(Self.unfinishedSuffix) {
                try disk.remove("\(results)/\(name)")
                hasChanged = true
            } else if let (segment, form) = SegmentName.parse(name) {
                forms[segment, default: []].insert(form)
            }
        }
        for merging in mergings {
            let old = forms.keys.filter { merging.includes($0) }
            try complete(merging, insteadOf: old)
            for name in old { forms[name] = nil }
            forms[merging.first] = [merging.form]
        }
        for name in forms.keys.sorted() where forms[name]?.count ?? 0 > 1 {
            let last = forms.keys.filter { $0.day == name.day }.map(\.part).max() ?? name.part
            let further = SegmentName(day: name.day, part: last + 1)
            try disk.rename(path(of: name), to: path(of: further))
            (forms[name], forms[further]) = ([.compressed], [.plain])
            hasChanged = true
        }
        if hasChanged { try syncResults() }
        return forms.compactMap { name, forms in forms.first.map { (name, $0) } }
            .sorted { $0.name < $1.name }
    }

    /// Makes the names of segments durable.
    func syncResults() throws(StoreError) { try disk.syncFolder(results) }

    /// The suffix of files that the next opening removes.
    static let unfinishedSuffix = ".unfinished"

    /// An empty file that takes a segment's place with `replace`.
    func unfinished(_ segment: SegmentName) throws(StoreError) -> any DiskFile {
        let path = path(of: segment) + Self.unfinishedSuffix
        try disk.remove(path)
        return try disk.open(path)
    }

    /// Removes a file made by `unfinished` that replaced no segment.
    ///
    /// If this fails, the next start removes it.
    func discard(_ file: any DiskFile) {
        try? disk.remove(file.path)
    }

    /// Durably removes a segment's file.
    func remove(_ segment: SegmentName, _ form: SegmentForm) throws(StoreError) {
        try disk.remove(path(of: segment, form))
        try syncResults()
    }

    /// Durably saves bytes that are cut off a segment in `results/torn/`.
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

    /// Removes the bytes that were cut off segments, and unfinished files that could not be removed.
    ///
    /// They may hold erased data, and belong to no acknowledged record.
    func removeLeftovers() throws(StoreError) {
        let names = try disk.names(in: results)
        for name in names where name.hasSuffix(Self.unfinishedSuffix) {
            try disk.remove("\(results)/\(name)")
        }
        let torn = results + "/torn"
        guard names.contains("torn") else { return }
        for name in try disk.names(in: torn) { try disk.remove("\(torn)/\(name)") }
        try disk.syncFolder(torn)
    }

    /// Removes the index's files.
    func removeIndex() throws(StoreError) {
        for suffix in ["", "-wal", "-shm"] { try File.remove(indexPath + suffix) }
    }
}
