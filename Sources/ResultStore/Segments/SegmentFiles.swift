// The open segments of a store, shared by all queries. Their number is limited.
//
// A segment that has been rewritten without its erased lines has other offsets, so it gets a new
// generation. Invariant: what the index says of a generation is true of its file. The file of an
// old generation is retired; a reader with its offsets asks the index again.

import Synchronization

/// Opens segments by name and generation, and keeps the most recently used ones open.
final class SegmentFiles: Sendable {
    private struct Key: Hashable {
        let name: SegmentName
        let generation: Int
    }

    private struct Open {
        let file: SegmentFile
        var lastUse: Int
        /// A file that is being replaced must stay open, because its name already leads to another
        /// file.
        var isKept = false
    }

    private struct State {
        var forms: [Key: SegmentForm] = [:]
        var names: Set<SegmentName> = []
        var open: [Key: Open] = [:]
        var uses = 0

        init(_ segments: [(name: SegmentName, form: SegmentForm, generation: Int)]) {
            for (name, form, generation) in segments {
                forms[Key(name: name, generation: generation)] = form
                names.insert(name)
            }
        }

        /// An open file; marks it as used.
        mutating func use(_ key: Key) -> SegmentFile? {
            guard let index = open.index(forKey: key) else { return nil }
            uses += 1
            open.values[index].lastUse = uses
            return open.values[index].file
        }

        /// Adds an open file; closes the least recently used one.
        mutating func insert(_ file: SegmentFile, _ key: Key) {
            uses += 1
            open[key] = Open(file: file, lastUse: uses)
            guard open.count > Limits.openSegments else { return }
            let oldest = open.filter { !$0.value.isKept }.min {
                $0.value.lastUse < $1.value.lastUse
            }
            if let oldest { open[oldest.key] = nil }
        }
    }

    private let folder: StoreFolder
    private let state: Mutex<State>

    /// - Parameter segments: the existing ones, with form and generation.
    init(
        folder: StoreFolder, _ segments: [(name: SegmentName, form: SegmentForm, generation: Int)]
    ) {
        self.folder = folder
        state = Mutex(State(segments))
    }

    /// A segment, opened if it isn't yet; nil if that generation has been retired.
    ///
    /// Throws `file`.
    func file(of name: SegmentName, generation: Int) throws(StoreError) -> SegmentFile? {
        let key = Key(name: name, generation: generation)
        let (known, form) = state.withLock { state in
            // A segment that the journal has begun since is plain, and in its first generation.
            if generation == 0, state.names.insert(name).inserted { state.forms[key] = .plain }
            return (state.use(key), state.forms[key])
        }
        if let known { return known }
        guard let form else { return nil }
        let opened = Result { () throws(StoreError) in try open(name, form) }
        return try state.withLock { state throws(StoreError) in
            // A file that is being replaced stays open until its generation is retired. Then a
            // newly opened one is another file, or missing.
            if let known = state.use(key) { return known }
            guard state.forms[key] == form else { return nil }
            let file = try opened.get()
            state.insert(file, key)
            return file
        }
    }

    /// Opens a segment; if the process can open no more files, closes other segments first.
    private func open(
        _ name: SegmentName, _ form: SegmentForm
    ) throws(StoreError) -> SegmentFile {
        do throws(StoreError) {
            return try SegmentFile(name, form, in: folder)
        } catch .noDescriptor {
            state.withLock { state in state.open = state.open.filter { $0.value.isKept } }
            return try SegmentFile(name, form, in: folder)
        }
    }

    /// Opens a segment that is about to be replaced, and keeps it open until `release` or `remove`.
    ///
    /// Nil if that generation has been retired. Throws `file`.
    func keep(_ name: SegmentName, generation: Int) throws(StoreError) -> SegmentFile? {
        guard let file = try file(of: name, generation: generation) else { return nil }
        let key = Key(name: name, generation: generation)
        state.withLock { state in
            state.uses += 1
            state.open[key] = Open(file: file, lastUse: state.uses, isKept: true)
        }
        return file
    }

    /// Allows a segment that was not replaced after all to be closed again.
    func release(_ name: SegmentName, generation: Int) {
        state.withLock { $0.open[Key(name: name, generation: generation)]?.isKept = false }
    }

    /// Number of open files.
    var openCount: Int { state.withLock { $0.open.count } }

    /// The form of a segment's file; nil if that generation has been retired.
    func form(of name: SegmentName, generation: Int) -> SegmentForm? {
        let key = Key(name: name, generation: generation)
        return state.withLock { state in
            if generation == 0, state.names.insert(name).inserted { state.forms[key] = .plain }
            return state.forms[key]
        }
    }

    /// Adds a generation, whose file takes the segment's place.
    func add(_ name: SegmentName, _ form: SegmentForm, generation: Int) throws(StoreError) {
        let file = try open(name, form)
        let key = Key(name: name, generation: generation)
        state.withLock { state in
            state.names.insert(name)
            state.forms[key] = form
            state.insert(file, key)
        }
    }

    /// Retires a generation: its file is closed when the last reader has finished.
    func remove(_ name: SegmentName, generation: Int) {
        let key = Key(name: name, generation: generation)
        state.withLock { state in
            state.forms[key] = nil
            state.open[key] = nil
        }
    }

    /// Closes all files, because the index was rebuilt; takes these segments as those that exist.
    func reset(_ segments: [(name: SegmentName, form: SegmentForm, generation: Int)]) {
        state.withLock { $0 = State(segments) }
    }
}
