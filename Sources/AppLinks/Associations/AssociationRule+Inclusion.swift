// Whether one rule matches everything that another one matches. "No" may also mean "unknown"; "yes"
// is always correct.

extension AssociationRule {
    /// Whether every path matches, and there are no other conditions.
    var fitsEveryPath: Bool {
        query == nil && fragment == nil && (path?.isUniversal ?? true || path?.text == "/*")
    }

    /// Whether both have the same conditions.
    func hasConditions(of other: AssociationRule) -> Bool {
        guard form == other.form, path?.text == other.path?.text,
            fragment?.text == other.fragment?.text
        else { return false }
        switch (query, other.query) {
        case (nil, nil): return true
        case (.whole(let own), .whole(let others)): return own.text == others.text
        case (.items(let own), .items(let others)):
            if own.count != others.count { return false }
            let texts = Dictionary(
                others.map { ($0.name, $0.pattern.text) }, uniquingKeysWith: { first, _ in first })
            return own.allSatisfy { texts[$0.name] == $0.pattern.text }
        default: return false
        }
    }

    /// Whether this matches every URL that `other` matches.
    ///
    /// - Parameter steps: number of steps left; the steps taken are subtracted.
    func covers(_ other: AssociationRule, _ steps: inout Int) -> Bool {
        if other.isImpossible { return false }
        if let path, !fitsEvery(path, isPath: true) {
            guard let others = other.path,
                contains(others, of: other, in: path, isPath: true, &steps)
            else { return false }
        }
        if let fragment, !fragment.isUniversal {
            guard let others = other.fragment, contains(others, of: other, in: fragment, &steps)
            else { return false }
        }
        switch query {
        case nil: return true
        case .whole(let pattern):
            if pattern.isUniversal { return true }
            guard case .whole(let others)? = other.query else { return false }
            return contains(others, of: other, in: pattern, &steps)
        case .items(let conditions):
            return conditions.allSatisfy { condition in
                if condition.pattern.isUniversal { return true }
                guard case .items(let others)? = other.query else { return false }
                steps -= others.count
                guard steps > 0,
                    let same = others.first(where: { $0.name == condition.name })
                else { return false }
                return contains(same.pattern, of: other, in: condition.pattern, &steps)
            }
        }
    }

    /// Whether one of its patterns matches nothing.
    private var isImpossible: Bool {
        if path?.fault != nil || fragment?.fault != nil { return true }
        switch query {
        case .whole(let pattern): return pattern.fault != nil
        case .items(let conditions): return conditions.contains { $0.pattern.fault != nil }
        case nil: return false
        }
    }

    private func fitsEvery(_ pattern: WildcardPattern, isPath: Bool) -> Bool {
        pattern.isUniversal || isPath && pattern.text == "/*"
    }

    /// Whether every text that `inner`, a pattern of `other`, matches also matches `outer`.
    private func contains(
        _ inner: WildcardPattern, of other: AssociationRule, in outer: WildcardPattern,
        isPath: Bool = false, _ steps: inout Int
    ) -> Bool {
        // Decoded and encoded texts can't be compared, nor a folded pattern with text that isn't
        // folded.
        guard form.decodes == other.form.decodes, form.folds || !other.form.folds,
            outer.fault == nil
        else { return false }
        if form.folds == other.form.folds, outer.text == inner.text { return true }
        return PatternInclusion.holds(
            outer, inner, foldsInner: form.folds && !other.form.folds, isPath: isPath, &steps)
    }
}
