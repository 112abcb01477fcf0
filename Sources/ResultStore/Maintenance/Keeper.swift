// Maintains the segments in the background, one round at a time: erases expired results, removes
// erased lines from the disk, merges small segments, and compresses those of past days.
//
// Invariant: one round at a time, and none after a failed sync. Left out: how segments are
// rewritten (`Keeper+Segments`), and what expires (`Keeper+Retention`).

import Clocks
import GRDB
import Synchronization

/// Rewrites segments and erases expired results.
actor Keeper {
    private let thread = SerialThread(name: "keeper")
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        // SAFETY: the actor owns the thread, so the reference lives as long as the actor.
        unsafe thread.asUnownedSerialExecutor()
    }

    let folder: StoreFolder
    let files: SegmentFiles
    let index: ResultIndex
    let journal: Journal
    let settings: StoreSettings
    let onEvent: @Sendable (StoreEvent) -> Void
    var clock = RetentionClock()
    /// Number of rounds that have begun or wait for another; none begins while closing.
    private struct Rounds {
        var count = 0
        var isClosing = false
        /// Resumed when the last round ends.
        var closing: CheckedContinuation<Void, Never>?
    }

    private let rounds = Mutex(Rounds())
    /// Background tasks that have not ended, each by its number.
    private struct BackgroundTasks {
        var started = 0
        var running: [Int: Task<Void, Never>] = [:]
    }

    private let tasks = Mutex(BackgroundTasks())
    private let hasErased = Mutex(false)
    private let isVerifying = Mutex(false)
    private var isWorking = false
    /// Rounds that wait for their turn, in order.
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// A failed sync: the content of the disk is unknown, so nothing more is rewritten.
    var failure: StoreError?
    /// A file that replaces segments, but is not in its place or not in the index yet.
    var unsettled: Replaced?
    /// Segments that could not be merged because a block can't be read.
    var unmergeable: Set<SegmentName> = []
    /// Whether damaged lines have not been checked since something was erased.
    var examinesDamage = true

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

    /// Starts the background work: soon after erasures, and every minute.
    nonisolated func start(onReport: @escaping @Sendable (MaintenanceReport) -> Void) {
        let settings = settings
        inBackground { [self] in
            while !Task.isCancelled {
                await report(to: onReport)
                try? await Task.sleep(for: .milliseconds(Limits.maintenanceMilliseconds))
            }
        }
        inBackground { [self] in
            // Pauses even if erasures are processed at once, so that this loop doesn't spin.
            let pause = min(max(settings.compactionMilliseconds, 20), 1000)
            while !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(pause))
                guard hasErased.withLock({ $0 }), !Task.isCancelled else { continue }
                try? await Task.sleep(for: .milliseconds(settings.compactionMilliseconds))
                await report(to: onReport)
            }
        }
    }

    /// Starts a task that `close` cancels and waits for; forgets it when it ends.
    private nonisolated func inBackground(_ work: @escaping @Sendable () async -> Void) {
        tasks.withLock { tasks in
            tasks.started += 1
            let number = tasks.started
            // It can't end before it is noted: it needs this lock.
            tasks.running[number] = Task {
                await work()
                self.tasks.withLock { $0.running[number] = nil }
            }
        }
    }

    /// The background tasks that have not ended.
    nonisolated var runningTasks: [Task<Void, Never>] {
        tasks.withLock { Array($0.running.values) }
    }

    /// Whether the running work must stop.
    nonisolated var mustStop: Bool { rounds.withLock { $0.isClosing } }

    /// Reports that there are erased lines to remove from the disk.
    nonisolated func noteErasure() {
        hasErased.withLock { $0 = true }
    }

    private func report(to onReport: @Sendable (MaintenanceReport) -> Void) async {
        do throws(StoreError) {
            let report = try await work()
            if !report.isEmpty { onReport(report) }
        } catch {
            // Maintenance needs the index, so it waits for a rebuild.
            if case .rebuilding = error { return }
            var report = MaintenanceReport()
            report.failures = [error]
            if error != .closed { onReport(report) }
        }
    }

    /// Stops the running work, and accepts no more.
    nonisolated func close() async {
        rounds.withLock { $0.isClosing = true }
        for task in runningTasks {
            task.cancel()
            await task.value
        }
        await finish()
    }

    private func finish() async {
        // A round that another task began must still end on this thread.
        await withCheckedContinuation { continuation in
            let isIdle = rounds.withLock { rounds in
                if rounds.count > 0 { rounds.closing = continuation }
                return rounds.count == 0
            }
            if isIdle { continuation.resume() }
        }
        thread.stop()
    }

    /// Does all maintenance that is due.
    ///
    /// O(bytes of the segments concerned).
    ///
    /// Throws `index`, `closed`, `full` or `file`; problems of a single segment's file are in the
    /// report.
    nonisolated func work() async throws(StoreError) -> MaintenanceReport {
        try enter()
        defer { leave() }
        return try await round()
    }

    /// Reads everything and reports what is wrong, between two rounds.
    nonisolated func verify() async throws(StoreError) -> VerificationReport {
        try enter()
        defer { leave() }
        return try await verifyInTurn()
    }

    /// Keeps the thread running until `leave`; throws `closed` when it is about to end.
    private nonisolated func enter() throws(StoreError) {
        let isClosed = rounds.withLock { rounds in
            if !rounds.isClosing { rounds.count += 1 }
            return rounds.isClosing
        }
        if isClosed { throw .closed }
    }

    private nonisolated func leave() {
        let closing = rounds.withLock { rounds in
            rounds.count -= 1
            return rounds.count == 0 ? rounds.closing.take() : nil
        }
        closing?.resume()
    }

    private func verifyInTurn() async throws(StoreError) -> VerificationReport {
        try await beginWorking()
        defer { endWorking() }
        try await index.catchUp()
        return try StoreVerification.run(folder: folder.root, catalog: index.catalog)
    }

    /// Waits for its turn, because other calls enter an actor whenever it suspends.
    private func beginWorking() async throws(StoreError) {
        // Decided in the closure: before it, other rounds may run and end.
        await withCheckedContinuation { continuation in
            if isWorking {
                waiting.append(continuation)
            } else {
                isWorking = true
                continuation.resume()
            }
        }
        if rounds.withLock({ $0.isClosing }) {
            endWorking()
            throw .closed
        }
    }

    private func endWorking() {
        if waiting.isEmpty { isWorking = false } else { waiting.removeFirst().resume() }
    }

    private func round() async throws(StoreError) -> MaintenanceReport {
        try await beginWorking()
        defer { endWorking() }
        if let failure { throw failure }
        // Another process may use the folder that has the name now.
        try folder.followLock()
        if hasErased.withLock({ $0 }) { examinesDamage = true }
        hasErased.withLock { $0 = false }
        var report = MaintenanceReport()
        do throws(StoreError) {
            try await folder.reserve.whenFull { () async throws(StoreError) in
                try await expire(&report)
                if report.expiredResults > 0 { examinesDamage = true }
                try await tidy(&report)
            }
            folder.reserve.take()
        } catch {
            if case .syncFailed = error { failure = error }
            throw error
        }
        return report
    }

    // MARK: The index

    /// Rebuilds the index; tries again until that succeeds.
    ///
    /// - Parameter isIntact: whether the index only lacks lines, so that it is kept until a try
    ///   finds it damaged.
    nonisolated func repairIndex(isIntact: Bool = false) {
        inBackground { [self] in
            var pause: UInt64 = 500
            var isIntact = isIntact
            while !Task.isCancelled {
                do throws(StoreError) {
                    try enter()
                    defer { leave() }
                    try await repair(isIntact: isIntact)
                    // Completing the index doesn't check the pages that it had.
                    if isIntact { await index.checkForDamage() }
                    return
                } catch {
                    if error == .closed { return }
                    onEvent(.indexNotRebuilt(error))
                    // On a full disk, or if a file can't be read, the index may be intact.
                    if !error.isFull, !error.isPassing { isIntact = false }
                }
                try? await Task.sleep(for: .milliseconds(pause))
                pause = min(2 * pause, Limits.rebuildingPauseMilliseconds)
            }
        }
    }

    private func repair(isIntact: Bool) async throws(StoreError) {
        try await beginWorking()
        defer { endWorking() }
        // A round may have rebuilt it already.
        if index.rebuilding != nil { try rebuild(isIntact: isIntact) }
    }

    /// Rebuilds the index in the caller's turn.
    ///
    /// - Parameter isIntact: whether what the index has is kept.
    func rebuild(isIntact: Bool = false) throws(StoreError) {
        try folder.followLock()
        let rebuilding = IndexRebuilding(
            folder: folder, index: index, files: files, isIntact: isIntact,
            onDamage: { self.onEvent(.damageFound($0)) }, mustStop: { self.mustStop })
        let records = try rebuilding.run()
        // The rebuild has read all files as they are now.
        unsettled = nil
        onEvent(.indexRebuilt(records: records))
    }

    /// Checks that all segments still have their names; rebuilds the index if one doesn't.
    ///
    /// Runs between two rounds, because rounds replace files.
    nonisolated func checkForLostSegments() {
        let isFirst = isVerifying.withLock { isVerifying in
            defer { isVerifying = true }
            return !isVerifying
        }
        guard isFirst else { return }
        inBackground { [self] in
            defer { isVerifying.withLock { $0 = false } }
            do throws(StoreError) {
                try enter()
                defer { leave() }
                try await findLostSegments()
            } catch {
                switch error {
                // A rebuild reads all segments itself.
                case .closed, .rebuilding: break
                default: onEvent(.segmentsNotChecked(error))
                }
            }
        }
    }

    private func findLostSegments() async throws(StoreError) {
        try await beginWorking()
        defer { endWorking() }
        try await index.catchUp()
        for segment in try index.segments() {
            if try !isLost(segment) { continue }
            reportLost(segment.name)
        }
    }

    /// Whether a segment's file is missing or another one.
    ///
    /// One that can't be opened now is not: a rebuild would have to read it too.
    private func isLost(_ segment: ResultIndex.Segment) throws(StoreError) -> Bool {
        let (name, generation) = (segment.name, segment.generation)
        guard let form = files.form(of: name, generation: generation) else { return true }
        let file: SegmentFile?
        do throws(StoreError) {
            file = try files.file(of: name, generation: generation)
        } catch .noDescriptor {
            return false
        } catch {
            return try !folder.holds(name, form)
        }
        return try file?.isNamed() != true
    }

    /// Reports that a segment's file was removed, replaced or changed by another process.
    nonisolated func reportLost(_ segment: SegmentName) {
        onEvent(.segmentLost(segment.fileName))
        index.reportDamage("\(segment.fileName) was removed or replaced")
    }
}
