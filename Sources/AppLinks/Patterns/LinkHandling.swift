// What an app does with a link that it was asked to open: the link, and the four answers.

/// A link that a route has given a meaning.
public struct IncomingLink<Intent> {
    /// The URL as it was opened.
    public var url: LinkURL

    /// What the link asks for.
    public var intent: Intent

    /// Whether the way there may be shown.
    public var animated: Bool

    /// A link of its parts.
    public init(url: LinkURL, intent: Intent, animated: Bool = true) {
        self.url = url
        self.intent = intent
        self.animated = animated
    }
}

/// A part of an app that opens links: an app's root, a tab bar, a screen.
///
/// It runs where the router's caller does, so that a main actor's part of an app needs no more than
/// this.
@available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
public typealias LinkHandler<Intent> = (IncomingLink<Intent>) async -> LinkHandling<Intent>

/// What a handler answers about a link; what it carries is the link that it was asked for, or another
/// that it has made of it (Deeper README).
@available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
public enum LinkHandling<Intent> {
    /// What is to happen once the answer is known and kept.
    public typealias Effect = () async -> Void

    /// The link is handled. A final state.
    case opened(IncomingLink<Intent>, effect: Effect? = nil)

    /// The link can't be handled. A final state.
    case rejected(IncomingLink<Intent>, error: (any Error)? = nil)

    /// The link waits for something, such as a login; ``LinkRouter/complete()`` opens it again.
    case delayed(IncomingLink<Intent>, effect: Effect? = nil)

    /// The link is another handler's, which `next` finds, and which is asked at once; without one the
    /// link ends here. A final state.
    case passedThrough(IncomingLink<Intent>, next: (() async -> LinkHandler<Intent>?)? = nil)

    /// The link that this is about.
    public var link: IncomingLink<Intent> {
        switch self {
        case .opened(let link, _), .rejected(let link, _), .delayed(let link, _),
            .passedThrough(let link, _):
            link
        }
    }
}
