// Reads all segments when the index isn't enough because lines are damaged.

import Clocks

extension Keeper {
    /// Number of damaged lines whose record this scope would erase.
    ///
    /// O(bytes of the segments in which a line is damaged).
    func damagedLines(_ scope: Erasure.Scope) throws(StoreError) -> Int {
        let damaged = try index.damagedSegments()
        if damaged.isEmpty { return 0 }
        var erasures = KnownErasures()
        erasures.add(Erasure(scope: scope, sequence: .max, erasedAt: .now))
        var count = 0
        for segment in try index.segments() where damaged.contains(segment.name) {
            guard let file = try files.file(of: segment.name, generation: segment.generation)
            else { continue }
            count += try SegmentRewriting.damagedLines(of: file, concernedBy: erasures)
        }
        return count
    }

    /// All erasures of all segments.
    ///
    /// O(bytes); called only when a segment is damaged. Throws `closed` when it must stop.
    func knownErasures() throws(StoreError) -> KnownErasures {
        var known = KnownErasures()
        for segment in try index.segments() {
            guard let file = try files.file(of: segment.name, generation: segment.generation)
            else { continue }
            var reading = try SegmentReading(file, segment.name, from: 0, catalog: index.catalog)
            while let changes = try reading.next() {
                if mustStop { throw .closed }
                for case .erasure(let erasure, _, _) in changes { known.add(erasure) }
            }
        }
        return known
    }
}
