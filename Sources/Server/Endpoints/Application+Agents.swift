// `POST /mcp`: the Model Context Protocol. A tool is a request to this server's own API, so that
// access, limits and masking are the same, and so are the answers.
//
// Invariant: a call reaches the route of its tool and no other, whatever its arguments; a trip
// reaches launches, emulators, receivers and flows. Left out: messages and tools, which `Agents`
// has.

import Agents
import Emulator
import HTTP1
import Problems
import ResultAPI
import ResultStore
import Vendors

extension Application {
    /// Answers one message.
    ///
    /// Errors of the message and of tools are JSON-RPC; a request that is wrong as HTTP gets a
    /// problem.
    func answerAgent(
        _ request: Request, over connection: inout Connection
    ) async throws(Problem) -> Response {
        guard servesAgents else { throw Self.noAgents }
        try QueryParameters(request).requireNone()
        guard request.mediaType == "application/json" else {
            throw Problem(
                status: .unsupportedMediaType, kind: "unsupported-media-type",
                detail: "Send the message as application/json.")
        }
        if request.first(.accept) != nil,
            (AcceptedTypes(request).match("application/json")?.weight ?? 0) == 0
        {
            throw Problem(
                status: .notAcceptable, kind: "not-acceptable",
                detail: "Responses are application/json, which Accept has to list.")
        }
        let body = try await connection.content(upTo: callbackBodyBytes)
        switch try await answer(to: body, request) {
        case .ready(let response): return response
        case .call(let call): return try await result(of: call, request, over: &connection)
        }
    }

    private static let noAgents = Problem(
        status: .notFound, kind: "mcp-off",
        detail: "Agents are not served: set mcp: true in the configuration.")

    /// Reads a message; the memory for that is free again when a tool runs.
    private func answer(
        to body: [UInt8], _ request: Request
    ) async throws(Problem) -> AgentProtocol.Answer {
        let permit = try await api.memory(toDecode: body)
        defer { withExtendedLifetime(permit) {} }
        do throws(AgentError) {
            return try await api.largeWork.run(over: body.count) {
                [version = api.version] () throws(AgentError) -> AgentProtocol.Answer in
                guard let message = try AgentMessage(body, of: request) else {
                    return .ready(AgentProtocol.acceptance)
                }
                return try AgentProtocol.answer(message, version: version)
            }
        } catch {
            return .ready(error.response)
        }
    }

    /// Calls a tool.
    private func result(
        of call: AgentCall, _ request: Request, over connection: inout Connection
    ) async throws(Problem) -> Response {
        var answer: Response
        let content: [UInt8]
        do throws(Problem) {
            switch try call.order.get() {
            case .request(let target, let body):
                answer = try await ask(
                    body == nil ? .get : .post, target, Self.type(of: call), body ?? [],
                    for: request, over: &connection
                ) { route in routes.patterns[route.pattern] == call.tool.route }
            case .trip(let arguments):
                answer = try await trip(TripPlan(arguments), request, over: &connection)
            }
            content = try await Self.content(of: answer, over: &connection)
        } catch {
            answer = error.response
            content = answer.body
        }
        // Its memory is free again before more is asked for: two requests could wait for each other.
        answer.content = .bytes([])
        answer.permit = nil
        let permit = try await api.memory(
            for: content.count * Self.copiesOfAnswer, workingOn: content.count)
        let status = answer.status
        var response = await api.largeWork.run(over: content.count) {
            call.response(status, content)
        }
        response.permit = permit
        return response
    }

    /// Memory for a result, as a multiple of the API's response: itself, its document, the two
    /// forms, the text escaped, and the output.
    private static let copiesOfAnswer = 8

    /// The content of an answer; of a stream, no more parts than a result could have.
    ///
    /// Throws the error that ended the stream.
    private static func content(
        of answer: Response, over connection: inout Connection
    ) async throws(Problem) -> [UInt8] {
        guard case .stream(let stream) = answer.content else { return answer.body }
        let (content, _) = await connection.workWhilePeerIsConnected {
            do {
                return Result<[UInt8], Problem>.success(
                    try await stream.content(upTo: Agents.Limits.answerBytes))
            } catch {
                return .failure(error as? Problem ?? Self.unreadable)
            }
        }
        return try content.get()
    }

    private static let unreadable = Problem(
        status: .internalServerError, kind: "store-failed",
        detail: "The results could not be read to the end.")

    private static func type(of call: AgentCall) -> String? {
        if case .object = call.tool.way { "application/json" } else { nil }
    }

    /// Answers a request as if the agent had sent it to another route.
    ///
    /// - Parameter isAllowed: whether it may reach a route.
    private func ask(
        _ method: Request.Method, _ target: String, _ type: String?, _ body: [UInt8],
        isCallback: Bool = false, for agent: Request, over connection: inout Connection,
        where isAllowed: (Route) -> Bool
    ) async throws(Problem) -> Response {
        var fields: [(name: String, value: ArraySlice<UInt8>)] = [
            ("Host", agent.authority ?? Array("localhost".utf8)[...])
        ]
        if !isCallback {
            fields.append(("Accept", Array("application/json".utf8)[...]))
            if let token = agent.first(.authorization) { fields.append(("Authorization", token)) }
        }
        if let type { fields.append(("Content-Type", Array(type.utf8)[...])) }
        guard
            let request = connection.substitute(
                method, target, fields: fields, body: body, for: agent)
        else {
            throw Problem(
                status: .uriTooLong, kind: "invalid-arguments",
                detail: "The arguments are too long, or have characters that no URL may have.")
        }
        guard let (route, parameters) = try route(for: request, on: request.host),
            case .work(let work) = route.endpoint, isAllowed(route)
        else { throw .notFound }
        if let response = try check(request, at: route.endpoint) { return response }
        return await self.work(work, parameters, request, over: &connection)
    }

    // MARK: Trips

    /// Makes a round trip; the pauses of its scenario end when the agent goes.
    private func trip(
        _ plan: TripPlan, _ agent: Request, over connection: inout Connection
    ) async throws(Problem) -> Response {
        do throws(TripFailure) {
            let report = try await plan.run { step async throws(TripFailure) in
                let pause = step.after
                if pause > .zero {
                    let (_, ending) = await connection.whilePeerIsConnected {
                        try? await Task.sleep(for: pause)
                    }
                    guard ending == .finished else {
                        throw TripFailure("The agent has gone, or the server stops.")
                    }
                }
                do throws(Problem) {
                    let response = try await ask(
                        step.method == "POST" ? .post : .get, step.target, step.contentType,
                        step.body, isCallback: step.isCallback, for: agent, over: &connection
                    ) { step.mayReach($0.endpoint) }
                    return TripResponse(status: response.status.code, body: response.body)
                } catch {
                    throw TripFailure(
                        "\(step.method) \(step.target.prefix { $0 != "?" }): \(error.detail)")
                }
            }
            return ResultAPI.json(Array(report.document.utf8))
        } catch {
            throw Problem(
                status: .unprocessableContent, kind: "trip-failed", detail: error.description)
        }
    }
}

extension TripRequest {
    /// Whether an endpoint is what the request is for: a callback, whose URL the agent may choose,
    /// must not reach the API.
    fileprivate func mayReach(_ endpoint: Endpoint) -> Bool {
        guard case .work(let work) = endpoint else { return false }
        return switch (purpose, work) {
        case (.launch, .mintLaunch), (.opening, .emulate), (.opening, .rezolve),
            (.callback, .callbacks), (.callback, .receiver), (.flow, .query(.flow)):
            true
        default: false
        }
    }
}

extension TripPlan {
    /// Reads the arguments of `run_trip`.
    fileprivate init(_ arguments: [UInt8]) throws(Problem) {
        let members = try JSONMembers(
            arguments, known: ["vendor", "scenario", "seed", "inbox", "parameters"])
        guard let name = try members.text("vendor"), let contract = Contract(launching: name) else {
            let names =
                Vendor.launchable.map(\.rawValue) + Contract.launchable.map(\.rawValue)
            throw JSONMembers.refusal(
                "vendor", "Expected one of \(names.joined(separator: ", ")).")
        }
        let scenario =
            try EmulatorControls.scenario(members.text("scenario"), of: contract) ?? .completed
        do throws(ScenarioError) {
            try VendorApp.check(scenario, of: contract)
        } catch {
            throw Problem(error)
        }
        self.init(
            contract: contract, scenario: scenario,
            seed: try members.number("seed") ?? UInt64.random(in: VendorApp.seeds),
            inbox: try Inbox.name(in: members.text("inbox") ?? "trips"),
            parameters: try members.texts("parameters"))
    }
}
