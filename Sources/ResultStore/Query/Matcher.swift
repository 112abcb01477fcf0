// Evaluates one condition against many records, for subscriptions.
// Invariant: evaluating a record allocates nothing. The condition is compiled to tests with two
// exits each, so evaluation is one loop that stops as early as possible.

import Clocks

/// A condition, compiled for evaluation.
package struct Matcher: Sendable {
    /// The condition in its shortest form.
    let condition: Condition
    let catalog: FieldCatalog

    /// The parts that must all be true, as users see them: a range is one part.
    let parts: [Condition]
    /// The first step of each part.
    private var entries: [Int] = []
    private var steps: [Step] = []

    /// One test and the next step for each outcome.
    private struct Step {
        let test: Test
        let whenTrue: Int
        let whenFalse: Int
    }

    private static let accepted = -1
    private static let refused = -2

    /// Compiles a condition for records whose facts follow a catalog.
    ///
    /// O(size of the condition · fields).
    package init(_ condition: Condition, catalog: FieldCatalog) {
        self.condition = condition.folded
        self.catalog = catalog
        if case .all(let conditions) = self.condition {
            parts = Condition.parts(of: conditions)
        } else {
            parts = [self.condition]
        }
        entries = parts.map { compile($0, whenTrue: Self.accepted, whenFalse: Self.refused) }
    }

    /// Whether a record matches the condition.
    ///
    /// O(size of the condition), and O(size of the words) for each word or phrase.
    package func matches(_ facts: RecordFacts) -> Bool {
        for entry in entries where !accepts(facts, from: entry) { return false }
        return true
    }

    /// How many of the parts that must all be true a record fails.
    ///
    /// The number of `misses(facts)`, without making texts.
    package func missCount(_ facts: RecordFacts) -> Int {
        entries.count { !accepts(facts, from: $0) }
    }

    /// The parts that a record fails, of those that must all be true.
    package func misses(_ facts: RecordFacts) -> [Miss] {
        zip(parts, entries).filter { !accepts(facts, from: $0.1) }.map { part, _ in
            Miss(condition: part.description, found: found(in: facts, by: part))
        }
    }

    /// The only inbox whose records can match; nil if there may be several.
    var inbox: String? {
        for case .compare(.inbox, .equal, .text(let name)) in parts { return name }
        return nil
    }

    private func accepts(_ facts: RecordFacts, from entry: Int) -> Bool {
        var step = entry
        while step >= 0 {
            step = steps[step].test.holds(facts) ? steps[step].whenTrue : steps[step].whenFalse
        }
        return step == Self.accepted
    }

    /// Adds the steps of a condition; returns the index of the first.
    private mutating func compile(
        _ condition: Condition, whenTrue: Int, whenFalse: Int
    ) -> Int {
        switch condition {
        case .all(let conditions):
            var entry = whenTrue
            for condition in conditions.reversed() {
                entry = compile(condition, whenTrue: entry, whenFalse: whenFalse)
            }
            return entry
        case .any(let conditions):
            var entry = whenFalse
            for condition in conditions.reversed() {
                entry = compile(condition, whenTrue: whenTrue, whenFalse: entry)
            }
            return entry
        case .not(let inner):
            return compile(inner, whenTrue: whenFalse, whenFalse: whenTrue)
        case .compare, .has, .words:
            let test = Test(condition, catalog: catalog)
            steps.append(Step(test: test, whenTrue: whenTrue, whenFalse: whenFalse))
            return steps.count - 1
        }
    }
}
