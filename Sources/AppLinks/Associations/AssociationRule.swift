// One rule of an entry: the conditions on a URL, and the decision if they are met. Both
// `components` and `paths` become rules; values that they omit come from the defaults.
//
// Invariant: a rule compares as Apple's systems do, whatever its author intended.

import JSON

/// One element of `components` or `paths`, with the defaults applied.
///
/// A class, so that taking one of hundreds out of an array is cheap.
public final class AssociationRule: Sendable {
    /// The condition on the query.
    enum QueryCondition: Sendable {
        /// On the whole query.
        case whole(WildcardPattern)
        /// On each item with one of these names.
        case items([ItemCondition])
    }

    /// The condition on the value of each item with a name.
    struct ItemCondition: Sendable {
        let name: String
        let pattern: WildcardPattern
        /// The name's UTF-8.
        let bytes: [UInt8]
        /// The outcome for a missing item, which counts as empty.
        let missingOutcome: WildcardPattern.Outcome

        init(_ name: String, _ pattern: WildcardPattern) {
            self.name = name
            self.pattern = pattern
            bytes = Array(name.utf8)
            missingOutcome = pattern.compare(Span())
        }
    }

    /// The index in `components` or `paths`.
    public let index: Int

    /// The element's JSON.
    public let node: JSONNode

    /// Whether a matching URL stays in the browser.
    public let excludes: Bool

    /// Whether case matters.
    public let isCaseSensitive: Bool

    /// Whether the URL is compared as written, without decoding it.
    public let isPercentEncoded: Bool

    /// The pattern of the path, normalised; nil for any path.
    let path: WildcardPattern?

    /// The condition on the query; nil for any query.
    let query: QueryCondition?

    /// The pattern of the fragment; nil for any fragment.
    let fragment: WildcardPattern?

    /// Makes a rule.
    ///
    /// - Parameters:
    ///   - keys: the keys of the element and the defaults.
    ///   - path: not normalised; nil for any path.
    init(
        _ node: JSONNode, _ index: Int, _ keys: ComponentKeys, excludes: Bool,
        isCaseSensitive: Bool, path: String?, _ variables: SubstitutionVariables
    ) {
        self.index = index
        self.node = node
        self.excludes = excludes
        self.isCaseSensitive = isCaseSensitive
        isPercentEncoded = keys.flag("percentEncoded", default: true)
        let pattern = { (text: String) in
            WildcardPattern(text, variables: variables, foldsCase: !isCaseSensitive)
        }
        self.path = path.map { path in
            let normalized = PathNormalization.normalized(Array(path.utf8)[...])
            return pattern(String(decoding: normalized, as: UTF8.self))
        }
        fragment = (keys["#"]?.string).map(pattern)
        query = keys["?"].flatMap { Self.query($0, pattern) }
    }

    /// The form of a URL's parts that the rule compares.
    var form: LinkTexts.Form {
        LinkTexts.Form(decodes: !isPercentEncoded, folds: !isCaseSensitive)
    }

    /// Whether every URL matches.
    var isUnconditional: Bool { path == nil && query == nil && fragment == nil }
}

extension AssociationRule {
    /// The condition that a URL doesn't meet.
    enum Failure {
        case path(WildcardPattern.Outcome)
        case query(WildcardPattern.Outcome)
        /// The condition on an item: its index among the conditions, and the index of the query
        /// item that fails; nil if the item is missing.
        case item(condition: Int, occurrence: Int?, WildcardPattern.Outcome)
        case fragment(WildcardPattern.Outcome)
    }

    /// The first condition that a URL doesn't meet; nil if it matches.
    func failure(_ texts: inout LinkTexts) -> Failure? {
        if let path {
            let outcome = path.compare(texts.path(form).span)
            if outcome != .matches { return .path(outcome) }
        }
        if let query, let failure = failure(of: query, &texts) { return failure }
        if let fragment {
            let outcome = fragment.compare(texts.fragment(form).span)
            if outcome != .matches { return .fragment(outcome) }
        }
        return nil
    }

    /// Whether only the fragment decides whether a URL matches.
    func dependsOnFragment(_ texts: inout LinkTexts) -> Bool {
        guard let fragment, !fragment.isUniversal else { return false }
        switch failure(&texts) {
        case nil, .fragment: return true
        case .path, .query, .item: return false
        }
    }

    private func failure(of query: QueryCondition, _ texts: inout LinkTexts) -> Failure? {
        switch query {
        case .whole(let pattern):
            let outcome = pattern.compare(texts.query(form).span)
            return outcome == .matches ? nil : .query(outcome)
        case .items(let conditions):
            let items = texts.items(form)
            for index in conditions.indices {
                if let failure = conditions[index].failure(of: items, at: index) { return failure }
            }
            return nil
        }
    }
}

extension AssociationRule.ItemCondition {
    /// How the items of a query fail this condition, which has the index `index`; nil if they meet
    /// it.
    fileprivate func failure(of items: [LinkTexts.Item], at index: Int) -> AssociationRule.Failure?
    {
        var isPresent = false
        for place in items.indices where items[place].name == bytes {
            isPresent = true
            let value = items[place].value
            let outcome = pattern.compare(value.span)
            if outcome != .matches {
                return .item(condition: index, occurrence: place, outcome)
            }
        }
        if isPresent || missingOutcome == .matches { return nil }
        return .item(condition: index, occurrence: nil, missingOutcome)
    }
}
