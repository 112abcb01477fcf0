// Reads the lines that the index has found from the segments.

import Clocks

extension FileStorage {
    /// Reads lines; adjacent ones at once.
    ///
    /// If a line has moved since the lookup, because its segment has been rewritten, it is looked
    /// up again. The record may have another line then, because it was decoded again.
    func lines(
        at locations: [ResultIndex.Location]
    ) async throws(StoreError) -> (lines: [StoredLine], damage: [StoreError]) {
        var lines: [StoredLine] = []
        var damage: [StoreError] = []
        lines.reserveCapacity(locations.count)
        var rest = locations[...]
        var segments: Set<SegmentName> = []
        while let first = rest.first {
            if Task.isCancelled { throw .cancelled }
            let run = rest.prefix(Self.neighbours(in: rest))
            rest = rest.dropFirst(run.count)
            if segments.insert(first.segment).inserted { lookAtName(of: first) }
            let bytes = try read(run)
            for location in run {
                Pause.giveWay()
                if let line = bytes?.line(at: location) {
                    lines.append(line)
                } else {
                    try await readAlone(location, &lines, &damage)
                }
            }
        }
        return (lines, damage)
    }

    /// Whether the line at a location says that its record was decoded again; nil if the line isn't
    /// there any more, or is damaged.
    func isDecodedAgain(_ location: ResultIndex.Location) throws(StoreError) -> Bool? {
        if Task.isCancelled { throw .cancelled }
        Pause.giveWay()
        guard
            let file = try files.file(of: location.segment, generation: location.generation)
        else { return nil }
        let head = try file.read(
            min(location.size, RecordLine.mostHeadBytes), at: location.offset)
        guard RecordLine.sequence(of: head[...]) == location.sequence else { return nil }
        return RecordLine.isDecodedAgain(head)
    }

    /// Number of the first locations that form one piece of a segment, forwards or backwards.
    private static func neighbours(in locations: ArraySlice<ResultIndex.Location>) -> Int {
        var count = 1
        var bytes = locations.first?.size ?? 0
        for (location, next) in zip(locations, locations.dropFirst()) {
            bytes += next.size + 1
            guard location.segment == next.segment, location.generation == next.generation,
                location.end == next.offset || next.end == location.offset,
                bytes <= Limits.scanBytes
            else { break }
            count += 1
        }
        return count
    }

    /// A piece of a segment's content.
    private struct Piece {
        let bytes: [UInt8]
        let offset: Int64

        /// A line in this piece; nil if it isn't intact.
        func line(at location: ResultIndex.Location) -> StoredLine? {
            let start = Int(location.offset - offset)
            guard start >= 0, start + location.size <= bytes.count else { return nil }
            let line = bytes[start..<(start + location.size)]
            guard RecordLine.isIntact(line),
                RecordLine.sequence(of: line) == location.sequence
            else { return nil }
            // A single line is not copied.
            let isAlone = location.size == bytes.count
            return StoredLine(isAlone ? bytes : Array(line), location.sequence)
        }
    }

    /// Reads a piece that covers all locations; nil if their file has been retired.
    private func read(
        _ run: ArraySlice<ResultIndex.Location>
    ) throws(StoreError) -> Piece? {
        guard let first = run.first, let last = run.last,
            let file = try files.file(of: first.segment, generation: first.generation)
        else { return nil }
        let start = min(first.offset, last.offset)
        // Without the newline of the last line.
        let end = max(first.end, last.end) - 1
        return Piece(bytes: try file.read(Int(end - start), at: start), offset: start)
    }

    /// Reads a single line, and looks it up again until it is where it should be.
    private func readAlone(
        _ location: ResultIndex.Location, _ lines: inout [StoredLine],
        _ damage: inout [StoreError]
    ) async throws(StoreError) {
        var known = location
        while true {
            // The damage may be only in the neighbouring lines.
            if let line = try read([known])?.line(at: known) {
                lines.append(line)
                return
            }
            guard let again = try await index.location(now: known) else { return }
            // Only a line that has not moved since the lookup is damaged.
            if again == known {
                let name = known.segment.fileName
                if try !isLine(known) {
                    index.reportDamage("it names byte \(known.offset) of \(name), where no line is")
                    throw .rebuilding(done: 0, of: 0)
                }
                damage.append(.damaged(segment: name, offset: known.offset))
                return
            }
            known = again
        }
    }

    /// Whether a line begins and ends where the index says, whatever its content.
    private func isLine(_ location: ResultIndex.Location) throws(StoreError) -> Bool {
        guard let file = try files.file(of: location.segment, generation: location.generation)
        else { return true }
        let start = max(location.offset - 1, 0)
        let bytes = try file.read(Int(location.end - start), at: start)
        // A block that can't be read.
        if file.form == .compressed, bytes.count < Int(location.end - start) { return true }
        let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
        let isWhole = ends == (location.offset == 0 ? [] : [0]) + [bytes.count - 1]
        // An intact line is another record's.
        let line = bytes.dropFirst(location.offset == 0 ? 0 : 1).dropLast()
        return isWhole && bytes.count == Int(location.end - start) && !RecordLine.isIntact(line)
    }

    /// Checks for lost segments if this one seems to be gone.
    ///
    /// The keeper may also just be replacing it.
    private func lookAtName(of location: ResultIndex.Location) {
        let file = Result { () throws(StoreError) in
            try files.file(of: location.segment, generation: location.generation)
        }
        switch file {
        case .success(let file?) where (try? file.isNamed()) == false: break
        case .success, .failure(.noDescriptor): return
        case .failure: break
        }
        keeper.checkForLostSegments()
    }
}

extension ResultIndex.Location {
    /// Offset after the line's newline.
    fileprivate var end: Int64 { offset + Int64(size) + 1 }
}
