// The decision about a URL, with the entry and the rule that made it.

/// A file's decision about a URL.
public enum LinkDecision: String, Sendable, CaseIterable {
    /// The URL opens an app.
    case match
    /// A rule keeps the URL in the browser.
    case exclude
    /// No rule matches, so the URL stays in the browser.
    case noMatch = "no_match"
}

/// The decision about a URL, and what decided it.
public struct AssociationVerdict: Sendable {
    /// Why no rule decided.
    public enum Reason: Sendable, Hashable {
        /// The URL's scheme is neither `https` nor `http`, or it has no host.
        case noWebLink
        /// The URL's host is not the file's domain; each host needs a file of its own.
        case otherHost(String, domain: String)
        /// The URL's host is that of the domain without `*.`; whether that is covered is contested.
        case contestedHost(String, domain: String)
        /// The file has more bytes than Apple's systems read, so they use none of it.
        case tooLarge(Int, limit: Int)
        /// The file has no entry that names an app.
        case noEntries
        /// No entry names the app.
        case unknownApp(String)
        /// There are rules, and the URL matches none.
        case noRule
        /// The entry has no rules, so every URL opens the app.
        case everything
    }

    /// The decision.
    public let decision: LinkDecision

    /// The app that the URL opens, or the app that was asked about; nil if neither exists.
    public let app: String?

    /// The entry that decides; nil if none does.
    public let detail: AssociationDetail?

    /// The rule that decides; nil if none does.
    public let rule: AssociationRule?

    /// Why no rule decided; nil if one did.
    public let reason: Reason?

    /// Whether the URL opens an app.
    public var opensApp: Bool { decision == .match }

    /// The JSON pointer (RFC 6901) to the rule that decides, or to the entry if it has no rules;
    /// nil if nothing decides.
    ///
    /// O(file).
    public var pointer: String? { (rule?.node ?? detail?.node)?.pointer }

    /// The line on which that rule or entry begins, from 1.
    ///
    /// O(file).
    public var line: Int? { (rule?.node ?? detail?.node)?.position.line }
}
