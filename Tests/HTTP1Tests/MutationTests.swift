// Two hundred thousand damaged messages: none may trap, and none may be read differently because of
// where its bytes were cut. Failures print the bytes, and the seed makes them come again.

import Mutations
import Testing

@testable import HTTP1

struct MutationTests {
    private static let mutationsPerSeed = 25_000

    @Test("a damaged head is read alike whole and cut, and never traps", arguments: 1...4)
    func heads(seed: UInt64) async {
        var generator = SeededGenerator(seed: seed)
        let corpus = HeadCorpus.all.map(\.bytes).filter { $0.count < 120 }
        for round in 0..<Self.mutationsPerSeed {
            let original = corpus[generator.below(corpus.count)]
            let other = corpus[generator.below(corpus.count)]
            let bytes = generator.mutation(of: original, with: other)
            let cut = generator.below(bytes.count + 1)
            let whole = Reading(bytes)
            guard Reading(bytes, cuts: [cut]) == whole else {
                Issue.record("cut at \(cut): \(text(bytes).debugDescription)")
                return
            }
            if let size = whole.size { #expect(size <= bytes.count) }
            if round.isMultiple(of: 200) { await Task.yield() }
        }
    }

    @Test("a damaged chunked body is read alike whole and cut, and never traps", arguments: 5...8)
    func chunkedBodies(seed: UInt64) async {
        var generator = SeededGenerator(seed: seed)
        let corpus = ChunkedCase.all.map(\.bytes)
        for round in 0..<Self.mutationsPerSeed {
            let original = corpus[generator.below(corpus.count)]
            let other = corpus[generator.below(corpus.count)]
            let bytes = generator.mutation(of: original, with: other)
            let cut = generator.below(bytes.count + 1)
            let whole = Decoding(bytes)
            guard Decoding(bytes, cuts: [cut]) == whole else {
                Issue.record("cut at \(cut): \(text(bytes).debugDescription)")
                return
            }
            #expect(whole.content.count <= bytes.count)
            if round.isMultiple(of: 200) { await Task.yield() }
        }
    }

    @Test("damaged dates never trap")
    func dates() async {
        var generator = SeededGenerator(seed: 9)
        let dates = [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
        ].map { Array($0.utf8) }
        let now = HTTPDate(unixSeconds: 0)
        for round in 0..<5_000 {
            let bytes = generator.mutation(of: dates[round % 3], with: dates[(round + 1) % 3])
            if let date = HTTPDate(bytes, now: now) {
                #expect(abs(date.unixSeconds) < 300_000_000_000)
            }
            if round.isMultiple(of: 200) { await Task.yield() }
        }
    }
}
