// What a vendor's app does when it is opened by a link, right or wrong.
//
// Invariant: every reaction names its rule, and says when the rule is a guess of ours.

/// What the vendor's app does with a link.
public struct Reaction: Sendable, Equatable {
    /// The kinds of reactions.
    public enum Kind: String, CaseIterable, Sendable {
        /// It does what it was asked to.
        case starts
        /// It does not open, or opens and does nothing; the partner never hears of it.
        case nothing
        /// It goes back to the callback with an error.
        case returns
        /// The link stays on the web, which has no such page.
        case errorPage = "error_page"
        /// It hands the link to the browser.
        case browser
    }

    /// What happens.
    public let kind: Kind

    /// What is appended to the callback, escaped, without `?`; nil unless it returns.
    public let query: String?

    /// The rule that says so, for people.
    public let rule: String

    /// Whether no source states the rule.
    public let isInferred: Bool

    static func starts(_ rule: String) -> Reaction {
        Reaction(kind: .starts, query: nil, rule: rule, isInferred: false)
    }

    static func nothing(_ rule: String, isInferred: Bool = false) -> Reaction {
        Reaction(kind: .nothing, query: nil, rule: rule, isInferred: isInferred)
    }

    static func returns(_ query: String, _ rule: String, isInferred: Bool = false) -> Reaction {
        Reaction(kind: .returns, query: query, rule: rule, isInferred: isInferred)
    }
}
