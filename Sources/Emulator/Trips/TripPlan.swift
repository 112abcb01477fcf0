// A round trip without a phone: creates a launch, opens it at the emulator, follows the callbacks
// as a device would, and then queries the flow.
//
// A callback with a custom scheme opens the partner's app; here that app requests the server's
// receiver with the same query. Left out: how requests reach the server.

import JSON
import LinkPatterns
import ResultAPI
import Text
import Vendors

/// What a trip does.
package struct TripPlan: Sendable {
    package let contract: Contract
    package let scenario: Scenario
    package let seed: UInt64
    let inbox: String
    /// Parameters of the link; a sample's are added.
    var parameters: [(name: String, value: String)]

    package init(
        contract: Contract, scenario: Scenario, seed: UInt64, inbox: String,
        parameters: [(name: String, value: String)] = []
    ) {
        self.contract = contract
        self.scenario = scenario
        self.seed = seed
        self.inbox = inbox
        self.parameters = parameters
    }

    /// Sends one request of a trip, after its pause.
    package typealias Sender = (TripRequest) async throws(TripFailure) -> TripResponse

    /// Creates a launch, opens it, follows its callbacks and queries the flow.
    ///
    /// Throws a sentence if the server refuses, and what `send` throws.
    package func run(through send: Sender) async throws(TripFailure) -> TripReport {
        let parameters = linkParameters
        let minted = try await ask(
            TripRequest(.launch, APIPath.launches, order(parameters), "application/json"), send)
        guard let flow = minted["flow"]?.string, let url = minted["emulator_url"]?.string,
            let link = minted["url"]?.string
        else { throw TripFailure("The server's response to the launch can't be read.") }
        // Without a callback, the trip ends with the opening.
        let isLast = Launch.callbackParameter(of: contract) == nil
        let controls =
            isLast
            ? ""
            : "&\(EmulatorControls.scenarioName)=\(scenario.description.percentEncoded)"
                + "&\(EmulatorControls.seedName)=\(seed)"
        let opened = try await ask(TripRequest(.opening, Self.relative(url) + controls), send)
        // If the callback carries no flow of its own, the emulator's flow is used.
        let own = opened["flow"]?.string ?? flow
        var steps =
            isLast
            ? [TripStep(opening: url, outcome: opened["outcome"]?.string)]
            : (opened["callbacks"].map { Array($0.elements) } ?? []).compactMap(TripStep.init)
        let keys = contract.vendor.declaration.correlationKeys
        let hasKey = parameters.contains { keys.contains($0.name) }
        if !isLast { try await follow(&steps, of: own, hasKey: hasKey, send) }
        let result = try await ask(TripRequest(.flow, APIPath.flow(own)), send)
        return TripReport(plan: self, link: link, flow: own, steps: steps, found: result)
    }

    /// The parameters of the link; the server adds its own receiver as the callback.
    private var linkParameters: [Launch.Parameter] {
        let given = parameters.map { Launch.Parameter($0.name, $0.value) }
        let callbacks = Launch.callbackParameters(of: contract)
        // The number makes the visits of trips distinct.
        let sample = Launch.sample(
            contract, callback: "landfall-trip", number: UInt64.random(in: 0...999_999_999_999),
            besides: given)
        return sample.filter { contract.returnsToScheme || !callbacks.contains($0.name) } + given
    }

    /// The body that creates the launch.
    private func order(_ parameters: [Launch.Parameter]) -> [UInt8] {
        JSONWriter.object { json in
            json.member("contract", contract.rawValue)
            json.member("inbox", inbox)
            json.object("parameters") { json in
                for parameter in parameters { json.member(parameter.name, parameter.value) }
            }
        }
    }

    private func follow(
        _ steps: inout [TripStep], of flow: String, hasKey: Bool, _ send: Sender
    ) async throws(TripFailure) {
        var passed: Duration = .zero
        for (index, step) in steps.enumerated() {
            var request = TripRequest(
                .callback(isPosted: step.isPosted),
                LinkURL(step.url).isWebLink
                    ? Self.relative(step.url) : forwarded(step, of: flow, hasKey: hasKey),
                step.body, step.contentType)
            if step.after > passed {
                request.after = step.after - passed
                passed = step.after
            }
            let answer = try await send(request)
            let reported = (try? JSONDocument(parsing: answer.body).root)?["flow"]?.string
            steps[index].reply = (answer.status, reported)
        }
    }

    /// Where the partner's app forwards a callback with a custom scheme, with the same query.
    ///
    /// A callback that may not be decodable, or whose launch has none of the vendor's keys, names
    /// its flow in the path: its content could not identify it.
    private func forwarded(_ step: TripStep, of flow: String, hasKey: Bool) -> String {
        let isNamed = scenario.isMalformed || !hasKey && !step.isFormer
        let query = LinkURL(step.url).query.map { "?\($0)" } ?? ""
        let path = ReceiverPath.path(
            vendor: contract.vendor, inbox: inbox, flow: isNamed ? flow : nil)
        return path + query
    }

    /// Path and query of a URL, so that a server behind another name can be used.
    private static func relative(_ url: String) -> String {
        let url = LinkURL(url)
        return url.path + (url.query.map { "?\($0)" } ?? "")
    }

    private func ask(
        _ request: TripRequest, _ send: Sender
    ) async throws(TripFailure) -> JSONNode {
        let answer = try await send(request)
        let root = try? JSONDocument(parsing: answer.body).root
        if let root, answer.status == 200 || answer.status == 201 { return root }
        let detail = root?["detail"]?.string
        var sentence =
            "The server responded to \(request.method) \(request.target.prefix { $0 != "?" }) with "
            + "\(answer.status)\(detail.map { ": \($0)" } ?? ".")"
        for diagnostic in root?["diagnostics"].map({ Array($0.elements) }) ?? [] {
            guard let expected = diagnostic["expected"]?.string,
                let found = diagnostic["found"]?.string
            else { continue }
            let hint = diagnostic["hint"]?.string.map { "; \($0)" } ?? ""
            sentence += "\nexpected \(expected), found \(found)\(hint)"
        }
        for error in root?["errors"].map({ Array($0.elements) }) ?? [] {
            guard let detail = error["detail"]?.string else { continue }
            sentence += "\n\(error["name"]?.string ?? ""): \(detail)"
        }
        throw TripFailure(sentence, status: answer.status)
    }
}

/// A request of a trip to the server.
package struct TripRequest: Sendable {
    /// What a request is for.
    package enum Purpose: Sendable {
        case launch
        case opening
        case callback(isPosted: Bool)
        case flow
    }

    package let purpose: Purpose
    /// Path and query.
    package let target: String
    package let body: [UInt8]
    package let contentType: String?
    /// The pause before it.
    package var after = Duration.zero

    init(
        _ purpose: Purpose, _ target: String, _ body: [UInt8] = [], _ contentType: String? = nil
    ) {
        self.purpose = purpose
        self.target = target
        self.body = body
        self.contentType = contentType
    }

    /// GET or POST.
    package var method: String {
        switch purpose {
        case .launch, .callback(isPosted: true): "POST"
        case .opening, .flow, .callback(isPosted: false): "GET"
        }
    }

    /// Whether the vendor's app or the partner's sends it, which have no token.
    package var isCallback: Bool {
        if case .callback = purpose { true } else { false }
    }
}

/// The server's response to a request of a trip.
package struct TripResponse: Sendable {
    let status: Int
    let body: [UInt8]

    package init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }
}

/// Why a trip could not be made: a sentence, or nothing if the caller cancelled it.
package struct TripFailure: Error, CustomStringConvertible {
    package let description: String
    /// The status of the server's response; nil if there was none.
    package let status: Int?

    package init(_ description: String, status: Int? = nil) {
        self.description = description
        self.status = status
    }
}

/// A callback that the emulated app opens.
package struct TripStep: Sendable {
    let isPosted: Bool
    let url: String
    let contentType: String?
    let body: [UInt8]
    let after: Duration
    let outcome: String?
    /// Whether it belongs to another launch.
    let isFormer: Bool
    /// The receiver's response; nil if nothing was sent.
    package var reply: (status: Int, flow: String?)?

    /// A link that was already opened.
    init(opening url: String, outcome: String?) {
        (isPosted, self.url, contentType, body) = (false, url, nil, [])
        (after, self.outcome, isFormer) = (.zero, outcome, false)
    }

    /// Reads a callback of the emulator's plan; nil if it has no URL or time.
    package init?(_ node: JSONNode) {
        guard let url = node["url"]?.string, let wait = node["after_ms"]?.int else { return nil }
        isPosted = node["method"]?.string == "POST"
        self.url = url
        contentType = node["content_type"]?.string
        body = Array((node["body"]?.string ?? "").utf8)
        after = .milliseconds(wait)
        outcome = node["outcome"]?.string
        isFormer = node["former"]?.bool ?? false
    }
}
