// Writes a segment's content again: without its erased lines, or in the other form, or both.
//
// Invariant: every byte that is not erased is kept, damaged stretches too. Left out: what becomes of
// the old file and of the index (`Keeper`).

/// A line that is erased: its first byte in the content, and its bytes without the line's end.
struct ErasedLine: Sendable, Equatable {
    let offset: Int64
    let size: Int

    /// Behind the line's end.
    var end: Int64 { offset + Int64(size) + 1 }
}

/// One segment on its way into a new file.
struct SegmentRewriting {
    private let output: any DiskFile
    private let form: SegmentForm
    private var buffer: [UInt8] = []

    /// Bytes of content so far, those in the buffer among them.
    private(set) var contentSize: Int64 = 0

    init(into output: any DiskFile, as form: SegmentForm) {
        self.output = output
        self.form = form
    }

    /// Copies a segment but for its erased lines.
    ///
    /// - Parameters:
    ///   - erased: in the order of their offsets.
    ///   - mustStop: is asked between the parts.
    ///
    /// O(content).
    ///
    /// Throws `damaged` for a block that can't be read, whose content would be lost; `closed` when
    /// it must stop; `full` or `file`.
    mutating func copy(
        _ source: SegmentFile, named name: SegmentName, without erased: [ErasedLine],
        mustStop: () -> Bool
    ) throws(StoreError) {
        let size = try source.size()
        var position: Int64 = 0
        for line in erased {
            try copy(source, name, position..<max(position, line.offset), mustStop)
            position = line.end
        }
        try copy(source, name, min(position, size)..<size, mustStop)
        try write(all: true)
    }

    private mutating func copy(
        _ source: SegmentFile, _ name: SegmentName, _ range: Range<Int64>, _ mustStop: () -> Bool
    ) throws(StoreError) {
        var position = range.lowerBound
        while position < range.upperBound {
            if mustStop() { throw .closed }
            let count = Int(min(Int64(Limits.scanBytes), range.upperBound - position))
            let bytes = try source.read(count, at: position)
            guard !bytes.isEmpty else {
                throw .damaged(segment: name.fileName, offset: position)
            }
            position += Int64(bytes.count)
            contentSize += Int64(bytes.count)
            buffer += bytes
            try write(all: false)
        }
    }

    /// Writes what has gathered: blocks of whole lines, or everything.
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
            let offset = contentSize - Int64(buffer.count - start)
            let content = Array(buffer[start...end])
            guard let member = CompressedBlock.member(of: content, at: offset) else {
                throw .file(
                    path: output.path, operation: "compress", reason: "there is no memory")
            }
            try output.append(member)
            start = end + 1
        }
        buffer.removeFirst(start)
    }
}
