// Damaged compressed contents: none may trap, and none may be read differently because of where its
// bytes were cut. Failures print the bytes, and the seed makes them come again.

import Mutations
import Testing

@testable import Gzip

struct MutationTests {
    @Test("damaged content is read alike whole and cut, and never traps", arguments: 31...34)
    func damaged(seed: UInt64) async {
        var generator = SeededGenerator(seed: seed)
        let corpus = GzipCase.all.map(\.bytes)
        for round in 0..<5000 {
            let original = corpus[generator.below(corpus.count)]
            let other = corpus[generator.below(corpus.count)]
            let bytes = generator.mutation(of: original, with: other)
            let cuts = [generator.below(bytes.count + 1), generator.below(bytes.count + 1)].sorted()
            // Small enough that limits are met.
            let limit = generator.below(500)
            let whole = Inflation(bytes, cuts: [], limit: limit)
            guard Inflation(bytes, cuts: cuts, limit: limit) == whole else {
                Issue.record("cut at \(cuts) with limit \(limit): \(bytes)")
                return
            }
            #expect(whole.content.count <= limit)
            if round.isMultiple(of: 200) { await Task.yield() }
        }
    }
}
