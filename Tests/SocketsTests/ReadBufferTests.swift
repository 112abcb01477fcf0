// The buffer between socket and parser: what goes in comes out, in order, however it is cut.
// Without a socket: `append` stands for what was received.

import Testing

@testable import Sockets

struct ReadBufferTests {
    private static func bytes(of buffer: borrowing ReadBuffer) -> [UInt8] {
        buffer.withBytes { span in span.indices.map { span[$0] } }
    }

    /// Bytes that wait, and bytes that the storage holds.
    private static func sizes(of buffer: borrowing ReadBuffer) -> [Int] {
        [buffer.count, buffer.capacity]
    }

    @Test("bytes come out in the order in which they went in, across moves and growth")
    func order() {
        var buffer = ReadBuffer()
        var model: [UInt8] = []
        var next: UInt8 = 0
        var taken: [UInt8] = []
        var expected: [UInt8] = []
        for step in 0..<2_000 {
            let piece = (0..<(step * 7 % 97)).map { _ -> UInt8 in
                next &+= 1
                return next
            }
            buffer.append(piece)
            model += piece
            let count = step.isMultiple(of: 50) ? model.count : model.count * 2 / 3
            if step.isMultiple(of: 2) {
                buffer.move(count, to: &taken)
                expected += model.prefix(count)
            } else {
                buffer.consume(count)
            }
            model.removeFirst(count)
        }
        #expect(taken == expected)
        let left = Self.bytes(of: buffer)
        #expect(left == model)
    }

    @Test("the storage given away is the storage that was used, and the buffer works without it")
    func storage() {
        var buffer = ReadBuffer(storage: [UInt8](repeating: 9, count: 16))
        var sizes = [Self.sizes(of: buffer)]
        buffer.append([1, 2, 3])
        sizes.append(Self.sizes(of: buffer))
        buffer.consume(3)
        let taken = buffer.takeStorage()
        sizes.append(Self.sizes(of: buffer))
        buffer.append([4])
        let bytes = Self.bytes(of: buffer)
        buffer.consume(1)
        buffer.replaceStorage([0, 0])
        sizes.append(Self.sizes(of: buffer))
        #expect(taken.count == 16)
        #expect(bytes == [4])
        #expect(sizes == [[0, 16], [3, 16], [0, 0], [0, 2]])
    }

    @Test("growth is by doubling: a megabyte in small pieces changes the capacity a few times only")
    func growth() {
        var buffer = ReadBuffer()
        var capacities: Set<Int> = []
        for _ in 0..<1_024 {
            buffer.append(repeatElement(1, count: 1_024))
            capacities.insert(buffer.capacity)
        }
        let sizes = Self.sizes(of: buffer)
        #expect(sizes == [1_024 * 1_024, 1_024 * 1_024])
        #expect(capacities.count == 8)
    }
}
