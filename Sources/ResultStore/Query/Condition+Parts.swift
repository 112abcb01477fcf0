// Splits conditions: into the parts that users see, and into those that must all be true.

extension Condition {
    /// The parts that must all be true, none of which is `all` itself.
    package var conjuncts: [Condition] {
        if case .all(let parts) = self { return parts.flatMap(\.conjuncts) }
        return [self]
    }

    /// The inbox with which this compares; nil for another condition.
    package var equalInbox: String? {
        if case .compare(.inbox, .equal, .text(let name)) = self { name } else { nil }
    }

    /// Conditions that must all be true, with the two ends of a range as one part.
    ///
    /// A range is a lower bound followed by a higher bound of the same field. O(conditions).
    static func parts(of conditions: [Condition]) -> [Condition] {
        var parts: [Condition] = []
        for condition in conditions {
            if let last = parts.last, last.isRange(with: condition) {
                parts[parts.count - 1] = .all([last, condition])
            } else {
                parts.append(condition)
            }
        }
        return parts
    }

    private func isRange(with upper: Condition) -> Bool {
        guard case .compare(let field, .greaterOrEqual, let low) = self,
            case .compare(field, .lessOrEqual, let high) = upper
        else { return false }
        return low.isAtMost(high)
    }

    /// The field that several comparisons share; nil for fewer than two conditions, and if one of
    /// them isn't a comparison of this field.
    static func sharedField(of conditions: [Condition]) -> QueryField? {
        guard conditions.count > 1, case .compare(let field, _, _) = conditions[0] else {
            return nil
        }
        let isShared = conditions.allSatisfy {
            if case .compare(field, _, _) = $0 { true } else { false }
        }
        return isShared ? field : nil
    }
}
