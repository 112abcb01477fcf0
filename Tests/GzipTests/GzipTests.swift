// Compression: what comes out is one plain member, the same each time, and smaller or nothing.

import Mutations
import Testing

@testable import Gzip

struct GzipTests {
    @Test("inflating undoes compressing, at every level and around the sizes of windows")
    func roundTrip() async throws {
        for size in [60, 249, 250, 251, 762, 763, 5000, 32_505, 32_506, 32_507, 70_000, 300_000] {
            let content = (0..<size).map { UInt8(truncatingIfNeeded: $0 / 7 % 40 + $0 % 3) }
            for level in 1...9 {
                let bytes = try #require(Gzip.compress(content, level: level))
                #expect(bytes.count < size)
                let inflation = Inflation(bytes)
                #expect(inflation.error == nil, "\(size) at level \(level)")
                #expect(inflation.content == content, "\(size) at level \(level)")
            }
            await Task.yield()
        }
    }

    @Test("RFC 1952 §2.3: one member without name and time, so that equal contents stay equal")
    func header() throws {
        let content = [UInt8](repeating: 0x61, count: 1000)
        let bytes = try #require(Gzip.compress(content, level: 6))
        #expect(bytes.prefix(4) == [0x1F, 0x8B, 8, 0])
        #expect(bytes[4..<8] == [0, 0, 0, 0])
        #expect(bytes.suffix(4) == [0xE8, 0x03, 0, 0])
        #expect(Gzip.compress(content, level: 6) == bytes)
    }

    @Test("what would not be smaller is nil", arguments: 1...9)
    func incompressible(_ level: Int) {
        var generator = SeededGenerator(seed: 3)
        let noise = (0..<10_000).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        for content in [[], [0x61], Array("abc".utf8), Array("{\"id\":1}".utf8), noise] {
            #expect(Gzip.compress(content, level: level) == nil)
        }
    }

    @Test("the format alone takes 18 bytes, so no content of so few becomes smaller")
    func smallest() {
        for size in 0..<60 {
            let bytes = Gzip.compress([UInt8](repeating: 0x61, count: size), level: 9)
            #expect(size > 18 || bytes == nil)
            #expect(size < 30 || bytes != nil)
            #expect(bytes.map { $0.count < size } != false)
        }
    }

    @Test("levels that zlib doesn't know are nil", arguments: [Int.min, -2, -1, 0, 10, .max])
    func levels(_ level: Int) {
        #expect(Gzip.compress([UInt8](repeating: 0, count: 100), level: level) == nil)
    }
}
