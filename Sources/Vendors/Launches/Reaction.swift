// How a vendor's app reacts to a link, valid or not.
//
// Invariant: every reaction names its rule, and says if the rule is inferred.

/// The reaction of a vendor's app to a link.
public struct Reaction: Sendable, Equatable {
    /// The kinds of reactions.
    public enum Kind: String, CaseIterable, Sendable {
        /// It does what the link requests.
        case starts
        /// It does not open, or opens and does nothing; the partner gets no callback.
        case nothing
        /// It returns to the callback with an error.
        case returns
        /// The link stays on the web, which has no such page.
        case errorPage = "error_page"
        /// It passes the link to the browser.
        case browser
    }

    /// The kind of reaction.
    public let kind: Kind

    /// The query that is appended to the callback, escaped, without `?`; nil unless it returns.
    public let query: String?

    /// The rule for the reaction, for people.
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
