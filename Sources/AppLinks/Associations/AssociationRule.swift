// One rule of an entry: what a URL must have, and what then becomes of it. `components` and `paths`
// both become rules; what they leave open is taken from the defaults.
//
// Invariant: a rule compares as Apple's systems do, whatever its author wrote.

import JSON

/// One element of `components` or `paths`, with the defaults applied.
///
/// A class, so that one of hundreds is cheap to take out of an array and to ask.
public final class AssociationRule: Sendable {
    /// What the query must be.
    enum QueryCondition: Sendable {
        /// The whole query.
        case whole(WildcardPattern)
        /// Each of its items with these names.
        case items([ItemCondition])
    }

    /// What the value of each item of a name must be.
    struct ItemCondition: Sendable {
        let name: String
        let pattern: WildcardPattern
        /// The name's UTF-8.
        let bytes: [UInt8]
        /// What is missing counts as empty.
        let outcomeOfNothing: WildcardPattern.Outcome

        init(_ name: String, _ pattern: WildcardPattern) {
            self.name = name
            self.pattern = pattern
            bytes = Array(name.utf8)
            outcomeOfNothing = pattern.compare(Span())
        }
    }

    /// The place among `components` or `paths`, from 0.
    public let index: Int

    /// The element as it stands in the file.
    public let node: JSONNode

    /// Whether a URL that fits is left to the browser.
    public let excludes: Bool

    /// Whether upper and lower case differ.
    public let isCaseSensitive: Bool

    /// Whether the URL is compared as it is written, without decoding it.
    public let isPercentEncoded: Bool

    /// What the path must be, normalised; nil for any.
    let path: WildcardPattern?

    /// What the query must be; nil for any.
    let query: QueryCondition?

    /// What the fragment must be; nil for any.
    let fragment: WildcardPattern?

    /// A rule of what its element and the defaults say.
    ///
    /// - Parameters:
    ///   - keys: what the element and the defaults say.
    ///   - path: not normalised; nil for any.
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

    /// In which form the rule wants the parts of a URL.
    var form: LinkTexts.Form {
        LinkTexts.Form(decodes: !isPercentEncoded, folds: !isCaseSensitive)
    }

    /// Whether every URL fits.
    var isUnconditional: Bool { path == nil && query == nil && fragment == nil }
}

extension AssociationRule {
    /// Which of the rule's conditions a URL breaks.
    enum Failure {
        case path(WildcardPattern.Outcome)
        case query(WildcardPattern.Outcome)
        /// The condition for an item: its place among the conditions, and which occurrence breaks
        /// it; nil when there is none.
        case item(condition: Int, occurrence: Int?, WildcardPattern.Outcome)
        case fragment(WildcardPattern.Outcome)
    }

    /// The first condition that a URL breaks; nil when it fits.
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
    /// How the items of a query break this condition, which has the place `index`; nil when they
    /// don't.
    fileprivate func failure(of items: [LinkTexts.Item], at index: Int) -> AssociationRule.Failure?
    {
        var isThere = false
        for place in items.indices where items[place].name == bytes {
            isThere = true
            let value = items[place].value
            let outcome = pattern.compare(value.span)
            if outcome != .matches {
                return .item(condition: index, occurrence: place, outcome)
            }
        }
        if isThere || outcomeOfNothing == .matches { return nil }
        return .item(condition: index, occurrence: nil, outcomeOfNothing)
    }
}
