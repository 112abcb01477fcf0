// The device of a round trip: it opens the launch at the emulator, follows the callbacks, and then
// queries the flow.
//
// A callback with a custom scheme opens the partner's app; here that app requests the server's
// receiver with the same query.

import AppLinks
import Foundation
import HTTPClient
import JSON
import Text
import Vendors

/// What a trip does.
struct TripPlan: Sendable {
    let contract: Contract
    let scenario: Scenario
    let seed: UInt64
    let inbox: String
    /// Parameters of the launch that replace the sample's, or are added to them.
    var parameters: [(name: String, value: String)] = []
}

/// Makes trips to one server, one after the other.
struct TripRunner: Sendable {
    private let server: String
    private let token: String?
    private let authorities: [UInt8]?

    init(_ server: String, token: String?, trusting authorities: [UInt8]?) {
        self.server = server.hasSuffix("/") ? String(server.dropLast()) : server
        self.token = token
        self.authorities = authorities
    }

    /// Creates a launch, opens it, follows its callbacks and queries the flow.
    ///
    /// Throws a sentence if the server can't be reached or refuses.
    func run(_ plan: TripPlan) async throws(CommandFailure) -> TripReport {
        let minted = try await mint(plan)
        guard let flow = minted["flow"]?.string, let url = minted["emulator_url"]?.string,
            let link = minted["url"]?.string
        else { throw CommandFailure("The server's response to the launch can't be read.") }
        // Without a callback, the trip ends with the opening.
        let isLast = Launch.callbackParameter(of: plan.contract) == nil
        let scenario = plan.scenario.description.percentEncoded
        let controls = isLast ? "" : "&scenario=\(scenario)&seed=\(plan.seed)"
        let opened = try await ask(.get, relative(url) + controls, expecting: isLast ? 201 : 200)
        // If the callback carries no flow of its own, the emulator's flow is used.
        let own = opened["flow"]?.string ?? flow
        var steps =
            isLast
            ? [Step(opening: url, outcome: opened["outcome"]?.string)]
            : (opened["callbacks"].map { Array($0.elements) } ?? []).compactMap(Step.init)
        if !isLast { try await follow(&steps, of: own, plan) }
        let result = try await ask(.get, "/api/v1/flows/\(own)", expecting: 200)
        return TripReport(plan: plan, link: link, flow: own, steps: steps, found: result)
    }

    /// A callback that the emulated app opens.
    struct Step: Sendable {
        let method: ClientRequest.Method
        let url: String
        let contentType: String?
        let body: [UInt8]
        let after: Duration
        let outcome: String?
        /// Whether it belongs to another launch.
        let isFormer: Bool
        /// The receiver's response; nil if nothing was sent.
        var reply: (status: Int, flow: String?)?

        /// A link that was already opened.
        init(opening url: String, outcome: String?) {
            (method, self.url, contentType, body) = (.get, url, nil, [])
            (after, self.outcome, isFormer) = (.zero, outcome, false)
        }

        init?(_ node: JSONNode) {
            guard let url = node["url"]?.string, let wait = node["after_ms"]?.int else {
                return nil
            }
            method = node["method"]?.string == "POST" ? .post : .get
            self.url = url
            contentType = node["content_type"]?.string
            body = Array((node["body"]?.string ?? "").utf8)
            after = .milliseconds(wait)
            outcome = node["outcome"]?.string
            isFormer = node["former"]?.bool ?? false
        }
    }

    private func mint(_ plan: TripPlan) async throws(CommandFailure) -> JSONNode {
        // The server uses its own receiver as the callback.
        let launch: Launch
        do throws(LaunchError) {
            launch = try Launch.sample(plan.contract, callback: "landfall-trip:", number: number)
        } catch {
            throw CommandFailure("\(error)")
        }
        var json = JSONWriter()
        json.object { json in
            json.member("contract", plan.contract.rawValue)
            json.member("inbox", plan.inbox)
            json.key("parameters")
            json.object { json in
                let callbacks = Launch.callbackParameters(of: plan.contract)
                for parameter in launch.parameters {
                    if plan.parameters.contains(where: { $0.name == parameter.name }) { continue }
                    if !plan.contract.returnsToScheme, callbacks.contains(parameter.name) {
                        continue
                    }
                    json.member(parameter.name, parameter.value)
                }
                for parameter in plan.parameters { json.member(parameter.name, parameter.value) }
            }
        }
        return try await ask(.post, "/api/v1/launches", json.bytes, expecting: 201)
    }

    /// Makes the visits of trips distinct.
    private var number: UInt64 { UInt64.random(in: 0...999_999_999_999) }

    private func follow(
        _ steps: inout [Step], of flow: String, _ plan: TripPlan
    ) async throws(CommandFailure) {
        var passed: Duration = .zero
        for (index, step) in steps.enumerated() {
            if step.after > passed {
                try? await Task.sleep(for: step.after - passed)
                if Task.isCancelled { throw .exit(Exit.no) }
                passed = step.after
            }
            var request: ClientRequest
            if LinkURL(step.url).isWebLink {
                request = ClientRequest(step.method, server + relative(step.url))
                if let type = step.contentType { request.fields.append(("Content-Type", type)) }
                if !step.body.isEmpty { request.body = .bytes(step.body) }
            } else {
                request = forwarded(step, of: flow, plan)
            }
            request.authorities = authorities
            let answer = try await send(request)
            let reported = (try? JSONDocument(parsing: answer.body).root)?["flow"]?.string
            steps[index].reply = (Int(answer.status), reported)
        }
    }

    /// A callback with a custom scheme, forwarded as the partner's app does, with the same query.
    ///
    /// A callback that may not be decodable names its flow in the path: its content could not
    /// identify it.
    private func forwarded(_ step: Step, of flow: String, _ plan: TripPlan) -> ClientRequest {
        var place = plan.inbox
        if case .malformed = plan.scenario { place += "/\(flow)" }
        let receiver = "\(server)/callbacks/\(plan.contract.vendor.rawValue)/\(place)"
        let query = LinkURL(step.url).query.map { "?\($0)" } ?? ""
        var request = ClientRequest(step.method, receiver + query)
        if let type = step.contentType { request.fields.append(("Content-Type", type)) }
        if !step.body.isEmpty { request.body = .bytes(step.body) }
        return request
    }

    /// Path and query of a URL, so that a server behind another name can be used.
    private func relative(_ url: String) -> String {
        let url = LinkURL(url)
        return url.path + (url.query.map { "?\($0)" } ?? "")
    }

    private func ask(
        _ method: ClientRequest.Method, _ target: String, _ body: [UInt8] = [],
        expecting status: Int
    ) async throws(CommandFailure) -> JSONNode {
        var request = ClientRequest(
            method, server + target, fields: [("Accept", "application/json")],
            trusting: authorities)
        if let token { request.fields.append(("Authorization", "Bearer \(token)")) }
        if !body.isEmpty {
            request.fields.append(("Content-Type", "application/json"))
            request.body = .bytes(body)
        }
        let answer = try await send(request)
        guard answer.status == status, let root = try? JSONDocument(parsing: answer.body).root
        else {
            let detail = (try? JSONDocument(parsing: answer.body).root)?["detail"]?.string
            throw CommandFailure(
                "The server responded to \(method.rawValue) \(target.prefix { $0 != "?" }) with "
                    + "\(answer.status)\(detail.map { ": \($0)" } ?? ".")")
        }
        return root
    }

    private func send(_ request: ClientRequest) async throws(CommandFailure) -> ClientResponse {
        do throws(ClientError) {
            return try await Client.send(request)
        } catch {
            throw CommandFailure("\(error)")
        }
    }
}
