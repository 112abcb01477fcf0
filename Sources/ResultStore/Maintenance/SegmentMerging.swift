// Chooses neighbouring segments to merge. The number of segments then grows with the logarithm of
// what is written, not with the number of erasures.

/// The choice of segments to merge.
enum SegmentMerging {
    /// Divides the segments of one day, oldest first, into runs that become one file each.
    ///
    /// A segment joins those after it if it is small, or not more than twice as large as all of
    /// them. So a byte is rewritten only a few times, however many segments follow.
    ///
    /// - Parameters:
    ///   - sizes: bytes of content.
    ///   - limit: maximum bytes of a run.
    static func runs(_ sizes: [Int64], limit: Int64) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var end = sizes.endIndex
        while end > sizes.startIndex {
            var start = end - 1
            var total = sizes[start]
            while start > sizes.startIndex, end - start < Limits.mergedSegments {
                let size = sizes[start - 1]
                guard total + size <= limit, size <= max(2 * total, Limits.smallSegmentBytes) else {
                    break
                }
                total += size
                start -= 1
            }
            runs.append(start..<end)
            end = start
        }
        return runs.reversed()
    }
}
