// Decides which results are erased when there are too many. A flood into one inbox costs that inbox
// its results: first attempts to deliver, because callbacks may still have to be delivered, then
// what no contract matched.

/// How much to erase, by inbox.
package struct RetentionBudget {
    /// The parts of an inbox's results, without strays, in the order in which they go.
    package enum Part: Int, Sendable, CaseIterable {
        case deliveries
        /// Others that no contract matched.
        case unmatched
        case matched

        /// The part's number, as SQL over `facets`.
        package static let sql = """
            CASE WHEN facets.kind = \(RecordKind.delivery.number) THEN \(Self.deliveries.rawValue)
                WHEN facets.verdict = '\(Erasure.unmatchedVerdict)' THEN \(Self.unmatched.rawValue)
                ELSE \(Self.matched.rawValue) END
            """
    }

    /// A part of an inbox's results.
    package struct Holding: Sendable, Equatable {
        let inbox: String
        let part: Part
        let count: Int
        /// Bytes of content.
        let bytes: Int64

        package init(inbox: String, part: Part, count: Int, bytes: Int64) {
            self.inbox = inbox
            self.part = part
            self.count = count
            self.bytes = bytes
        }
    }

    /// The share of one inbox.
    package struct Share: Equatable {
        package let inbox: String
        package let part: Part
        package let amount: Int64
    }

    /// Divides what must be erased, one part after the other.
    ///
    /// Of each part, the inboxes that hold the most are cut down to the same size.
    ///
    /// O(inboxes · log(inboxes)).
    package static func shares(
        _ holdings: [Holding], freeing amount: Int64
    ) -> [Share] {
        var left = amount
        var shares: [Share] = []
        for part in Part.allCases {
            let holdings = holdings.filter { $0.part == part }.sorted {
                ($0.bytes, $1.inbox) > ($1.bytes, $0.inbox)
            }
            let level = level(holdings.map(\.bytes), freeing: left)
            for holding in holdings where left > 0 && holding.bytes > level {
                let share = min(left, holding.bytes - level)
                left -= share
                shares.append(Share(inbox: holding.inbox, part: part, amount: share))
            }
        }
        return shares
    }

    /// For each inbox with too many results: how many to erase, one part after the other.
    ///
    /// It adds a sixteenth, so that it doesn't have to erase a few every minute.
    package static func shares(_ holdings: [Holding], leaving limit: Int) -> [Share] {
        Dictionary(grouping: holdings, by: \.inbox).values.flatMap { holdings in
            let excess = holdings.reduce(0) { $0 + $1.count } - limit
            var left = excess > 0 ? excess + limit / 16 : 0
            return holdings.sorted { $0.part.rawValue < $1.part.rawValue }.compactMap { holding in
                let count = min(left, holding.count)
                left -= count
                return count <= 0
                    ? nil
                    : Share(inbox: holding.inbox, part: holding.part, amount: Int64(count))
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
