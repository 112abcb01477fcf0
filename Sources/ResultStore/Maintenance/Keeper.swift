// Keeps segments tidy in the background: compresses those of days that are over, takes erased lines
// off the disk, and erases what is kept no longer.
//
// Invariant: the segment that the journal writes to is never touched. A file is replaced as a whole
// (see `StoreFolder.replace`); a crash between that and the index's hearing of it makes the index be
// built anew, because the segment is shorter than it knows.

import Clocks
import GRDB
import Synchronization

/// The one who rewrites segments.
actor Keeper {
    private let thread = SerialThread(name: "keeper")
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        // SAFETY: the actor owns the thread, so the reference lives as long as the actor.
        unsafe thread.asUnownedSerialExecutor()
    }

    private let folder: StoreFolder
    private let files: SegmentFiles
    private let index: ResultIndex
    private let journal: Journal
    private let settings: StoreSettings
    private let onEvent: @Sendable (StoreEvent) -> Void
    private var clock = RetentionClock()
    /// Rounds that have begun, also those that wait for another; none begins while closing.
    private let rounds = Mutex((count: 0, isClosing: false))
    private let tasks = Mutex<[Task<Void, Never>]>([])
    private let hasErased = Mutex(false)
    private let isLooking = Mutex(false)
    private var isWorking = false

    init(
        folder: StoreFolder, files: SegmentFiles, index: ResultIndex, journal: Journal,
        settings: StoreSettings, onEvent: @escaping @Sendable (StoreEvent) -> Void
    ) {
        self.folder = folder
        self.files = files
        self.index = index
        self.journal = journal
        self.settings = settings
        self.onEvent = onEvent
    }

    /// Begins to work by itself: soon after erasures, and every minute.
    nonisolated func start(onReport: @escaping @Sendable (MaintenanceReport) -> Void) {
        let settings = settings
        let regularly = Task {
            while !Task.isCancelled {
                await report(to: onReport)
                try? await Task.sleep(for: .milliseconds(Limits.maintenanceMilliseconds))
            }
        }
        let afterErasures = Task {
            // Also for an erasure that is to be followed at once, this must not spin.
            let pause = min(max(settings.compactionMilliseconds, 20), 1000)
            while !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(pause))
                guard hasErased.withLock({ $0 }), !Task.isCancelled else { continue }
                try? await Task.sleep(for: .milliseconds(settings.compactionMilliseconds))
                await report(to: onReport)
            }
        }
        tasks.withLock { $0 += [regularly, afterErasures] }
    }

    /// Says that there are lines to be taken off the disk.
    nonisolated func noteErasure() {
        hasErased.withLock { $0 = true }
    }

    private func report(to onReport: @Sendable (MaintenanceReport) -> Void) async {
        do throws(StoreError) {
            let report = try await work()
            if !report.isEmpty { onReport(report) }
        } catch {
            // While the index is made anew there is nothing to tidy by.
            if case .rebuilding = error { return }
            var report = MaintenanceReport()
            report.failures = [error]
            if error != .closed { onReport(report) }
        }
    }

    /// Stops what is going on, and accepts nothing more.
    nonisolated func close() async {
        rounds.withLock { $0.isClosing = true }
        for task in tasks.withLock({ $0 }) {
            task.cancel()
            await task.value
        }
        await finish()
    }

    private func finish() async {
        // A round that somebody else began must still come to its end on this thread.
        while rounds.withLock({ $0.count > 0 }) { try? await Task.sleep(for: .milliseconds(5)) }
        thread.stop()
    }

    /// Does everything that is to be done now.
    ///
    /// O(bytes of the segments concerned).
    ///
    /// Throws `index`, `closed`, `full` or `file`; what a single segment's file is to blame for is in
    /// the report.
    nonisolated func work() async throws(StoreError) -> MaintenanceReport {
        try enter()
        defer { leave() }
        return try await round()
    }

    /// Reads everything and says what is wrong, between two rounds.
    nonisolated func verify() async throws(StoreError) -> VerificationReport {
        try enter()
        defer { leave() }
        return try await look()
    }

    /// Keeps the thread until `leave`; throws `closed` when it is about to end.
    private nonisolated func enter() throws(StoreError) {
        let isClosed = rounds.withLock { rounds in
            if !rounds.isClosing { rounds.count += 1 }
            return rounds.isClosing
        }
        if isClosed { throw .closed }
    }

    private nonisolated func leave() {
        rounds.withLock { $0.count -= 1 }
    }

    private func look() async throws(StoreError) -> VerificationReport {
        try await beginWorking()
        defer { isWorking = false }
        try await index.catchUp()
        return try StoreVerification.run(folder: folder.root, catalog: index.catalog)
    }

    /// Waits for its turn: an actor lets others in while it waits for something.
    private func beginWorking() async throws(StoreError) {
        while isWorking { try? await Task.sleep(for: .milliseconds(5)) }
        if rounds.withLock({ $0.isClosing }) { throw .closed }
        isWorking = true
    }

    private func round() async throws(StoreError) -> MaintenanceReport {
        try await beginWorking()
        defer { isWorking = false }
        hasErased.withLock { $0 = false }
        var report = MaintenanceReport()
        try await expire(&report)
        let today = SegmentName(at: .now).day
        // Segments that the journal begins from here on are not among them.
        var ended = journal.endSegment(before: today)
        try await index.catchUp()
        if let known = ended, try index.erasedLines().keys.contains(where: { !known.contains($0) })
        {
            ended = journal.endSegment(before: nil)
            try await index.catchUp()
        }
        guard let ended else { return report }
        let erased = try index.erasedLines().filter { ended.contains($0.key) }
        // Before the lines are gone, because they are what tells the next round to do it again.
        if !erased.isEmpty { try index.scrub() }
        for segment in try index.segments() where ended.contains(segment.name) {
            let isOver = settings.compresses && segment.name.day < today
            do throws(StoreError) {
                try rewrite(
                    segment, without: erased[segment.name] ?? [], compresses: isOver, &report)
            } catch .closed {
                throw .closed
            } catch {
                report.failures.append(error)
            }
        }
        index.shortenLog()
        return report
    }

    // MARK: The index

    /// Makes the index anew, and tries again until that is done.
    nonisolated func healIndex() {
        let task = Task {
            var pause: UInt64 = 500
            while !Task.isCancelled {
                do throws(StoreError) {
                    try enter()
                    defer { leave() }
                    onEvent(.indexRebuilt(records: try await rebuild()))
                    return
                } catch {
                    if error == .closed { return }
                    onEvent(.indexNotRebuilt(error))
                }
                try? await Task.sleep(for: .milliseconds(pause))
                pause = min(2 * pause, Limits.rebuildingPauseMilliseconds)
            }
        }
        tasks.withLock { $0.append(task) }
    }

    private func rebuild() async throws(StoreError) -> Int {
        try await beginWorking()
        defer { isWorking = false }
        var rebuilding = IndexRebuilding(
            folder: folder, index: index, files: files,
            mustStop: { self.rounds.withLock { $0.isClosing } })
        return try rebuilding.run()
    }

    /// Looks whether all segments still have their names, and has the index made anew where one does
    /// not; between two rounds, in which files are replaced.
    nonisolated func lookForLostSegments() {
        let isFirst = isLooking.withLock { isLooking in
            defer { isLooking = true }
            return !isLooking
        }
        guard isFirst else { return }
        let task = Task {
            defer { isLooking.withLock { $0 = false } }
            do throws(StoreError) {
                try enter()
                defer { leave() }
                try await findLostSegments()
            } catch {
                if error != .closed { onEvent(.indexNotRebuilt(error)) }
            }
        }
        tasks.withLock { $0.append(task) }
    }

    private func findLostSegments() async throws(StoreError) {
        try await beginWorking()
        defer { isWorking = false }
        try await index.catchUp()
        for segment in try index.segments() {
            let file = try? files.file(of: segment.name, generation: segment.generation)
            if let file, try file.isNamed() { continue }
            lose(segment.name)
        }
    }

    /// Says that a segment's file was removed, replaced or changed by others.
    nonisolated func lose(_ segment: SegmentName) {
        onEvent(.segmentLost(segment.fileName))
        index.distrust("\(segment.fileName) was removed or replaced")
    }

    // MARK: Segments

    private func rewrite(
        _ segment: ResultIndex.Segment, without erased: [ErasedLine], compresses: Bool,
        _ report: inout MaintenanceReport
    ) throws(StoreError) {
        let name = segment.name
        guard let source = try files.file(of: name, generation: segment.generation) else { return }
        let form = compresses ? .compressed : source.form
        if erased.isEmpty, form == source.form { return }
        let output = try folder.unfinished(name)
        // What is not put into place must neither take room nor keep what is erased later.
        defer { folder.discard(output) }
        var rewriting = SegmentRewriting(into: output, as: form)
        try rewriting.copy(
            source, named: name, without: erased, mustStop: { rounds.withLock { $0.isClosing } })
        report.bytesBefore += try source.fileSize()
        report.bytesAfter += try output.size()
        if rewriting.contentSize == 0 {
            try folder.remove(name, source.form)
            try index.remove(segment)
        } else {
            try folder.replace(name, source.form, by: output, form)
            try files.add(name, form, generation: segment.generation + 1)
            try index.relocate(segment, without: erased, size: rewriting.contentSize)
        }
        files.remove(name, generation: segment.generation)
        report.removedLines += erased.count
        report.rewrittenSegments += 1
        if form != source.form { report.compressedSegments += 1 }
    }

    // MARK: Retention

    /// Erases what is kept no longer.
    private func expire(_ report: inout MaintenanceReport) async throws(StoreError) {
        var moments: [Timestamp] = []
        if let age = settings.retentionMilliseconds {
            let now = try await believedTime()
            moments.append(Timestamp(unixMilliseconds: now.unixMilliseconds - age))
        }
        if let bytes = settings.retentionBytes, let moment = try momentToKeep(bytes) {
            moments.append(moment)
        }
        if let moment = moments.max() {
            let count = try await index.count(receivedBefore: moment)
            if count > 0 {
                try await journal.erase(.receivedBefore(moment))
                report.expiredResults += count
            }
        }
        guard let limit = settings.retentionInboxResults else { return }
        for (name, through, count) in try await index.inboxes(holdingMoreThan: limit) {
            try await journal.erase(.inbox(name, through: through))
            report.expiredResults += count
        }
    }

    /// The time, as far as the clock is plausible.
    private func believedTime() async throws(StoreError) -> Timestamp {
        let newest = try await index.newestMoments()
        let wasBelieved = clock.lead == 0
        let now = clock.now(.now, boot: Clock.bootMilliseconds, newest: newest)
        if clock.lead > 0, wasBelieved { onEvent(.clockDistrusted(milliseconds: clock.lead)) }
        return now
    }

    /// The moment before which results must go, so that the files have so many bytes; nil when they
    /// have no more.
    private func momentToKeep(_ bytes: Int64) throws(StoreError) -> Timestamp? {
        var sizes: [(segment: ResultIndex.Segment, size: Int64)] = []
        for segment in try index.segments() {
            guard let file = try files.file(of: segment.name, generation: segment.generation)
            else { continue }
            sizes.append((segment, try file.fileSize()))
        }
        var total = sizes.reduce(0) { $0 + $1.size }
        var moment: Timestamp?
        for (segment, size) in sizes.dropLast() where total > bytes {
            total -= size
            let end = Timestamp(
                unixMilliseconds: Place.moment(segment.lastPlace).unixMilliseconds + 1)
            moment = max(moment ?? end, end)
        }
        return moment
    }
}
