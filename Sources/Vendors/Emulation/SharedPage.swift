// The page by which a vendor shows one result to everyone who has its token.

/// A vendor's public page about a result.
public struct SharedPage: Sendable {
    /// The host that serves it.
    public let host: String
    /// The path, without a slash at its start.
    public let path: String
    /// The parameter that names the result.
    public let parameter: String
    /// What it shows, for people.
    public let title: String
}

extension Contract {
    /// The public page about a result; nil if the vendor has none.
    public var sharedPage: SharedPage? { declaration.app?.sharedPage }
}
