// Edit distances: some by hand, and random words by the whole table.

import Mutations
import Testing

@testable import Text

struct EditDistanceTests {
    @Test(
        "an edit distance counts changes, and a swap once",
        arguments: [
            ("", "", 0), ("abc", "abc", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abd", 1),
            ("abc", "acb", 1), ("abc", "bc", 1), ("kitten", "sitting", 3), ("ca", "abc", 3),
        ])
    func distance(left: String, right: String, expected: Int) {
        for (one, other) in [(left, right), (right, left)] {
            let (one, other) = (Array(one.utf8), Array(other.utf8))
            #expect(EditDistance.between(one, other, atMost: 9) == expected)
            #expect(EditDistance.between(one, other, atMost: expected) == expected)
            #expect(EditDistance.between(one, other, atMost: expected - 1) == nil)
        }
    }

    @Test("a limited distance is that of the whole table, or nil above the limit")
    func limits() {
        var generator = SeededGenerator(seed: 54)
        for _ in 0..<3_000 {
            let one = Self.word(&generator)
            let other =
                generator.below(2) == 0
                ? Self.word(&generator) : generator.mutation(of: one, with: one)
            let distance = Self.distance(one, other)
            for limit in [0, 1, 2, 3, distance - 1, distance, distance + 1, 1_000] {
                let expected = distance <= limit ? distance : nil
                #expect(EditDistance.between(one, other, atMost: limit) == expected)
            }
        }
    }

    /// Up to eleven letters, of which few are different.
    private static func word(_ generator: inout SeededGenerator) -> [UInt8] {
        var word: [UInt8] = []
        for _ in 0..<generator.below(12) {
            word.append(UInt8(ascii: "a") + UInt8(generator.below(3)))
        }
        return word
    }

    /// The distance by the whole table, without a limit.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var table: [[Int]] = []
        for row in 0...left.count {
            table.append([])
            for column in 0...right.count {
                guard row > 0, column > 0 else {
                    table[row].append(row + column)
                    continue
                }
                let change = left[row - 1] == right[column - 1] ? 0 : 1
                var best = min(
                    table[row - 1][column - 1] + change, table[row - 1][column] + 1,
                    table[row][column - 1] + 1)
                if row > 1, column > 1, left[row - 1] == right[column - 2],
                    left[row - 2] == right[column - 1]
                {
                    best = min(best, table[row - 2][column - 2] + 1)
                }
                table[row].append(best)
            }
        }
        return table[left.count][right.count]
    }
}
