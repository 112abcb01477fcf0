// One message that an emulated vendor's app sends back.
// Left out: where to; the callback URL is the launch's, and appending to it has rules of its own.

/// A callback of an emulated vendor's app, ready to be sent.
public struct EmulatedAnswer: Sendable {
    /// How long after the launch it is sent.
    public var after: Duration

    /// The parameters, escaped as the vendor escapes them, to be appended to the callback's query.
    ///
    /// Empty when everything is in `body`, or when the vendor's app comes back without a word.
    public var query: [UInt8]

    /// Content to be posted to the callback instead; nil for all that the vendors' apps do.
    ///
    /// Only `malformed:form` and `malformed:body`, whose layers no link has, need it.
    public var body: Callback.Body?

    /// What the message says happened, to somebody who reads it right; nil when it can't be read.
    public var outcome: Outcome?

    /// Whether the message belongs to a launch before this one.
    public var isForFormerLaunch: Bool

    /// Creates an answer, such as one whose values a person has changed.
    public init(
        query: [UInt8], body: Callback.Body? = nil, outcome: Outcome?, after: Duration = .zero,
        isForFormerLaunch: Bool = false
    ) {
        self.after = after
        self.query = query
        self.body = body
        self.outcome = outcome
        self.isForFormerLaunch = isForFormerLaunch
    }
}
