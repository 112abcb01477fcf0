// Rewrites segments: removes erased lines, merges small neighbours, compresses past days.
//
// Invariant: the segment that the journal writes to is never touched. Files are replaced as a whole
// (see `StoreFolder.put`). After a crash between that and the update of the index, the index is
// rebuilt, because a segment is missing or shorter than expected. After a failure between them,
// nothing else is rewritten before that file is in its place and in the index. The name of an
// erased inbox is removed from its erasure only when all erased records have left the disk, because
// a rebuilt index needs it until then.

import Clocks

extension Keeper {
    /// Neighbouring segments that become one file.
    struct Run {
        var segments: [ResultIndex.Segment]
        /// The erased lines of each segment.
        var erased: [SegmentName: [ErasedLine]]

        var names: [SegmentName] { segments.map(\.name) }
        var size: Int64 { segments.reduce(0) { $0 + $1.size } }
        var holdsNames: Bool { erased.values.contains { $0.contains { $0.isErasure } } }
    }

    /// A file on the disk that the index doesn't know yet.
    struct Replaced {
        /// What is still to be done on the disk; nil for nothing.
        var merging: Merging?
        let parts: [ResultIndex.Moved]
        let form: SegmentForm
        let size: Int64
        let hasDamage: Bool?
    }

    /// What one round works with.
    struct Plan {
        /// Segments that are not written to any more.
        let ended: EndedSegments
        let today: String
        /// Decides about damaged lines; nil without damage, or without new erasures.
        var erasures: KnownErasures?
        /// Numbers of erased lines that may be removed: the index holds none of their data any
        /// more.
        var scrubbed: Set<Int> = []
        var damaged: Set<SegmentName> = []
        /// Segments from which erased records must still be removed.
        var unfinished: Set<SegmentName> = []
        /// Erasures whose names may be removed when nothing is unfinished.
        var names: Set<Int> = []

        /// Notes that nothing is left to do in these segments.
        mutating func finish(_ run: Run) {
            unfinished.subtract(run.names)
            damaged.subtract(run.names)
        }
    }

    /// Rewrites the segments that need it; rebuilds the index first if it doesn't match the files.
    ///
    /// Throws errors that concern more than one segment.
    func tidy(_ report: inout MaintenanceReport) async throws(StoreError) {
        let today = SegmentName(at: .now).day
        // Segments that the journal begins from here on are not included.
        var ended = journal.endSegment(before: today)
        try await index.catchUp()
        if let known = ended, try hasWork(besides: known) {
            do throws(StoreError) {
                // If no file can be made, callbacks can be stored only in the current segment.
                folder.discard(try folder.unfinished(SegmentName(at: .now)))
                ended = journal.endSegment(before: nil)
            } catch {
                report.failures.append(error)
            }
            try await index.catchUp()
        }
        guard let ended else { return }
        try settle()
        if try !rewriteAll(Plan(ended: ended, today: today), &report) {
            report.rebuildReason = "erased lines are not where it says"
            index.reportDamage("erased lines are not where it says")
            try rebuild()
            try await index.catchUp()
            if try !rewriteAll(Plan(ended: ended, today: today), &report) {
                report.failures.append(
                    .index(reason: "erased lines are not where it says, even after rebuilding it"))
            }
        }
        if await !index.shortenLog() { noteErasure() }
    }

    /// Whether a segment outside of these contains lines that must be removed.
    private func hasWork(besides ended: EndedSegments) throws(StoreError) -> Bool {
        if try index.erasedLines().keys.contains(where: { !ended.contains($0) }) { return true }
        guard examinesDamage else { return false }
        return try index.damagedSegments().contains { !ended.contains($0) }
    }

    /// Rewrites all ended segments that need it; those with names of inboxes last.
    ///
    /// Returns false if the index is wrong.
    private func rewriteAll(
        _ plan: Plan, _ report: inout MaintenanceReport
    ) throws(StoreError) -> Bool {
        var plan = plan
        try prepare(&plan)
        var hasSplit = false
        // A name that could not be removed in the first pass can be in the second.
        for isSecond in [false, true] {
            if isSecond, !hasSplit, plan.names.isEmpty || !plan.unfinished.isEmpty { break }
            for run in try runs(plan) {
                do throws(StoreError) {
                    guard try rewriteWithReserve(run, &plan, &report) else { return false }
                } catch {
                    switch error {
                    case .damaged where run.segments.count > 1:
                        // In the second pass, each segment is rewritten by itself.
                        unmergeable.formUnion(run.names)
                        hasSplit = true
                    case .closed, .syncFailed, .index: throw error
                    default: report.failures.append(error)
                    }
                    if unsettled != nil { throw error }
                }
            }
        }
        if report.failures.isEmpty { examinesDamage = false }
        return true
    }

    private func prepare(_ plan: inout Plan) throws(StoreError) {
        let ended = plan.ended
        let erased = try index.erasedLines().filter { ended.contains($0.key) }
        plan.damaged = try index.damagedSegments().filter { ended.contains($0) }
        if examinesDamage, !plan.damaged.isEmpty {
            plan.erasures = try knownErasures()
            plan.unfinished = plan.damaged
        }
        for (name, lines) in erased {
            if lines.contains(where: { !$0.isErasure }) { plan.unfinished.insert(name) }
            plan.scrubbed.formUnion(lines.map(\.sequence))
            plan.names.formUnion(lines.filter(\.isErasure).map(\.sequence))
        }
        // Must come before the lines are removed, because they make the next round repeat it. Lines
        // erased from here on stay until then.
        if !erased.isEmpty || plan.erasures != nil {
            try index.scrub(mustStop: { mustStop })
            try folder.removeLeftovers()
        }
    }

    /// The runs that need to be rewritten, small ones first: they need little space and release
    /// some.
    private func runs(_ plan: Plan) throws(StoreError) -> [Run] {
        let erased = try index.erasedLines().compactMapValues { lines in
            let lines = lines.filter { plan.scrubbed.contains($0.sequence) }
            return lines.isEmpty ? nil : lines
        }
        let segments = try index.segments().filter { plan.ended.contains($0.name) }
        var runs: [Run] = []
        for day in Dictionary(grouping: segments, by: \.name.day).values {
            for part in day.split(whereSeparator: { unmergeable.contains($0.name) }) {
                let part = Array(part)
                runs += SegmentMerging.runs(part.map(\.size), limit: settings.segmentBytes)
                    .map { Run(segments: Array(part[$0]), erased: [:]) }
            }
            runs += day.filter { unmergeable.contains($0.name) }
                .map { Run(segments: [$0], erased: [:]) }
        }
        runs = try inOrderOfWriting(runs)
        for index in runs.indices {
            for name in runs[index].names { runs[index].erased[name] = erased[name] }
        }
        return runs.filter { needsRewriting($0, plan) }.sorted {
            $0.holdsNames == $1.holdsNames ? $0.size < $1.size : $1.holdsNames
        }
    }

    /// Splits runs whose segments don't follow one another: others were written between them while
    /// the clock had leapt, or one was restored from a backup.
    ///
    /// The effect of their erasures depends on the order of numbers.
    private func inOrderOfWriting(_ runs: [Run]) throws(StoreError) -> [Run] {
        guard runs.contains(where: { $0.segments.count > 1 }) else { return runs }
        let order = try SegmentOrder.ofWriting(folder, index.catalog)
        var places: [SegmentName: Int] = [:]
        for (place, segment) in order.enumerated() { places[segment.name] = place }
        var split: [Run] = []
        for run in runs {
            let found = run.names.compactMap { places[$0] }
            var isInOrder = found.count == run.segments.count
            for (place, next) in zip(found, found.dropFirst()) where isInOrder {
                let last = try SegmentOrder.end(of: order[place], in: folder, index.catalog)
                isInOrder = place + 1 == next && last.sequence ?? 0 < order[next].first
            }
            split += isInOrder ? [run] : run.segments.map { Run(segments: [$0], erased: [:]) }
        }
        return split
    }

    private func needsRewriting(_ run: Run, _ plan: Plan) -> Bool {
        if run.segments.count > 1 || !run.erased.isEmpty { return true }
        if plan.erasures != nil, run.names.contains(where: plan.damaged.contains) { return true }
        return run.segments.contains { form(of: run, plan) != fileForm($0) }
    }

    private func fileForm(_ segment: ResultIndex.Segment) -> SegmentForm? {
        files.form(of: segment.name, generation: segment.generation)
    }

    /// The form of a run's new file.
    private func form(of run: Run, _ plan: Plan) -> SegmentForm {
        let isPast = run.segments.allSatisfy { $0.name.day < plan.today }
        let isCompressed = run.segments.contains { fileForm($0) == .compressed }
        return settings.compresses && isPast || isCompressed ? .compressed : .plain
    }

    /// Rewrites a run; if the disk is full, tries again with the reserve.
    private func rewriteWithReserve(
        _ run: Run, _ plan: inout Plan, _ report: inout MaintenanceReport
    ) throws(StoreError) -> Bool {
        do throws(StoreError) {
            return try rewrite(run, &plan, &report)
        } catch {
            guard error.isFull, folder.reserve.giveUp() else { throw error }
            try settle()
            return try rewrite(run, &plan, &report)
        }
    }

    /// Rewrites a run; returns false if the index is wrong about it.
    private func rewrite(
        _ run: Run, _ plan: inout Plan, _ report: inout MaintenanceReport
    ) throws(StoreError) -> Bool {
        guard let first = run.segments.first else { return true }
        let others = plan.unfinished.subtracting(run.names)
        var run = run
        for (name, lines) in run.erased {
            run.erased[name] = lines.filter { line in
                !line.isErasure || others.isEmpty && plan.names.contains(line.sequence)
            }
        }
        let form = form(of: run, plan)
        defer {
            // If the disk has the new file already, readers use the old one until the index is
            // updated.
            if unsettled == nil {
                for segment in run.segments {
                    files.release(segment.name, generation: segment.generation)
                }
            }
        }
        guard let sources = try keepOpen(run) else { return true }
        let needs =
            run.segments.count > 1 || run.erased.values.contains { !$0.isEmpty }
            || sources.contains { $0.form != form }
            || plan.erasures != nil && run.names.contains(where: plan.damaged.contains)
        if !needs { return true }
        let output = try folder.unfinished(first.name)
        // One that isn't put into place must not use space, nor keep data that is erased later.
        defer { folder.discard(output) }
        var rewriting = SegmentRewriting(into: output, as: form)
        guard let moved = try copy(run, sources, &rewriting, plan, &report) else { return false }
        if run.segments.count == 1, sources[0].form == form, moved[0].cuts.isEmpty,
            plan.erasures == nil || rewriting.hasDamage
        {
            plan.finish(run)
            return true
        }
        for source in sources { report.bytesBefore += try source.fileSize() }
        report.bytesAfter += try output.size()
        let old = zip(run.segments, sources).map { ($0.name, $1.form) }
        if try output.size() == 0 {
            for (segment, source) in zip(run.segments, sources) {
                try folder.remove(segment.name, source.form)
                try index.remove([segment])
                files.remove(segment.name, generation: segment.generation)
            }
        } else {
            try folder.put(output, form, inPlaceOf: old) { merging in
                unsettled = Replaced(
                    merging: merging, parts: moved, form: form, size: rewriting.contentSize,
                    hasDamage: plan.erasures == nil ? nil : rewriting.hasDamage)
            }
            try settle()
            report.mergedSegments += run.segments.count - 1
        }
        plan.finish(run)
        report.removedLines += moved.reduce(0) { $0 + $1.erased.count { !$0.isErasure } }
        report.rewrittenSegments += run.segments.count
        report.compressedSegments += sources.count { $0.form != form }
        return true
    }

    /// Opens a run's segments; nil if one is gone, or is another program's.
    private func keepOpen(_ run: Run) throws(StoreError) -> [SegmentFile]? {
        var sources: [SegmentFile] = []
        for segment in run.segments {
            guard let file = try files.keep(segment.name, generation: segment.generation) else {
                return nil
            }
            guard try file.isNamed() else {
                reportLost(segment.name)
                return nil
            }
            sources.append(file)
        }
        return sources
    }

    /// Copies a run's segments one after another; returns nil if the index is wrong.
    private func copy(
        _ run: Run, _ sources: [SegmentFile], _ rewriting: inout SegmentRewriting, _ plan: Plan,
        _ report: inout MaintenanceReport
    ) throws(StoreError) -> [ResultIndex.Moved]? {
        var moved: [ResultIndex.Moved] = []
        for (segment, source) in zip(run.segments, sources) {
            let start = rewriting.contentSize
            let erased = run.erased[segment.name] ?? []
            let judge = plan.damaged.contains(segment.name) ? plan.erasures : nil
            let copied = try rewriting.copy(
                source, named: segment.name, without: erased, judge,
                isLast: segment == run.segments.last,
                holdsOthers: { (range, count) throws(StoreError) in
                    try index.lineCount(of: segment, in: range) > count
                }, mustStop: { mustStop })
            guard let copied else { return nil }
            if let line = copied.left.first {
                report.failures.append(
                    .damaged(segment: segment.name.fileName, offset: line.offset))
            }
            moved.append(
                .init(
                    segment: segment, start: start, cuts: copied.cuts,
                    erased: erased.filter { !copied.left.contains($0) }))
        }
        try rewriting.finish()
        return moved
    }

    /// Completes the replacement of segments by a file that the disk already has, and updates the
    /// index and the readers.
    ///
    /// If this fails, the next round repeats it before it rewrites anything else.
    private func settle() throws(StoreError) {
        guard let replaced = unsettled, let first = replaced.parts.first?.segment else { return }
        if let merging = replaced.merging {
            try folder.complete(merging, insteadOf: replaced.parts.map(\.segment.name))
            unsettled?.merging = nil
        }
        try files.add(first.name, replaced.form, generation: first.generation + 1)
        try index.relocate(
            replaced.parts, size: replaced.size, hasDamage: replaced.hasDamage)
        for part in replaced.parts {
            files.remove(part.segment.name, generation: part.segment.generation)
        }
        unsettled = nil
    }
}
