// Rewrites segments as one file: without erased lines, or in the other form, or both.
//
// Invariant: the index says which lines to remove, but is not trusted: a line is removed only if a
// line begins and ends there and has the number of the erased record. Every other byte is kept,
// damaged stretches too, except those that hold an erased record. A block that can't be
// decompressed is copied as it is until all of its lines are erased. Left out: what happens to the
// old files and to the index (`Keeper`).

import Clocks
import JSON

/// A line that must change: an erased record's line is removed; the erasure of an inbox loses the
/// inbox's name.
struct ErasedLine: Sendable, Equatable {
    /// Offset of its first byte in the content.
    let offset: Int64
    /// Bytes of the line, without its newline.
    let size: Int
    /// The number that the line must have.
    let sequence: Int
    /// Whether it is an erasure that loses its name.
    var isErasure = false
}

/// Bytes that the new file no longer contains.
struct Cut: Sendable, Equatable {
    /// Their offset in the old content; lines after it have moved.
    let offset: Int64
    let size: Int64
}

/// Copies segments into a new file.
struct SegmentRewriting {
    /// What was removed from a segment.
    struct Copied {
        let cuts: [Cut]
        /// Erased lines that are still there, because a block that also holds others can't be
        /// decompressed.
        let left: [ErasedLine]
    }

    /// Whether the index knows more lines between two offsets than this many erased ones.
    typealias HoldsOthers = (Range<Int64>, _ erased: Int) throws(StoreError) -> Bool

    private let output: any DiskFile
    private let form: SegmentForm
    private var buffer: [UInt8] = []
    /// Bytes of content that have been written to compressed blocks.
    private var writtenSize: Int64 = 0

    /// Bytes of content copied from all segments.
    private(set) var contentSize: Int64 = 0

    /// Whether a damaged line was kept in the segments whose lines were all checked.
    private(set) var hasDamage = false

    init(into output: any DiskFile, as form: SegmentForm) {
        self.output = output
        self.form = form
    }

    /// Copies a segment after those that were copied before.
    ///
    /// - Parameters:
    ///   - erased: in the order of their offsets.
    ///   - erasures: if not nil, all lines are checked, and damaged ones that these erasures cover
    ///     are removed.
    ///   - isLast: whether no segment follows: what can't be read at a segment's end would be hidden
    ///     between the blocks of two.
    ///   - holdsOthers: called for a block that can't be decompressed and holds erased lines.
    ///   - mustStop: called between the parts.
    ///
    /// Returns what was removed; nil if a line is not where `erased` says. Then the index is wrong,
    /// and the output is unusable.
    ///
    /// O(content).
    ///
    /// Throws `damaged` for a part that can neither be read nor copied, because its content would be
    /// lost; `closed` when it must stop; `full` or `file`.
    mutating func copy(
        _ source: SegmentFile, named name: SegmentName, without erased: [ErasedLine],
        _ erasures: KnownErasures? = nil, isLast: Bool, holdsOthers: HoldsOthers,
        mustStop: () -> Bool
    ) throws(StoreError) -> Copied? {
        var lines = Lines(next: erased[...], erasures: erasures)
        var left: [ErasedLine] = []
        let size = try source.size()
        var position: Int64 = 0
        while position < size {
            if mustStop() { throw .closed }
            let bytes = try source.read(
                Int(min(Int64(Limits.scanBytes), size - position)), at: position)
            guard bytes.isEmpty else {
                position += Int64(bytes.count)
                guard lines.add(bytes, to: &buffer) else { return nil }
                try write(all: false)
                continue
            }
            guard let part = source.unreadablePart(at: position),
                part.fileSize <= Limits.inflatedBlockBytes,
                let erased = lines.pass(part.contentSize)
            else { throw .damaged(segment: name.fileName, offset: position) }
            position = part.contentEnd
            if !erased.isEmpty {
                guard try holdsOthers(part.contentOffset..<position, erased.count) else {
                    lines.cut(part)
                    continue
                }
                left += erased
            }
            try append(part, of: source)
        }
        guard lines.end(to: &buffer) else { return nil }
        if let rest = source.unreadablePart(at: size) {
            guard isLast, rest.fileSize <= Limits.inflatedBlockBytes else {
                throw .damaged(segment: name.fileName, offset: size)
            }
            try append(rest, of: source)
        }
        hasDamage = hasDamage || lines.hasDamage
        contentSize += lines.keptSize
        return Copied(cuts: lines.cuts, left: left)
    }

    /// Copies a part of a compressed file as it is.
    private mutating func append(
        _ part: CompressedBlock, of source: SegmentFile
    ) throws(StoreError) {
        try write(all: true)
        var bytes = try source.bytes(of: part)
        CompressedBlock.move(&bytes, to: writtenSize)
        try output.append(bytes)
        writtenSize += Int64(part.contentSize)
        hasDamage = true
    }

    /// Number of damaged lines of a segment that hold erased records.
    ///
    /// Skips blocks that can't be read.
    ///
    /// O(content).
    static func damagedLines(
        of source: SegmentFile, concernedBy erasures: KnownErasures
    ) throws(StoreError) -> Int {
        var lines = Lines(next: [], erasures: erasures)
        var position: Int64 = 0
        while true {
            let bytes = try source.read(Limits.scanBytes, at: position)
            if bytes.isEmpty {
                guard let next = source.nextReadable(after: position) else { break }
                position = next
                continue
            }
            position += Int64(bytes.count)
            var output: [UInt8] = []
            _ = lines.add(bytes, to: &output)
        }
        var output: [UInt8] = []
        _ = lines.end(to: &output)
        return lines.cuts.count
    }

    /// Writes what is left; the last call on this value.
    ///
    /// Throws `full` or `file`.
    mutating func finish() throws(StoreError) {
        try write(all: true)
    }

    /// Writes complete blocks of whole lines, or everything.
    private mutating func write(all: Bool) throws(StoreError) {
        guard form == .compressed else {
            if all || buffer.count >= Limits.scanBytes {
                try output.append(buffer)
                buffer.removeAll(keepingCapacity: true)
            }
            return
        }
        var start = 0
        while buffer.count - start >= (all ? 1 : Limits.blockBytes) {
            let search = min(buffer.count, start + Limits.blockBytes) - 1
            guard
                let end = buffer[search...].firstIndex(of: UInt8(ascii: "\n"))
                    ?? (all ? buffer.count - 1 : nil)
            else { break }
            let content = Array(buffer[start...end])
            Pause.giveWay()
            guard let member = CompressedBlock.member(of: content, at: writtenSize) else {
                throw .file(
                    path: output.path, operation: "compress", reason: "out of memory")
            }
            try output.append(member)
            writtenSize += Int64(content.count)
            start = end + 1
        }
        buffer.removeFirst(start)
    }
}

/// Splits a segment's content, in chunks of any size, into lines.
private struct Lines {
    /// Erased lines that have not been reached yet.
    var next: ArraySlice<ErasedLine>
    let erasures: KnownErasures?
    private(set) var cuts: [Cut] = []
    private(set) var hasDamage = false
    private(set) var keptSize: Int64 = 0
    /// Bytes after the last newline, and their offset.
    private var pending: [UInt8] = []
    private var offset: Int64 = 0

    init(next: ArraySlice<ErasedLine>, erasures: KnownErasures?) {
        self.next = next
        self.erasures = erasures
    }

    /// Takes the next bytes, and appends those completed lines that are kept.
    ///
    /// Returns false if a line is not where it should be.
    mutating func add(_ bytes: [UInt8], to output: inout [UInt8]) -> Bool {
        var index = pending.count
        pending += bytes
        var start = 0
        // Consecutive lines that are kept are appended together.
        var kept = 0
        while let end = pending[index...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = pending[start..<end]
            guard let action = action(of: line, at: offset + Int64(start)) else { return false }
            if case .kept = action {
            } else {
                append(pending[kept..<start], to: &output)
                kept = end + 1
                var size = line.count + 1
                if case .replaced(let bytes) = action {
                    size -= bytes.count
                    append(bytes[...], to: &output)
                }
                if size > 0 { cuts.append(Cut(offset: offset + Int64(start), size: Int64(size))) }
            }
            start = end + 1
            index = start
        }
        append(pending[kept..<start], to: &output)
        pending.removeFirst(start)
        offset += Int64(start)
        return true
    }

    /// Passes content that can't be read, and is kept; returns the erased lines that begin in it.
    ///
    /// Nil if it begins within a line.
    mutating func pass(_ size: Int) -> [ErasedLine]? {
        guard pending.isEmpty else { return nil }
        offset += Int64(size)
        keptSize += Int64(size)
        let passed = next.prefix { $0.offset < offset }
        next = next.dropFirst(passed.count)
        return Array(passed)
    }

    /// Removes the content that was passed last.
    mutating func cut(_ part: CompressedBlock) {
        keptSize -= Int64(part.contentSize)
        cuts.append(Cut(offset: part.contentOffset, size: Int64(part.contentSize)))
    }

    /// Takes the bytes after the last newline: a damaged line.
    ///
    /// It gets a newline, because another segment may follow.
    mutating func end(to output: inout [UInt8]) -> Bool {
        guard next.isEmpty else { return false }
        guard !pending.isEmpty else { return true }
        hasDamage = true
        if let erasures, erasures.affect(pending[...]) {
            cuts.append(Cut(offset: offset, size: Int64(pending.count)))
            return true
        }
        append((pending + [UInt8(ascii: "\n")])[...], to: &output)
        return true
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>, to output: inout [UInt8]) {
        output += bytes
        keptSize += Int64(bytes.count)
    }

    private enum Action {
        case kept, gone
        /// Another line, with its newline.
        case replaced([UInt8])
    }

    /// What happens to a line; nil if the index is wrong about it.
    private mutating func action(of line: ArraySlice<UInt8>, at offset: Int64) -> Action? {
        if let erased = next.first, erased.offset <= offset + Int64(line.count) {
            guard erased.offset == offset, erased.size == line.count,
                Self.sequence(of: line) == erased.sequence
            else { return nil }
            next = next.dropFirst()
            return erased.isErasure ? Self.withoutName(line) : .gone
        }
        guard let erasures, !RecordLine.isIntact(line) else { return .kept }
        if erasures.affect(line) { return .gone }
        hasDamage = true
        return .kept
    }

    /// The number of a line, even if the line is damaged elsewhere.
    private static func sequence(of line: ArraySlice<UInt8>) -> Int? {
        RecordLine.legibleSequence(line)
            ?? (try? JSONDocument(parsing: Array(line)))?.root["seq"]?.int
    }

    /// An erasure's line without the inbox's name; removed if it can't be read.
    private static func withoutName(_ line: ArraySlice<UInt8>) -> Action? {
        guard RecordLine.isIntact(line) else { return .gone }
        guard let root = (try? JSONDocument(parsing: Array(line)))?.root,
            let erasure = Erasure(root)
        else { return nil }
        var replacement: [UInt8] = []
        RecordLine.append(erasure.withoutName, to: &replacement)
        return .replaced(replacement)
    }
}
