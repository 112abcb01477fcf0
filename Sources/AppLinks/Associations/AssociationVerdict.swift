// What becomes of a URL, and which entry and rule decide it.

/// What a file says of a URL.
public enum LinkDecision: String, Sendable, CaseIterable {
    /// The URL opens an app.
    case match
    /// A rule leaves the URL to the browser.
    case exclude
    /// No rule fits, so the URL stays in the browser.
    case noMatch = "no_match"
}

/// The decision about a URL, with what decided it.
public struct AssociationVerdict: Sendable {
    /// Why no rule decided.
    public enum Reason: Sendable, Hashable {
        /// The URL's scheme is neither `https` nor `http`, or it has no host.
        case noWebLink
        /// The URL's host is another one than the file's domain: each host needs a file of its own.
        case otherHost(String, domain: String)
        /// The file has no entry that names an app.
        case noEntries
        /// No entry names the app.
        case unknownApp(String)
        /// There are rules, and the URL fits none.
        case noRule
        /// The entry has no rules, so that every URL opens the app.
        case everything
    }

    /// What becomes of the URL.
    public let decision: LinkDecision

    /// The app that opens the URL, or for which the question was asked; nil when it was asked for
    /// none and none opens.
    public let app: String?

    /// The entry that decides; nil when none does.
    public let detail: AssociationDetail?

    /// The rule that decides; nil when none does.
    public let rule: AssociationRule?

    /// Why no rule decided; nil when one did.
    public let reason: Reason?

    /// Whether an app opens.
    public var opensApp: Bool { decision == .match }

    /// The JSON pointer (RFC 6901) to the rule that decides, or to the entry where an entry without
    /// rules does; nil when nothing decides.
    ///
    /// O(file).
    public var pointer: String? { (rule?.node ?? detail?.node)?.pointer }

    /// The line on which that begins, from 1.
    ///
    /// O(file).
    public var line: Int? { (rule?.node ?? detail?.node)?.position.line }
}
