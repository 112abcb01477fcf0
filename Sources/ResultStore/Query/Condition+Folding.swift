// Reduces conditions to their shortest form.
// Invariant: a folded condition has no list of one, no list inside a list of its kind, no double
// `not`, and contains "every record" or "no record" only as a whole. Its meaning is unchanged.

extension Condition {
    /// Every record.
    package static var everything: Condition { .all([]) }

    /// No record.
    package static var nothing: Condition { .any([]) }

    /// A constant condition.
    static func constant(_ holds: Bool) -> Condition { holds ? everything : nothing }

    /// The folded conjunction of folded conditions.
    ///
    /// O(conditions).
    static func conjunction(_ conditions: [Condition]) -> Condition {
        var parts: [Condition] = []
        for condition in conditions {
            switch condition {
            case .all(let inner): parts += inner
            case nothing: return nothing
            default: parts.append(condition)
            }
        }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    /// The folded disjunction of folded conditions.
    ///
    /// O(conditions).
    static func disjunction(_ conditions: [Condition]) -> Condition {
        var parts: [Condition] = []
        for condition in conditions {
            switch condition {
            case .any(let inner): parts += inner
            case everything:
                // It still says that records of all kinds are wanted.
                return conditions.contains(where: \.filtersByKind) ? .has(.kind) : everything
            default: parts.append(condition)
            }
        }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    /// The folded negation of a folded condition.
    static func negation(_ condition: Condition) -> Condition {
        switch condition {
        case .not(let inner): inner
        case everything: nothing
        case nothing: everything
        default: .not(condition)
        }
    }

    /// The same condition in its shortest form.
    ///
    /// O(size).
    package var folded: Condition { replacingLeaves { $0 } }

    /// The condition with its comparisons, `has` and words replaced, folded.
    func replacingLeaves(_ replacement: (Condition) -> Condition) -> Condition {
        switch self {
        case .all(let parts):
            Self.conjunction(parts.map { $0.replacingLeaves(replacement) })
        case .any(let parts):
            Self.disjunction(parts.map { $0.replacingLeaves(replacement) })
        case .not(let inner): Self.negation(inner.replacingLeaves(replacement))
        case .words([], _): Self.everything
        case .compare, .has, .words: replacement(self)
        }
    }
}
