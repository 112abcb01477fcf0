// Erasures of the oldest records: as they are written, and many of them together.

import Clocks
import JSON
import Mutations
import Testing

@testable import ResultStore

@Suite struct ErasedBoundsTests {
    @Test(arguments: [Erasure.Bound(7), Erasure.Bound(receivedAt: sampleMoment, 7)])
    func anErasureIsReadAsItWasWritten(bound: Erasure.Bound) throws {
        let scopes: [Erasure.Scope] = [
            .inbox("a", through: bound), .unmatched(inbox: "a", through: bound),
            .deliveries(inbox: "a", through: bound), .strays(through: bound),
        ]
        for scope in scopes {
            let erasure = Erasure(scope: scope, sequence: 9, erasedAt: sampleMoment)
            #expect(try Erasure(JSONDocument(parsing: erasure.text).root) == erasure)
        }
    }

    /// Compaction removes what they cover, and a damaged line may have any number.
    @Test func withoutErasuresNoLineIsCovered() {
        let line = #"{"seq":t01,"id":"019a8000-0000-7000-8000-000000000001","inbox":"a"}"#
        var erasures = KnownErasures()
        #expect(!erasures.affect(Array(line.utf8)[...]))
        #expect(!erasures.affect([]))
        erasures.add(
            Erasure(
                scope: .receivedBefore(Timestamp(unixMilliseconds: 1)), sequence: 9,
                erasedAt: sampleMoment))
        erasures.add(
            Erasure(
                scope: .inbox("b", through: Erasure.Bound(8)), sequence: 9, erasedAt: sampleMoment))
        #expect(!erasures.affect(Array(line.utf8)[...]))
        erasures.add(
            Erasure(
                scope: .inbox("a", through: Erasure.Bound(8)), sequence: 9, erasedAt: sampleMoment))
        #expect(erasures.affect(Array(line.utf8)[...]))
    }

    @Test func boundsCoverWhatAnyOfTheirErasuresDoesInWhicheverOrderTheyAreAdded() {
        var generator = SeededGenerator(seed: 11)
        func moment(_ number: Int) -> Timestamp { Timestamp(unixMilliseconds: Int64(number)) }
        for _ in 0..<300 {
            let erasures = (0..<generator.below(8)).map { _ in
                let sequence = generator.below(20)
                let bound =
                    generator.below(6) == 0
                    ? Erasure.Bound(sequence)
                    : Erasure.Bound(receivedAt: moment(generator.below(6)), sequence)
                return (bound: bound, sequence: 1 + generator.below(20))
            }
            var bounds = ErasedBounds()
            for erasure in erasures { bounds.add(erasure.bound, by: erasure.sequence) }
            for number in 0..<6 {
                let covered = (1...20).filter {
                    bounds.cover(receivedAt: moment(number), $0)
                }
                let expected = (1...20).filter { sequence in
                    erasures.contains { erasure in
                        sequence < erasure.sequence
                            && erasure.bound.covers(receivedAt: moment(number), sequence)
                    }
                }
                #expect(covered == expected, "\(erasures)")
            }
        }
    }
}
