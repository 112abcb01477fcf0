// Opens links of an app: from a URL's text through a route to the handlers. Invariants: the stored
// link is the last one that was opened; the state is stored before its effect runs. Left out:
// isolation of its own. The router isn't sendable, and everything runs where its caller runs.

/// Opens the links of an app with the first route that accepts them.
///
/// ```swift
/// let router = LinkRouter<Intent>(schemes: ["myapp", "https"]) { link in
///     await showProfile(link.intent) ? .opened(link) : .rejected(link)
/// }
/// router.add(try LinkPattern("profile" / .userId)) { _, parameters in
///     parameters[.userId].map { .showProfile($0) }
/// }
/// await router.open("myapp://profile/7")
/// ```
///
/// Every handler goes through the same steps: it returns a result, the result is logged and stored
/// as ``state``, and then its effect runs. (Deeper README.)
@available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
public final class LinkRouter<Intent> {
    /// Makes an intent of a link that matches a pattern; nil passes the link to the next route.
    public typealias Route = (LinkURL, Parameters) -> Intent?

    private let schemes: Set<String>
    private let root: LinkHandler<Intent>
    private let log: ((LinkHandling<Intent>) -> Void)?
    private let clearsFinalStates: Bool
    private var routes = Router<Int>()
    private var makers: [Route] = []

    /// The link that is being handled or waits, and its result so far; nil once it is handled.
    public private(set) var state: LinkHandling<Intent>?

    /// The handler that delayed the stored link.
    private var waiting: LinkHandler<Intent>?

    /// Counts links, so that a slow one doesn't replace a later one.
    private var linkCount = 0

    /// A router of links with some schemes.
    ///
    /// - Parameters:
    ///   - schemes: a link's scheme must equal one of them, including case. Under `http` and
    ///     `https`, hosts are ignored: the system opens only links of an app's own domains with it.
    ///   - clearsFinalStates: whether ``state`` is cleared when a link is opened, rejected or
    ///     passed through; a delayed one is always kept.
    ///   - log: called with each result before it is stored.
    ///   - root: the handler that is called first.
    public init(
        schemes: Set<String>, clearsFinalStates: Bool = true,
        log: ((LinkHandling<Intent>) -> Void)? = nil, root: @escaping LinkHandler<Intent>
    ) {
        self.schemes = schemes
        self.clearsFinalStates = clearsFinalStates
        self.log = log
        self.root = root
    }

    /// Registers a route after all registered ones.
    ///
    /// The same pattern may be registered more than once: each route is tried in order.
    public func add(_ pattern: LinkPattern, _ route: @escaping Route) {
        routes.add(pattern, makers.count)
        makers.append(route)
    }

    /// The intent of the first route that accepts `url`; nil if the scheme is another, the text
    /// can't be decoded, or no route accepts it.
    public func intent(for url: LinkURL) -> Intent? {
        guard let scheme = url.scheme, schemes.contains(scheme), let link = url.link else {
            return nil
        }
        for (index, parameters) in routes.matches(link) {
            if let intent = makers[index](url, parameters) { return intent }
        }
        return nil
    }

    /// Opens a URL.
    ///
    /// - Returns: whether a route accepted it, whatever the handlers returned.
    @discardableResult
    public func open(_ text: String, animated: Bool = true) async -> Bool {
        let url = LinkURL(text)
        guard let intent = intent(for: url) else { return false }
        await open(IncomingLink(url: url, intent: intent, animated: animated), with: root)
        return true
    }

    /// Opens the waiting link, with the handler that delayed it.
    ///
    /// - Returns: whether a link was waiting.
    @discardableResult
    public func complete() async -> Bool {
        guard case .delayed(let link, _) = state, let waiting else { return false }
        await open(link, with: waiting)
        return true
    }

    private func open(_ link: IncomingLink<Intent>, with first: @escaping LinkHandler<Intent>) async
    {
        linkCount += 1
        let number = linkCount
        var link = link
        var handler: LinkHandler<Intent>? = first
        while let asked = handler {
            handler = nil
            let answer = await asked(link)
            log?(answer)
            if number == linkCount {
                state = answer
                waiting = nil
            }
            link = answer.link
            switch answer {
            case .opened(_, let effect):
                await effect?()
            case .rejected:
                break
            case .delayed(_, let effect):
                if number == linkCount { waiting = asked }
                await effect?()
                return
            case .passedThrough(_, let next):
                handler = await next?()
            }
        }
        if clearsFinalStates, number == linkCount { state = nil }
    }
}
