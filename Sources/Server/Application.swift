// Turns requests into responses: route, check, dispatch. Each endpoint has its own file in
// `Endpoints`.

import AppLinks
import Clocks
import Emulator
import HTTP1
import LinkHosting
import LinkPatterns
import Logging
import Problems
import ResultAPI
import ResultStore
import RezolveSandbox
import Sockets
import Vendors

/// Everything that Landfall serves.
package struct Application: RequestHandler {
    let api: ResultAPI
    let routes: Routes
    let sites: SiteService
    let access: AccessControl
    let transport: TransportPolicy
    let callbackBodyBytes: Int
    let flows: OpenFlows
    /// Nil if only this server stores results.
    let flowFollower: FlowFollower?
    let emulator: Emulator
    let forwarding: Forwarding
    /// What receivers answer that don't answer as usual.
    let answers: ReceiverAnswers
    let rezolve: RezolveSandbox
    /// Where the server can be reached.
    let addresses: ServerAddresses
    /// Verifies the deliveries of webhooks.
    let webhooks: WebhookGate
    /// Masks health and location values before they are stored; nil stores them unchanged.
    let pseudonyms: Pseudonyms?
    /// Whether agents may call tools at `/mcp`.
    let servesAgents: Bool
    let metrics: ServerMetrics
    /// Nil writes none.
    let accessLog: AccessLog?
    /// The certificates in use; nil without TLS.
    let certificates: LiveTLSContext?
    let idempotency = KeysInFlight()
    /// When the fetchers of Apple and Google last asked for link files.
    let fetches = LinkFetches()
    let sends = SendGate()
    /// Strays that are being adopted.
    let adoptions = KeysInFlight()
    /// Limits which unrouted requests are kept.
    let strays = StrayGate(at: Clock.monotonicMilliseconds)

    package init(
        api: ResultAPI, routes: Routes, sites: SiteService, access: AccessControl,
        transport: TransportPolicy, callbackBodyBytes: Int, flows: OpenFlows,
        flowFollower: FlowFollower?, emulator: Emulator, forwarding: Forwarding,
        answers: ReceiverAnswers, rezolve: RezolveSandbox, addresses: ServerAddresses,
        metrics: ServerMetrics, accessLog: AccessLog?, certificates: LiveTLSContext?,
        webhooks: WebhookGate, pseudonyms: Pseudonyms?, servesAgents: Bool
    ) {
        self.api = api
        self.routes = routes
        self.sites = sites
        self.access = access
        self.transport = transport
        self.callbackBodyBytes = callbackBodyBytes
        self.flows = flows
        self.flowFollower = flowFollower
        self.emulator = emulator
        self.forwarding = forwarding
        self.answers = answers
        self.rezolve = rezolve
        self.addresses = addresses
        self.metrics = metrics
        self.accessLog = accessLog
        self.certificates = certificates
        self.webhooks = webhooks
        self.pseudonyms = pseudonyms
        self.servesAgents = servesAgents
    }

    var store: ResultStore { api.store }
    var log: Logger { api.log }

    package func respond(to request: Request, over connection: inout Connection) async -> Response {
        let began = Clock.monotonicMicroseconds
        var label = RequestLabel()
        // Each connection keeps its largest async frame. What needs no waiting isn't async, so that
        // the frames of those that only request files stay small.
        let progress = respondNow(to: request, &label, since: began, connection)
        switch consume progress {
        case .done(let response): return response
        case .left(let decision):
            return await respond(to: request, by: decision, label, since: began, over: &connection)
        }
    }

    /// Decides what to do with a request, and responds to it if that needs no waiting.
    @inline(never)
    private func respondNow(
        to request: Request, _ label: inout RequestLabel, since began: UInt64,
        _ connection: borrowing Connection
    ) -> Progress {
        let decision = decide(request, &label)
        switch consume decision {
        case .ready(var response):
            guard isQuick(response, for: request) else { return .left(.ready(consume response)) }
            let microseconds = finish(&response, for: request, label, since: began)
            if accessLog != nil {
                log(
                    response, to: request, at: shownPath(of: request), label, microseconds,
                    connection)
            }
            return .done(consume response)
        case let other: return .left(other)
        }
    }

    /// Whether a response needs no work beside the event loops.
    private func isQuick(_ response: Response, for request: Request) -> Bool {
        !isLarge(response) && (accessLog == nil || request.targetBytes <= LongWork.receivedBytes)
    }

    private func isLarge(_ response: Response) -> Bool {
        response.isCompressible && response.contentBytes ?? 0 > LongWork.loopBytes
    }

    /// Responds as decided, waiting for a body, the store, or work beside the event loops.
    @inline(never)
    private func respond(
        to request: Request, by decision: consuming Decision, _ label: RequestLabel,
        since began: UInt64, over connection: inout Connection
    ) async -> Response {
        var response: Response
        switch consume decision {
        case .ready(let answer): response = answer
        case .work(let work, let parameters):
            response = await self.work(work, parameters, request, over: &connection)
            Self.forbidSniffing(&response)
        case .stray(let problem):
            response = await keepStray(request, problem, over: &connection)
            Self.forbidSniffing(&response)
        }
        let microseconds = finish(&response, for: request, label, since: began)
        if accessLog != nil {
            let path =
                request.targetBytes <= LongWork.receivedBytes
                ? shownPath(of: request) : await shownLongPath(of: request)
            log(response, to: request, at: path, label, microseconds, connection)
        }
        if isLarge(response) {
            return await compressed(consume response, request, connection.limits)
        }
        return consume response
    }

    /// Adds the fields that depend on the request, and counts the response.
    ///
    /// Returns the microseconds that it took.
    private func finish(
        _ response: inout Response, for request: Request, _ label: RequestLabel, since began: UInt64
    ) -> UInt64 {
        // GET may be kept as a stray, which its response then names; so the length for HEAD is
        // unknown.
        if request.method == .head, response.status == .notFound {
            response.sendsContentLength = false
        }
        transport.addStrictness(to: &response, for: request)
        access.crossOrigin.addFields(to: &response, for: request)
        let microseconds = Clock.monotonicMicroseconds &- began
        metrics.count(label, request, response.status, microseconds: microseconds)
        return microseconds
    }

    /// Compresses a large response beside the event loops, if the peer prefers that.
    ///
    /// Never inlined: keeps the async frame of connections that only request files small.
    @inline(never)
    private func compressed(
        _ response: Response, _ request: Request, _ limits: HTTP1.Limits
    ) async -> Response {
        await api.largeWork.run {
            var response = response
            response.compress(for: request, limits)
            return response
        }
    }

    package func respond(to refusal: Refusal) -> Response {
        metrics.count(refusal)
        var response = Self.plain(Problem(refusal).response)
        response.closesConnection = true
        return response
    }

    /// Makes browsers trust the content type (WHATWG Fetch §3.6); files already have this field.
    private static func forbidSniffing(_ response: inout Response) {
        response.add("X-Content-Type-Options", "nosniff")
    }

    /// A response whose content type browsers trust.
    private static func plain(_ response: consuming Response) -> Response {
        forbidSniffing(&response)
        return response
    }

    /// How far a request has come without waiting.
    private enum Progress {
        case done(Response)
        case left(Decision)
    }

    /// What to do with a request once its head is known.
    private enum Decision {
        /// The response, without the fields that depend on the request.
        case ready(Response)
        /// The response depends on the body or the store.
        case work(Endpoint.Work, Parameters?)
        /// Unrouted: the request may be kept, and the response is the problem or a page.
        case stray(Problem)
    }

    /// Routes, checks and serves what is in memory; most requests need no more.
    ///
    /// Sets what the request is counted under, as far as it is known.
    private func decide(_ request: Request, _ label: inout RequestLabel) -> Decision {
        do throws(Problem) {
            if request.method == .options, request.path.elementsEqual("*".utf8) {
                return .ready(Self.plain(Self.options(Self.methods)))
            }
            guard request.method != .connect else { throw .methodNotAllowed(Self.methods) }
            let host = request.host
            guard let (route, parameters) = try route(for: request, on: host) else {
                return unrouted(request, .notFound)
            }
            let endpoint = route.endpoint
            label = RequestLabel(of: route, parameters)
            if let answer = try check(request, at: endpoint) {
                return .ready(Self.plain(answer))
            }
            switch endpoint {
            case .associationFile:
                return .ready(try linkFile(.association, request, on: host))
            case .assetLinksFile:
                return .ready(try linkFile(.assetLinks, request, on: host))
            case .page(let file): return .ready(try file.response(to: request))
            case .health: return .ready(Self.healthy)
            case .readiness: return .ready(Self.plain(readiness.response))
            case .work(let work): return .work(work, parameters)
            }
        } catch {
            if error.kind == Self.invalidPath { return unrouted(request, error) }
            return .ready(Self.plain(answer(to: error, request)))
        }
    }

    /// What becomes of a request that no route takes: a redirect comes first, as on routes, so that
    /// what is kept came under TLS.
    private func unrouted(_ request: Request, _ problem: Problem) -> Decision {
        transport.redirect(request).map { .ready(Self.plain($0)) } ?? .stray(problem)
    }

    /// The problem as the response to a request: a page for a browser that shows it to a person.
    func answer(to problem: Problem, _ request: Request) -> Response {
        let isVisit = request.method == .get && request.acceptsPages
        return (isVisit ? LandingPage.problem(problem) : nil) ?? response(to: problem, request)
    }

    /// The problem as the response to a request, with the id of its trace.
    func response(to problem: Problem, _ request: Request) -> Response {
        problem.response(in: TraceParent.traceID(of: request))
    }

    /// The methods that any route supports.
    private static let methods = "GET, HEAD, POST, PUT, DELETE, OPTIONS"

    /// The problem type for an invalid path.
    private static let invalidPath = "invalid-path"

    private var readiness: Readiness {
        let identities = certificates?.current.identities ?? []
        return Readiness(
            store.status, expiries: identities.map { ($0.name, $0.expiresAt) },
            now: Clock.unixMilliseconds / 1000)
    }

    private static let healthy = plain(
        Response(.ok, contentType: "application/json", body: Array(#"{"status":"ok"}"#.utf8)))

    /// Runs the checks common to all endpoints; returns a response if the method or scheme needs
    /// one.
    func check(
        _ request: Request, at endpoint: Endpoint
    ) throws(Problem) -> Response? {
        if endpoint.mayRedirect, let redirect = transport.redirect(request) { return redirect }
        if let limit = endpoint.targetBytes, request.targetBytes > limit {
            throw Problem(
                status: .uriTooLong, kind: "uri-too-long",
                detail: "The request target may have at most \(limit) bytes here.")
        }
        // Preflight requests carry no credentials.
        if request.method == .options, access.crossOrigin.allows(request) {
            return Self.options(endpoint.allowedMethods)
        }
        // A closure over `self` would copy all of it for each request.
        try access.check(request, at: endpoint) { [sites] in sites.current.byHost[$0] != nil }
        if endpoint.answers(request.method) { return nil }
        if request.method == .options { return Self.options(endpoint.allowedMethods) }
        // The sandbox refuses other methods in the vendor's words, and logs that.
        if case .work(.rezolve) = endpoint { return nil }
        throw .methodNotAllowed(endpoint.allowedMethods)
    }

    func route(
        for request: Request, on host: String
    ) throws(Problem) -> (Route, Parameters?)? {
        if let found = routes.route(forPlain: request.path, on: host) { return found }
        // Only the patterns of receivers may name a part of the query.
        guard let link = try Link(request, withQuery: routes.hasOwnRoutes(host)) else {
            throw Problem(
                status: .badRequest, kind: Self.invalidPath,
                detail: "A segment of the path can't be percent-decoded to UTF-8 text.")
        }
        return routes.route(for: link, on: host).map { ($0.route, $0.parameters) }
    }

    /// Serves a link file; notes and counts the fetch if Apple's or Google's systems request it.
    private func linkFile(
        _ kind: HostedFile.Kind, _ request: Request, on host: String
    ) throws(Problem) -> Response {
        let sites = sites.current
        guard let fetcher = LinkFetcher(request) else {
            return try sites.response(with: kind, to: request, on: host)
        }
        let isSite = sites.byHost[host] != nil
        func note(_ status: Status) {
            metrics.countFetch(of: kind.name, site: isSite ? host : nil, by: fetcher, status)
            guard isSite, let link = Link(path: request.path)?.withoutDotSegments else { return }
            let path = "/" + link.components.joined(separator: "/")
            fetches.note(fetcher, of: path, on: host, status.code)
        }
        do throws(Problem) {
            let response = try sites.response(with: kind, to: request, on: host)
            note(response.status)
            return response
        } catch {
            note(error.status)
            throw error
        }
    }

    /// The problem as the response to an unrouted request: for a browser that followed a link to a
    /// hosted site, a page that explains why it opened no app.
    ///
    /// The page is made beside the event loops.
    func answer(toUnrouted request: Request, _ problem: Problem) async -> Response {
        guard problem.kind == Problem.notFound.kind, request.method == .get, request.acceptsPages,
            let url = request.url, let site = sites.current.site(of: request.host),
            site.association != nil
        else { return answer(to: problem, request) }
        return await api.largeWork.run { LandingPage.explanation(of: url, by: site, problem) }
    }

    /// Never inlined: keeps the async frame of connections that only request files small.
    @inline(never)
    func work(
        _ work: Endpoint.Work, _ parameters: Parameters?, _ request: Request,
        over connection: inout Connection
    ) async -> Response {
        do throws(Problem) {
            switch work {
            case .callbacks: return try await receive(request, parameters, over: &connection)
            case .receiver(let receiver, let program):
                return try await receive(
                    request, vendor: receiver.vendor, contract: receiver.contract,
                    inbox: receiver.inbox,
                    capturing: parameters?.captures.map { ($0.name, $0.value) } ?? [],
                    answering: program, over: &connection)
            case .emulate(let contract, let isOwnHost):
                return try await emulate(
                    contract, isOwnHost: isOwnHost, request, over: &connection)
            case .shared(let contract, let page): return showShared(page, of: contract, request)
            case .items(let call):
                let body =
                    call == .barcode
                    ? try await connection.content(upTo: EmulatedItems.searchBytes) : []
                // There may be 8 MiB of them.
                let (items, id) = (emulator.items, parameters?["id"])
                return try await api.work.run { () throws(Problem) in
                    try items.answer(call, naming: id, request, body: body)
                }
            case .mintLaunch: return try await mintLaunch(request, over: &connection)
            case .addresses:
                try QueryParameters(request).requireNone()
                return addresses.response(to: request)
            case .planEmulator:
                return try await planEmulator(parameters?["vendor"], request, over: &connection)
            case .receivers: return try listReceivers(request)
            case .programAnswer:
                return try await programAnswer(parameters, request, over: &connection)
            case .explainLink: return try explainLink(request)
            case .sites: return try listSites(request)
            case .sendAgain:
                return try await sendAgain(parameters?["id"], request, over: &connection)
            case .adopt:
                return try await adoptStray(parameters?["id"], request, over: &connection)
            case .deliveries: return try await listDeliveries(request)
            case .retryDeliveries: return try retryDeliveries(request)
            case .compareLinkFile:
                return try await compareLinkFile(request, over: &connection)
            case .lintLinkFile: return try await lintLinkFile(request, over: &connection)
            case .decode: return try await decode(request, over: &connection)
            case .metrics: return try await showMetrics(request)
            case .agents: return try await answerAgent(request, over: &connection)
            case .rezolve(let route):
                return try await answer(route, parameters, request, over: &connection)
            case .query(let operation):
                await connection.sendPending()
                let query = ResultAPI.Query(operation, about: parameters?["id"], request)
                if operation == .result, query.erases { return try await eraseResult(query) }
                if operation.onlyReads { return try await lookUp(query, over: &connection) }
                let answer = try await api.answer(query)
                if operation == .inbox, let name = query.subject { flows.forget(inbox: name) }
                return answer
            case .wait:
                await connection.sendPending()
                return try await api.waitForResults(request, over: &connection)
            case .importResults:
                await connection.sendPending()
                return try await api.importResults(request, over: &connection, into: flows)
            }
        } catch {
            return response(to: error, request)
        }
    }

    /// Stores a callback of the built-in route; a path without vendor, inbox or flow makes a stray.
    private func receive(
        _ request: Request, _ parameters: Parameters?, over connection: inout Connection
    ) async throws(Problem) -> Response {
        let place: (vendor: Vendor, inbox: String, flow: String?)
        do throws(Problem) {
            place = (
                try ResultAPI.vendor(parameters?["vendor"]),
                try Inbox.name(in: parameters?["inbox"]),
                try flow(parameters?["flow"])
            )
        } catch {
            return await keepStray(request, error, over: &connection)
        }
        return try await receive(
            request, vendor: place.vendor, inbox: place.inbox, flow: place.flow, over: &connection)
    }

    /// Answers a query that changes nothing, unless it takes long and its client leaves.
    private func lookUp(
        _ query: ResultAPI.Query, over connection: inout Connection
    ) async throws(Problem) -> Response {
        let (answer, _) = await connection.workWhilePeerIsConnected { [api] in
            do throws(Problem) {
                return Result<Response, Problem>.success(try await api.answer(query))
            } catch {
                return .failure(error)
            }
        }
        return try answer.get()
    }

    /// Erases a result; its flow is then as if the result had never been there.
    private func eraseResult(_ query: ResultAPI.Query) async throws(Problem) -> Response {
        let flow = await flow(of: query.subject)
        let answer = try await api.answer(query)
        if let flow { await readAgain(flow: flow) }
        return answer
    }

    /// The flow of a result; nil if it has none or can't be read.
    private func flow(of id: String?) async -> String? {
        guard let (line, permit) = try? await api.line(of: id) else { return nil }
        defer { withExtendedLifetime(permit) {} }
        return store.facts(in: line)?.flow
    }

    private static func options(_ allowed: String) -> Response {
        var response = Response(.noContent)
        response.add("Allow", allowed)
        return response
    }
}
