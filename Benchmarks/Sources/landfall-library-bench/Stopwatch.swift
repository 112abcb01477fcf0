// CPU time of work that is repeated until the clock can tell.
//
// Invariant: what is measured takes turns, so that a change of the machine's pace meets them all.

import Foundation

/// Measures CPU time of this process, which has one thread.
enum Stopwatch {
    /// How long one measurement takes at least, in seconds of CPU time.
    private static let leastSeconds = 0.1

    /// The median seconds that each of `works` takes once, after a round that doesn't count.
    static func medianSeconds(rounds: Int, of works: [() throws -> Void]) throws -> [Double] {
        var seconds = [[Double]](repeating: [], count: works.count)
        for round in 0...rounds {
            for (index, work) in works.enumerated() {
                let taken = try self.seconds(of: work)
                if round > 0 { seconds[index].append(taken) }
            }
        }
        return seconds.map { $0.sorted()[$0.count / 2] }
    }

    private static func seconds(of work: () throws -> Void) throws -> Double {
        var count = 0
        var batch = 1
        let start = clock()
        while true {
            // Reading the clock costs as much as a quick work: it is read less and less often.
            for _ in 0..<batch { try work() }
            count += batch
            batch *= 2
            let taken = Double(clock() - start) / Double(CLOCKS_PER_SEC)
            if taken >= leastSeconds { return taken / Double(count) }
        }
    }
}
