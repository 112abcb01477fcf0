// One gzip member (RFC 1952) of a compressed segment: whole lines, with an extra field in its
// header that gives its size and the offset of its content.
//
// Invariant: any gzip tool reads the sequence of blocks as the plain segment. With the extra
// fields, the block of any offset is found without inflating others.

import Gzip

/// The header of a block.
struct CompressedBlock: Sendable, Equatable {
    /// Offset of the member in the file.
    let fileOffset: Int64
    /// Bytes of the member.
    var fileSize: Int
    /// Offset of its content in the segment's content.
    var contentOffset: Int64
    /// Bytes of the content.
    var contentSize: Int

    /// Offset after its content.
    var contentEnd: Int64 { contentOffset + Int64(contentSize) }

    /// Bytes of a block's header: ten of gzip, the extra field's length, and one subfield.
    static let headerBytes = 32

    /// zlib's level: higher ones take much longer and save little.
    private static let level = 6

    /// ID1, ID2, deflate, FEXTRA, no time: everything before the two bytes that compressors choose.
    private static let opening: [UInt8] = [0x1F, 0x8B, 8, 4, 0, 0, 0, 0]

    /// XLEN, the subfield's name "LF" and its length.
    private static let extra: [UInt8] = [20, 0, 0x4C, 0x46, 16, 0]

    /// Makes a member of content that begins at `offset`; nil if zlib has no memory.
    ///
    /// O(content).
    static func member(of content: [UInt8], at offset: Int64) -> [UInt8]? {
        guard let plain = Gzip.compress(content, level: level, mayGrow: true) else { return nil }
        var member = opening + plain[8..<10] + extra
        append(UInt64(plain.count + headerBytes - 10), bytes: 4, to: &member)
        append(UInt64(content.count), bytes: 4, to: &member)
        append(UInt64(bitPattern: offset), bytes: 8, to: &member)
        return member + plain[10...]
    }

    /// The content of gzip members; nil if they are damaged, or have more than `limit` bytes.
    ///
    /// O(content).
    static func content(of members: [UInt8], limit: Int) -> [UInt8]? {
        var inflater = Inflater(limit: limit, ratio: .max)
        var content: [UInt8] = []
        do throws(GzipError) {
            try inflater.inflate(members, into: &content)
            try inflater.finish()
            return content
        } catch {
            return nil
        }
    }

    /// A part of a file that may have no header.
    init(fileOffset: Int64, fileSize: Int, contentOffset: Int64, contentSize: Int) {
        self.fileOffset = fileOffset
        self.fileSize = fileSize
        self.contentOffset = contentOffset
        self.contentSize = contentSize
    }

    /// Writes another offset of the content into a member's header; does nothing without a header.
    static func move(_ member: inout [UInt8], to offset: Int64) {
        guard CompressedBlock(member.prefix(headerBytes), at: 0) != nil else { return }
        var bytes: [UInt8] = []
        append(UInt64(bitPattern: offset), bytes: 8, to: &bytes)
        member.replaceSubrange(24..<32, with: bytes)
    }

    /// Parses a header; nil if these bytes aren't one.
    init?(_ header: ArraySlice<UInt8>, at fileOffset: Int64) {
        let bytes = Array(header)
        guard bytes.count == Self.headerBytes, bytes.starts(with: Self.opening),
            bytes[10..<16] == Self.extra[...]
        else { return nil }
        self.fileOffset = fileOffset
        fileSize = Int(Self.number(bytes[16..<20]))
        contentSize = Int(Self.number(bytes[20..<24]))
        guard let offset = Int64(exactly: Self.number(bytes[24..<32])), fileSize > Self.headerBytes,
            offset <= Int64.max / 2
        else { return nil }
        contentOffset = offset
    }

    /// A file without any header of a block: another program has compressed it, or its only header
    /// is damaged.
    ///
    /// It is all gzip members of the file (RFC 1952 §2.2). If they can't be inflated, its content
    /// has the size that the last four bytes say (§2.3.1), and can't be read. Nil for an empty file.
    ///
    /// O(content). Throws `file`.
    init?(ofAll file: any DiskFile, _ size: Int64) throws(StoreError) {
        guard size > 0 else { return nil }
        let limit = Limits.inflatedBlockBytes
        let members = size <= limit ? try file.read(Int(size), at: 0) : []
        let trailer = try file.read(4, at: max(0, size - 4))
        fileOffset = 0
        fileSize = Int(size)
        contentOffset = 0
        contentSize = max(
            1, Self.content(of: members, limit: limit)?.count ?? Int(Self.number(trailer[...])))
    }

    /// Whether a gzip member's header has no extra field, as other programs write it.
    static func isPlainMember(_ header: [UInt8]) -> Bool {
        header.starts(with: opening.prefix(3)) && header.count > 3 && header[3] & 4 == 0
    }

    /// A little-endian number.
    static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Whether a header can begin with these bytes.
    static func mayBegin(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.starts(with: opening)
    }

    private static func append(_ number: UInt64, bytes: UInt64, to output: inout [UInt8]) {
        for byte in 0..<bytes { output.append(UInt8(truncatingIfNeeded: number >> (8 * byte))) }
    }
}
