// Decides which results are erased when there are too many. A flood into one inbox costs that inbox
// its results; those that no contract matched go first.

/// How much to erase, by inbox.
package struct RetentionBudget {
    /// An inbox's results without strays: either those that a contract matched, or the others.
    package struct Holding: Sendable, Equatable {
        let inbox: String
        let isUnmatched: Bool
        let count: Int
        /// Bytes of content.
        let bytes: Int64

        package init(inbox: String, isUnmatched: Bool, count: Int, bytes: Int64) {
            self.inbox = inbox
            self.isUnmatched = isUnmatched
            self.count = count
            self.bytes = bytes
        }
    }

    /// The share of one inbox.
    package struct Share: Equatable {
        package let inbox: String
        package let isUnmatched: Bool
        package let amount: Int64
    }

    /// Divides what must be erased: unmatched results first, then others.
    ///
    /// Of both, the inboxes that hold the most are cut down to the same size.
    ///
    /// O(inboxes · log(inboxes)).
    package static func shares(
        _ holdings: [Holding], freeing amount: Int64
    ) -> [Share] {
        var left = amount
        var shares: [Share] = []
        for isUnmatched in [true, false] {
            let part = holdings.filter { $0.isUnmatched == isUnmatched }.sorted {
                ($0.bytes, $1.inbox) > ($1.bytes, $0.inbox)
            }
            let level = level(part.map(\.bytes), freeing: left)
            for holding in part where left > 0 && holding.bytes > level {
                let share = min(left, holding.bytes - level)
                left -= share
                shares.append(
                    Share(inbox: holding.inbox, isUnmatched: isUnmatched, amount: share))
            }
        }
        return shares
    }

    /// For each inbox with too many results: how many to erase, unmatched ones first.
    package static func shares(_ holdings: [Holding], leaving limit: Int) -> [Share] {
        Dictionary(grouping: holdings, by: \.inbox).values.flatMap { parts in
            var left = parts.reduce(0) { $0 + $1.count } - limit
            return parts.sorted { $0.isUnmatched && !$1.isUnmatched }.compactMap { part in
                let count = min(left, part.count)
                left -= count
                return count <= 0
                    ? nil
                    : Share(
                        inbox: part.inbox, isUnmatched: part.isUnmatched, amount: Int64(count))
            }
        }
    }

    /// The size to which the largest inboxes must be cut to free this amount; 0 if everything is
    /// not enough.
    private static func level(_ sizes: [Int64], freeing amount: Int64) -> Int64 {
        var total: Int64 = 0
        for (index, size) in sizes.enumerated() {
            total += size
            let count = Int64(index + 1)
            let level = (total - amount) / count
            // Inboxes smaller than the level are not touched.
            if total >= amount, level >= (index + 1 < sizes.count ? sizes[index + 1] : 0) {
                return level
            }
        }
        return 0
    }
}
