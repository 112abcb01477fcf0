// One callback of an emulated vendor's app. Left out: its target; the callback URL belongs to the
// launch, and appending to it has its own rules.

/// A callback of an emulated vendor's app, ready to be sent.
public struct EmulatedAnswer: Sendable {
    /// Delay from the launch until it is sent.
    public var after: Duration

    /// The parameters, escaped as the vendor escapes them, to append to the callback's query.
    ///
    /// Empty if everything is in `body`, or if the vendor's app returns without parameters.
    public var query: [UInt8]

    /// Content to post to the callback instead; nil for everything that the vendors' apps send.
    ///
    /// Only `malformed:form` and `malformed:body`, whose layers a link doesn't have, need it.
    public var body: Callback.Body?

    /// The launch's parameter that names where it is sent; nil for the main callback.
    public var callbackParameter: String?

    /// The outcome that a correct decoder finds; nil if the message can't be decoded.
    public var outcome: Outcome?

    /// Whether the callback belongs to an earlier launch.
    public var isForFormerLaunch: Bool

    /// Creates a callback, such as one with values that a person has edited.
    public init(
        query: [UInt8], body: Callback.Body? = nil, to parameter: String? = nil, outcome: Outcome?,
        after: Duration = .zero, isForFormerLaunch: Bool = false
    ) {
        callbackParameter = parameter
        self.after = after
        self.query = query
        self.body = body
        self.outcome = outcome
        self.isForFormerLaunch = isForFormerLaunch
    }

    /// The query for an endpoint that gets the callbacks of every end, as if the launch named it
    /// for each of them.
    public func query(forAllEndsOf contract: Contract) -> [UInt8] {
        let others = contract.declaration.launch?.callback?.others ?? []
        guard let other = others.first(where: { $0.parameter == callbackParameter }) else {
            return query
        }
        return Array(other.mark.utf8) + (query.isEmpty ? [] : Array("&".utf8) + query)
    }
}
