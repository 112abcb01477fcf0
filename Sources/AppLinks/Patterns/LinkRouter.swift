// Links of an app: from the text of a URL over a route to the handlers. Invariants: the link that is
// kept is the last one that was opened; what is kept is known before its effect runs. Left out:
// isolation of its own. The router isn't sendable, and everything runs where its caller runs.

/// Opens the links of an app with the first route that makes something of them.
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
/// Every handler that is asked goes through the same steps: it answers, the answer is logged and kept
/// as ``state``, and then its effect runs. (Deeper README.)
@available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
public final class LinkRouter<Intent> {
    /// Makes an intent of a link that matches a pattern; nil leaves the link to the next route.
    public typealias Route = (LinkURL, Parameters) -> Intent?

    private let schemes: Set<String>
    private let root: LinkHandler<Intent>
    private let log: ((LinkHandling<Intent>) -> Void)?
    private let clearsFinalStates: Bool
    private var routes = Router<Int>()
    private var makers: [Route] = []

    /// The link that is being handled or waits, and how far it came; nil once it is handled.
    public private(set) var state: LinkHandling<Intent>?

    /// Who answered that the kept link waits.
    private var waiting: LinkHandler<Intent>?

    /// Counts links, so that one that takes long doesn't replace what came after it.
    private var linkCount = 0

    /// A router of links under some schemes.
    ///
    /// - Parameters:
    ///   - schemes: one of them must be that of a link exactly, its case too. Under `http` and `https`
    ///     hosts don't count: the system only opens links of an app's own domains with it.
    ///   - clearsFinalStates: whether ``state`` is forgotten when a link is opened, rejected or passed
    ///     through; a delayed one is always kept.
    ///   - log: is told each answer before it is kept.
    ///   - root: the handler that is asked first.
    public init(
        schemes: Set<String>, clearsFinalStates: Bool = true,
        log: ((LinkHandling<Intent>) -> Void)? = nil, root: @escaping LinkHandler<Intent>
    ) {
        self.schemes = schemes
        self.clearsFinalStates = clearsFinalStates
        self.log = log
        self.root = root
    }

    /// Registers a route, after all that are already registered.
    ///
    /// The same pattern may be registered more than once: each route is asked in its turn.
    public func add(_ pattern: LinkPattern, _ route: @escaping Route) {
        routes.add(pattern, makers.count)
        makers.append(route)
    }

    /// What the first route that wants `url` makes of it; nil when the scheme is another, the text
    /// can't be decoded, or no route wants it.
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
    /// - Returns: whether a route wanted it, whatever the handlers answered.
    @discardableResult
    public func open(_ text: String, animated: Bool = true) async -> Bool {
        let url = LinkURL(text)
        guard let intent = intent(for: url) else { return false }
        await open(IncomingLink(url: url, intent: intent, animated: animated), with: root)
        return true
    }

    /// Opens the link that waits, with the handler that delayed it.
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
