// Chunked bodies: the content must not depend on how the body came in or on how much room there was
// for it, nor hold more than came or than is allowed.

@testable import HTTP1

extension FuzzTarget {
    private struct Decoding: Equatable {
        var outcome = ChunkedDecoder.Outcome.incomplete
        var content: [UInt8] = []
        /// Bytes of the body; 0 unless it has ended.
        var size = 0
    }

    /// Bytes that lines may have; what rewriting takes is less.
    private static let lineLimit = 40

    static func checkChunks(_ bytes: [UInt8]) {
        var choices = Choices(bytes)
        let limit = choices.one(of: [0, 10, 300, .max])
        let whole = decoding(bytes, cuts: [], limit, room: .max)
        let cuts = choices.cuts(of: bytes)
        expect(decoding(bytes, cuts: cuts, limit, room: .max) == whole, "cut at \(cuts)")
        let indices = Array(bytes.indices)
        expect(decoding(bytes, cuts: indices, limit, room: .max) == whole, "byte by byte")
        let room = 1 + choices.below(9)
        expect(decoding(bytes, cuts: cuts, limit, room: room) == whole, "with room for \(room)")
        expect(whole.content.count <= min(limit, bytes.count), "more content than there may be")
        guard whole.outcome == .done else { return }
        let body = Array(bytes[..<whole.size])
        expect(decoding(body, cuts: [], limit, room: .max) == whole, "what follows it counts")
        let shorter = decoding(body.dropLast(), cuts: [], limit, room: .max)
        expect(shorter.outcome == .incomplete, "it ends before its end")
        var rewritten: [UInt8] = []
        if !whole.content.isEmpty {
            let size = String(whole.content.count, radix: 16)
            rewritten = Array("\(size)\r\n".utf8) + whole.content + [0x0D, 0x0A]
        }
        rewritten += Array("0\r\n\r\n".utf8)
        let again = decoding(rewritten, cuts: [], limit, room: .max)
        expect(again.outcome == .done && again.content == whole.content, "rewritten it is another")
    }

    /// Decodes piece by piece, and each piece in steps of `room` bytes of content.
    private static func decoding(
        _ bytes: [UInt8], cuts: [Int], _ limit: Int, room: Int
    ) -> Decoding {
        var decoder = ChunkedDecoder(lineLimit: lineLimit, bodyLimit: limit)
        var decoding = Decoding()
        var consumed = 0
        for end in cuts + [bytes.count] {
            var isStuck = false
            while decoding.outcome == .incomplete, consumed < end, !isStuck {
                let before = decoding.content.count
                let piece = bytes.span.extracting(consumed..<end)
                let (outcome, count) = decoder.decode(piece, into: &decoding.content, room: room)
                expect(count <= end - consumed, "more taken than given")
                expect(decoding.content.count - before <= room, "more given than room")
                isStuck = count == 0
                expect(!isStuck || outcome != .incomplete, "no progress")
                decoding.outcome = outcome
                consumed += count
            }
        }
        if decoding.outcome == .done { decoding.size = consumed }
        return decoding
    }

    private static func decoding(
        _ bytes: ArraySlice<UInt8>, cuts: [Int], _ limit: Int, room: Int
    ) -> Decoding {
        decoding(Array(bytes), cuts: cuts, limit, room: room)
    }
}
