// Handling of links in an app: the link, and a handler's four results.

/// A link and the intent that a route has made of it.
public struct IncomingLink<Intent> {
    /// The URL as it was opened.
    public var url: LinkURL

    /// The link's meaning in the app.
    public var intent: Intent

    /// Whether the navigation may be animated.
    public var animated: Bool

    /// Makes a link.
    public init(url: LinkURL, intent: Intent, animated: Bool = true) {
        self.url = url
        self.intent = intent
        self.animated = animated
    }
}

/// A part of an app that opens links: an app's root, a tab bar, a screen.
///
/// It runs where the router's caller runs, so a part of the app on the main actor needs nothing
/// else.
@available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
public typealias LinkHandler<Intent> = (IncomingLink<Intent>) async -> LinkHandling<Intent>

/// A handler's result for a link; the link in it is the one that was handled, or another one that
/// the handler has made of it (Deeper README).
@available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
public enum LinkHandling<Intent> {
    /// An action that runs after the result has been stored.
    public typealias Effect = () async -> Void

    /// The link was handled.
    ///
    /// A final state.
    case opened(IncomingLink<Intent>, effect: Effect? = nil)

    /// The link can't be handled.
    ///
    /// A final state.
    case rejected(IncomingLink<Intent>, error: (any Error)? = nil)

    /// The link waits for something, such as a login; ``LinkRouter/complete()`` opens it again.
    case delayed(IncomingLink<Intent>, effect: Effect? = nil)

    /// Another handler must handle the link: `next` returns it, and it is called at once.
    ///
    /// Without `next`, the link ends here. A final state.
    case passedThrough(IncomingLink<Intent>, next: (() async -> LinkHandler<Intent>?)? = nil)

    /// The link of this result.
    public var link: IncomingLink<Intent> {
        switch self {
        case .opened(let link, _), .rejected(let link, _), .delayed(let link, _),
            .passedThrough(let link, _):
            link
        }
    }
}
