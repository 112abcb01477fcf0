// Links of an app: which route is asked, which handler, in which order, and what is kept meanwhile.

import LinkPatterns
import Testing

extension PatternParameter {
    fileprivate static let userId = PatternParameter("userId")
}

@Suite struct LinkRouterTests {
    /// What happened, in the order in which it did; the routes' intents are names.
    private final class Log {
        var lines: [String] = []
        /// Weak: the router keeps the log.
        weak var router: LinkRouter<String>?
        var isLoggedIn = false

        func note(_ line: String) {
            let state = router?.state.map { "\($0.name) \($0.link.intent)" } ?? "nothing"
            lines.append("\(line), kept: \(state)")
        }
    }

    private func router(
        clearsFinalStates: Bool = true, _ log: Log, root: @escaping LinkHandler<String>
    ) throws -> LinkRouter<String> {
        let router = LinkRouter<String>(
            schemes: ["app", "https"], clearsFinalStates: clearsFinalStates,
            log: { log.note("log \($0.name) \($0.link.intent)") }, root: root)
        router.add(try LinkPattern("profile" / .userId)) { _, parameters in
            parameters[.userId].flatMap { $0 == "0" ? nil : "profile \($0)" }
        }
        router.add(try LinkPattern("*")) { url, _ in url.host == "nobody" ? nil : "any" }
        router.add(try LinkPattern("profile/:id")) { _, _ in "never" }
        log.router = router
        return router
    }

    @Test(
        arguments: [
            ("app://profile/7", "profile 7"), ("app:profile/7", "profile 7"),
            ("https://example.com/profile/7", "profile 7"), ("app://profile/0", "any"),
            ("app://x", "any"), ("app://nobody/x", nil), ("app:", nil), ("APP://profile/7", nil),
            ("other://profile/7", nil), ("profile/7", nil), ("app://profile/%zz", nil),
        ] as [(String, String?)])
    func theFirstRouteThatMakesSomethingOfALinkIsTaken(url: String, intent: String?) async throws {
        let log = Log()
        var opened: [String] = []
        let router = try router(log) { link in
            opened.append(link.intent)
            return .rejected(link)
        }
        #expect(await router.open(url) == (intent != nil))
        #expect(opened == (intent.map { [$0] } ?? []))
        #expect(router.intent(for: LinkURL(url)) == intent)
    }

    @Test func anAnswerIsLoggedThenKeptThenItsEffectRuns() async throws {
        let log = Log()
        let router = try router(log) { link in
            log.note("ask \(link.intent) \(link.animated)")
            return .opened(link) { log.note("effect") }
        }
        await router.open("app://profile/7", animated: false)
        #expect(
            log.lines == [
                "ask profile 7 false, kept: nothing", "log opened profile 7, kept: nothing",
                "effect, kept: opened profile 7",
            ])
        #expect(router.state == nil)
    }

    @Test func aDelayedLinkIsKeptAndOpenedAgain() async throws {
        let log = Log()
        let router = try router(log) { link in
            log.isLoggedIn
                ? .opened(link) : .delayed(link) { log.note("show login") }
        }
        #expect(await router.complete() == false)
        await router.open("app://profile/7")
        #expect(router.state?.name == "delayed")
        log.isLoggedIn = true
        #expect(await router.complete())
        #expect(router.state == nil)
        #expect(await router.complete() == false)
        #expect(
            log.lines == [
                "log delayed profile 7, kept: nothing", "show login, kept: delayed profile 7",
                "log opened profile 7, kept: delayed profile 7",
            ])
    }

    @Test func aLinkMayBeCompletedByItsOwnEffect() async throws {
        let log = Log()
        let router = try router(log) { link in
            if log.isLoggedIn { return .opened(link) }
            return .delayed(link) {
                log.isLoggedIn = true
                await log.router?.complete()
            }
        }
        await router.open("app://profile/7")
        #expect(router.state == nil)
        #expect(log.lines.count == 2)
    }

    @Test func aLinkThatIsPassedThroughIsOpenedByTheNextHandler() async throws {
        let log = Log()
        let screen: LinkHandler<String> = { link in
            log.note("screen \(link.intent)")
            return log.isLoggedIn ? .opened(link) : .delayed(link)
        }
        let router = try router(log) { link in
            log.note("root \(link.intent)")
            var link = link
            link.intent += "!"
            return .passedThrough(link) {
                log.note("next")
                return screen
            }
        }
        await router.open("app://profile/7")
        // The one that delayed it is asked again, not the root.
        log.isLoggedIn = true
        await router.complete()
        #expect(
            log.lines == [
                "root profile 7, kept: nothing", "log passedThrough profile 7!, kept: nothing",
                "next, kept: passedThrough profile 7!",
                "screen profile 7!, kept: passedThrough profile 7!",
                "log delayed profile 7!, kept: passedThrough profile 7!",
                "screen profile 7!, kept: delayed profile 7!",
                "log opened profile 7!, kept: delayed profile 7!",
            ])
        #expect(router.state == nil)
    }

    @Test(arguments: ["opened", "rejected", "passedThrough"])
    func finalStatesAreForgottenUnlessTheyAreToBeKept(name: String) async throws {
        for clears in [true, false] {
            let router = try router(clearsFinalStates: clears, Log()) { link in
                switch name {
                case "opened": .opened(link)
                case "rejected": .rejected(link, error: CancellationError())
                default: .passedThrough(link)
                }
            }
            await router.open("app://profile/7")
            #expect(router.state?.name == (clears ? nil : name))
        }
    }

    @Test func aLinkThatTakesLongDoesNotReplaceALaterOne() async throws {
        let log = Log()
        let router = try router(log) { link in
            // The first link is still asked for when the second comes.
            if link.intent == "profile 1" { await log.router?.open("app://profile/2") }
            return link.intent == "profile 1" ? .opened(link) : .delayed(link)
        }
        await router.open("app://profile/1")
        #expect(router.state?.link.intent == "profile 2")
        #expect(router.state?.name == "delayed")
    }

    @MainActor private final class App {
        private var shown: [String] = []
        private var isReady = false

        func run() async throws -> [String] {
            let router = LinkRouter<String>(schemes: ["app"]) { [unowned self] link in
                isReady ? .passedThrough(link) { self.screen } : .delayed(link)
            }
            router.add(try LinkPattern(":page")) { _, parameters in parameters["page"] }
            await router.open("app://home")
            isReady = true
            await router.complete()
            return shown
        }

        private func screen(_ link: IncomingLink<String>) async -> LinkHandling<String> {
            .opened(link) { self.shown.append(link.intent) }
        }
    }

    @Test func partsOfAnAppOnTheMainActorAreHandlersAsTheyAre() async throws {
        #expect(try await App().run() == ["home"])
    }
}

extension LinkHandling {
    fileprivate var name: String {
        switch self {
        case .opened: "opened"
        case .rejected: "rejected"
        case .delayed: "delayed"
        case .passedThrough: "passedThrough"
        }
    }
}
