// Reads a segment at any offset of its content, in either form of its file.
//
// Invariant: offsets and sizes are those of the content, that is, of the plain form, so the index
// doesn't have to know the form. Left out: lines and their checksums.

import Synchronization

/// An open segment, shared by all readers.
final class SegmentFile: Sendable {
    let form: SegmentForm
    private let file: any DiskFile
    /// In the order of the content; empty for the plain form.
    let blocks: [CompressedBlock]
    /// Bytes of a compressed file.
    private let compressedSize: Int64
    /// The last block read, because consecutive reads mostly stay in one block.
    private let lastBlock = Mutex<(index: Int, content: [UInt8])?>(nil)

    /// Opens a segment.
    ///
    /// O(blocks) for a compressed one, and O(content) for one of another program.
    convenience init(
        _ name: SegmentName, _ form: SegmentForm, in folder: StoreFolder
    ) throws(StoreError) {
        try self.init(folder.disk.openReadOnly(folder.path(of: name, form)), form)
    }

    /// Reads a segment from an open file.
    init(_ file: any DiskFile, _ form: SegmentForm) throws(StoreError) {
        self.form = form
        self.file = file
        compressedSize = form == .plain ? 0 : try file.size()
        blocks = form == .plain ? [] : try Self.blocks(of: file, compressedSize)
    }

    /// Bytes of the content.
    func size() throws(StoreError) -> Int64 {
        guard form == .compressed else { return try file.size() }
        return blocks.last?.contentEnd ?? 0
    }

    /// Whether the file still has its name.
    func isNamed() throws(StoreError) -> Bool { try file.isNamed(withSize: nil) }

    /// Bytes of the file.
    func fileSize() throws(StoreError) -> Int64 { try file.size() }

    /// Reads up to `count` bytes of the content; fewer at its end, and before a damaged block.
    ///
    /// O(count), and O(block) for the compressed form.
    func read(_ count: Int, at offset: Int64) throws(StoreError) -> [UInt8] {
        guard form == .compressed else { return try file.read(count, at: offset) }
        var bytes: [UInt8] = []
        while bytes.count < count {
            let position = offset + Int64(bytes.count)
            guard let index = index(at: position) else { break }
            let content = try content(of: index)
            let start = Int(position - blocks[index].contentOffset)
            guard start < content.count else { break }
            let end = min(content.count, start + count - bytes.count)
            bytes += content[start..<end]
        }
        return bytes
    }

    /// The next readable offset after an unreadable one; nil if absent.
    func nextReadable(after offset: Int64) -> Int64? {
        blocks.first { $0.contentOffset > offset }?.contentOffset
    }

    /// The part of a compressed file that begins at an unreadable offset of its content: a block,
    /// or what lies between two blocks or after the last, with 0 for a size that nothing tells.
    ///
    /// Nil if nothing begins there.
    ///
    /// O(blocks).
    func unreadablePart(at offset: Int64) -> CompressedBlock? {
        if form == .plain { return nil }
        if let index = index(at: offset) {
            return blocks[index].contentOffset == offset ? blocks[index] : nil
        }
        let before = blocks.last { $0.contentEnd <= offset }
        let next = blocks.first { $0.contentOffset > offset }
        let start = before.map { $0.fileOffset + Int64($0.fileSize) } ?? 0
        let end = next?.fileOffset ?? compressedSize
        if next == nil, start >= end { return nil }
        return CompressedBlock(
            fileOffset: start, fileSize: max(0, Int(end - start)), contentOffset: offset,
            contentSize: next.map { Int($0.contentOffset - offset) } ?? 0)
    }

    /// The bytes of a part of the file as they are, fewer at its end.
    ///
    /// O(part). Throws `file`.
    func bytes(of part: CompressedBlock) throws(StoreError) -> [UInt8] {
        try file.read(part.fileSize, at: part.fileOffset)
    }

    /// Whether a compressed file ends before its last block does.
    func isCutShort() throws(StoreError) -> Bool {
        guard let last = blocks.last,
            let header = try Self.header(in: file, at: last.fileOffset)
        else { return false }
        return header.fileOffset + Int64(header.fileSize) > (try file.size())
    }

    /// The block whose content covers an offset.
    private func index(at position: Int64) -> Int? {
        var (low, high) = (0, blocks.count)
        while low < high {
            let middle = (low + high) / 2
            if blocks[middle].contentOffset <= position { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let block = blocks[low - 1]
        return position < block.contentEnd ? low - 1 : nil
    }

    /// A block's content; empty if it is damaged.
    private func content(of index: Int) throws(StoreError) -> [UInt8] {
        if let last = lastBlock.withLock({ $0 }), last.index == index { return last.content }
        let block = blocks[index]
        if block.contentSize > Limits.inflatedBlockBytes { return [] }
        let member = try file.read(block.fileSize, at: block.fileOffset)
        guard let content = CompressedBlock.content(of: member, limit: block.contentSize) else {
            return []
        }
        lastBlock.withLock { $0 = (index, content) }
        return content
    }

    /// Lists the blocks by reading one header after another; after a damaged one it searches for
    /// the next.
    ///
    /// A header is trusted if it agrees with the block before it or with what follows it, so a
    /// damaged one costs only its own block. One of which only the offset is wrong costs nothing:
    /// its block follows the one before it.
    private static func blocks(
        of file: any DiskFile, _ size: Int64
    ) throws(StoreError) -> [CompressedBlock] {
        var blocks: [CompressedBlock] = []
        var position: Int64 = 0
        while position < size {
            guard var block = try header(in: file, at: position) else {
                position = try nextHeader(in: file, after: position, size: size)
                continue
            }
            var end = position + Int64(block.fileSize)
            let next = end < size ? try header(in: file, at: end) : nil
            // A member's last four bytes contain its content's size too (RFC 1952 §2.3.1).
            let trailer = end <= size ? try file.read(4, at: end - 4) : []
            let hasTrailer = CompressedBlock.number(trailer[...]) == UInt64(block.contentSize)
            if end != size, next == nil, !hasTrailer {
                // No header follows: the size in this header is wrong, rather than the next header.
                let found = try nextHeader(in: file, after: position, size: size)
                if end > found { block.fileSize = Int(found - position) }
                end = found
            }
            if next?.contentOffset != block.contentEnd {
                // A block without content would be left out when the file is rewritten.
                let trailer = try file.read(4, at: end - 4)
                let size = Int(CompressedBlock.number(trailer[...]))
                block.contentSize = max(1, size == 0 ? block.contentSize : size)
            }
            let expected = blocks.last?.contentEnd ?? 0
            let lastEnd = blocks.last.map { $0.fileOffset + Int64($0.fileSize) } ?? 0
            let isConfirmed = next?.contentOffset == block.contentEnd
            if position == lastEnd, hasTrailer, !(isConfirmed && block.contentOffset > expected) {
                block.contentOffset = expected
            }
            let isFollowed = end == size || isConfirmed || next == nil && hasTrailer
            if block.contentOffset == expected || (isFollowed && block.contentOffset > expected) {
                blocks.append(block)
            }
            position = end
        }
        if blocks.isEmpty, let whole = try CompressedBlock(ofAll: file, size) { return [whole] }
        return blocks
    }

    /// The header at an offset; nil if absent.
    static func header(
        in file: any DiskFile, at position: Int64
    ) throws(StoreError) -> CompressedBlock? {
        let bytes = try file.read(CompressedBlock.headerBytes, at: position)
        return CompressedBlock(bytes[...], at: position)
    }

    private static func nextHeader(
        in file: any DiskFile, after damaged: Int64, size: Int64
    ) throws(StoreError) -> Int64 {
        var position = damaged + 1
        while position < size {
            let bytes = try file.read(Limits.scanBytes, at: position)
            for index in bytes.indices where CompressedBlock.mayBegin(bytes[index...]) {
                return position + Int64(index)
            }
            // A header may cross the end of a chunk.
            if bytes.count <= CompressedBlock.headerBytes { break }
            position += Int64(bytes.count - CompressedBlock.headerBytes)
        }
        return size
    }
}
