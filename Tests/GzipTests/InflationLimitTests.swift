// Bombs: content that grows beyond its limit in bytes, or beyond a ratio, is refused at the exact
// byte, wherever the input was cut.

import Testing

@testable import Gzip

struct InflationLimitTests {
    /// Zeros and their compressed form, about a thousandth of them.
    private static func zeros(_ count: Int) throws -> [UInt8] {
        try #require(Gzip.compress([UInt8](repeating: 0, count: count), level: 9))
    }

    @Test("content as large as the limit is whole", arguments: GzipCase.all)
    func limit(_ gzip: GzipCase) {
        let inflation = Inflation(gzip.bytes, limit: gzip.content.count)
        #expect(inflation.error == nil)
        #expect(inflation.content == gzip.content)
    }

    @Test("one byte over the limit is too large, and never comes out", arguments: GzipCase.all)
    func overLimit(_ gzip: GzipCase) {
        for limit in stride(from: gzip.content.count - 1, through: 0, by: -7) {
            for pieces in [1, .max] {
                let inflation = Inflation(gzip.bytes, pieces: pieces, limit: limit)
                #expect(inflation.error == .tooLarge)
                #expect(inflation.content == Array(gzip.content[..<limit]))
            }
        }
    }

    @Test("the limit counts all members and all calls together")
    func limitOfMembers() {
        let bytes = (0..<5).flatMap { _ in GzipCase.abc.bytes }
        #expect(Inflation(bytes, limit: 15).error == nil)
        let inflation = Inflation(bytes, pieces: GzipCase.abc.bytes.count, limit: 14)
        #expect(inflation.error == .tooLarge)
        #expect(inflation.content.count == 14)
    }

    @Test("limits at the edges of numbers do no harm")
    func strangeLimits() throws {
        let bytes = GzipCase.abc.bytes
        #expect(Inflation(bytes, limit: .max, ratio: .max).error == nil)
        #expect(Inflation(bytes, limit: -1).error == .tooLarge)
        #expect(Inflation(bytes, limit: .min).error == .tooLarge)
        #expect(Inflation(bytes, ratio: 0).error == nil)
        let bomb = try Self.zeros(100_000)
        #expect(Inflation(bomb, ratio: 0).error == .ratio)
        #expect(Inflation(bomb, ratio: .min).error == .ratio)
        #expect(Inflation(bomb, limit: .max, ratio: .max).error == nil)
    }

    @Test("a bomb is refused by its ratio, long before its limit")
    func bomb() throws {
        let bomb = try Self.zeros(20_000_000)
        let inflation = Inflation(bomb, limit: 100_000_000)
        #expect(inflation.error == .ratio)
        #expect(inflation.content.count <= Gzip.Limits.uncountedBytes + 200 * bomb.count)
        #expect(inflation.content.count < 10_000_000)
        let whole = Inflation(bomb, limit: 100_000_000, ratio: 2000)
        #expect(whole.error == nil)
        #expect(whole.content.count == 20_000_000)
    }

    @Test("a bomb of many small members is refused by its ratio too")
    func bombOfMembers() throws {
        let member = try Self.zeros(60_000)
        let inflation = Inflation((0..<100).flatMap { _ in member }, limit: 100_000_000)
        #expect(inflation.error == .ratio)
        #expect(inflation.content.count < 130_000)
    }

    @Test("what zlib still holds when the input ends comes out at once")
    func pendingOutput() throws {
        let bytes = try Self.zeros(100_000)
        for count in bytes.indices {
            let start = Array(bytes[..<count])
            #expect(Inflation(start, ratio: 2000) == Inflation(start, pieces: 1, ratio: 2000))
        }
    }

    @Test("the first 64 KiB have no ratio")
    func uncounted() throws {
        #expect(Inflation(try Self.zeros(64 * 1024), ratio: 0).error == nil)
        let over = Inflation(try Self.zeros(64 * 1024 + 1), ratio: 0)
        #expect(over.error == .ratio)
        #expect(over.content.count == 64 * 1024)
    }

    @Test("what people write passes: a megabyte of repeated records")
    func legitimate() throws {
        let record = #"{"vendor":"welltory","outcome":"completed","stress":0."#
        let content = Array((0..<10_000).map { "\(record)\($0 % 97)}\n" }.joined().utf8)
        let bytes = try #require(Gzip.compress(content, level: 9))
        for pieces in [4096, .max] {
            let inflation = Inflation(bytes, pieces: pieces, limit: content.count)
            #expect(inflation.error == nil)
            #expect(inflation.content == content)
        }
    }

    @Test(
        "a ratio is exceeded at the same byte wherever the input was cut", arguments: [1, 4, 8, 16])
    func cuts(_ ratio: Int) async throws {
        // Dense and empty stretches in turn, so that the ratio rises and falls.
        var content: [UInt8] = []
        for round in 0..<40 {
            content += (0..<600).map { UInt8(truncatingIfNeeded: ($0 &* $0 &* 31) >> 3 ^ round) }
            content += [UInt8](repeating: 0x20, count: round * 400)
        }
        let bytes = try #require(Gzip.compress(content, level: 9))
        let whole = Inflation(bytes, ratio: ratio)
        #expect(whole.error == (ratio < 12 ? .ratio : nil))
        for pieces in [1, 2, 3, 5, 17, 256, 4096] {
            #expect(Inflation(bytes, pieces: pieces, ratio: ratio) == whole)
            await Task.yield()
        }
    }

    @Test("how far zlib reads ahead of its output decides nothing")
    func readingAhead() async throws {
        // A byte too much behind the zeros, for which the next byte of input would make up.
        let noise = (0..<300).map { UInt8(truncatingIfNeeded: ($0 &* $0 &* 31) >> 3 ^ $0) }
        for count in 120..<200 {
            let zeros = [UInt8](repeating: 0, count: Gzip.Limits.uncountedBytes + count)
            let bytes = try #require(Gzip.compress(zeros + noise, level: 9))
            let whole = Inflation(bytes, ratio: 1)
            #expect(Inflation(bytes, pieces: 1, ratio: 1) == whole)
            #expect(Inflation(bytes, pieces: 2, ratio: 1) == whole)
            if count.isMultiple(of: 10) { await Task.yield() }
        }
    }
}
