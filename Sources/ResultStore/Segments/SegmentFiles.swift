// The open segments of a store, one each, shared by all queries.
//
// A segment that has been rewritten without its erased lines has other offsets, so it gets a new
// generation. Invariant: what the index says of a generation is true of its file; the file of an old
// generation is given up, and who still has its offsets asks the index again.

import Synchronization

/// Opens segments once, by name and generation.
final class SegmentFiles: Sendable {
    private struct Key: Hashable {
        let name: SegmentName
        let generation: Int
    }

    private struct State {
        var forms: [Key: SegmentForm] = [:]
        var names: Set<SegmentName> = []
        var open: [Key: SegmentFile] = [:]
    }

    private let folder: StoreFolder
    private let state: Mutex<State>

    /// - Parameter segments: those that exist, with form and generation.
    init(
        folder: StoreFolder,
        _ segments: [(name: SegmentName, form: SegmentForm, generation: Int)]
    ) {
        self.folder = folder
        var state = State()
        for (name, form, generation) in segments {
            state.forms[Key(name: name, generation: generation)] = form
            state.names.insert(name)
        }
        self.state = Mutex(state)
    }

    /// A segment, opened where it isn't yet; nil when that generation has been given up.
    ///
    /// Throws `file`.
    func file(of name: SegmentName, generation: Int) throws(StoreError) -> SegmentFile? {
        let key = Key(name: name, generation: generation)
        let (known, form) = state.withLock { state in
            // What the journal has begun since is plain, and in its first generation.
            if generation == 0, state.names.insert(name).inserted { state.forms[key] = .plain }
            return (state.open[key], state.forms[key])
        }
        if let known { return known }
        guard let form else { return nil }
        let opened = Result { () throws(StoreError) in
            try SegmentFile(name, form, in: folder)
        }
        return try state.withLock { state throws(StoreError) in
            // Whoever replaces a file has it open until its generation is given up; then what was
            // opened is another file, or none.
            if let known = state.open[key] { return known }
            guard state.forms[key] == form else { return nil }
            let file = try opened.get()
            state.open[key] = file
            return file
        }
    }

    /// Adds a generation, whose file takes the segment's place.
    func add(_ name: SegmentName, _ form: SegmentForm, generation: Int) throws(StoreError) {
        let file = try SegmentFile(name, form, in: folder)
        let key = Key(name: name, generation: generation)
        state.withLock { state in
            state.names.insert(name)
            state.forms[key] = form
            state.open[key] = file
        }
    }

    /// Gives a generation up: its file is closed when the last who reads it has finished.
    func remove(_ name: SegmentName, generation: Int) {
        let key = Key(name: name, generation: generation)
        state.withLock { state in
            state.forms[key] = nil
            state.open[key] = nil
        }
    }

    /// Gives all generations up: the index is made anew, and knows each segment in its first one.
    func reset(_ segments: [(name: SegmentName, form: SegmentForm)]) {
        state.withLock { state in
            state = State()
            for (name, form) in segments {
                state.forms[Key(name: name, generation: 0)] = form
                state.names.insert(name)
            }
        }
    }
}
