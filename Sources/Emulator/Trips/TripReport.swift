// The result of a trip: its timeline, and whether it ended as the scenario says.

import JSON
import ResultAPI
import ResultStore
import Text
import Vendors

/// One finished trip.
package struct TripReport: Sendable {
    package let plan: TripPlan
    /// The vendor's launch link, without credentials.
    package let link: String
    package let flow: String
    package let found: JSONNode
    /// Deviations from the scenario, one sentence each.
    package let problems: [String]

    /// - Parameter found: the flow as the server reports it.
    package init(
        plan: TripPlan, link: String, flow: String, steps: [TripStep], found: JSONNode
    ) {
        self.plan = plan
        self.link = String(decoding: Redaction.redactTarget(Array(link.utf8)), as: UTF8.self)
        self.flow = flow
        self.found = found
        problems =
            Self.problems(plan, steps.filter { !$0.isFormer }, found)
            + steps.compactMap { Self.problem(with: $0, plan, of: flow) }
    }

    /// Compares the flow with what the vendor's app sent for this launch.
    private static func problems(
        _ plan: TripPlan, _ steps: [TripStep], _ found: JSONNode
    ) -> [String] {
        var problems: [String] = []
        let finals = steps.filter { $0.outcome != Outcome.inProgress.rawValue }
        let expected: Flow.State =
            finals.isEmpty ? .launched : finals.count == 1 ? .returned : .duplicate
        let state = found["state"]?.string ?? "nothing"
        if state != expected.rawValue {
            problems.append("The flow is \(state); expected \(expected.rawValue).")
        }
        let count = found["callbacks"]?.int ?? 0
        if count != steps.count {
            problems.append("\(count.counted("callback")) arrived; \(steps.count) were sent.")
        }
        guard let first = finals.first else { return problems }
        problems += outcomeProblems(plan, first, found)
        if let wait = steps.last?.after, let latency = found["latency_ms"]?.int,
            case .delayed = plan.scenario, .milliseconds(latency) < wait
        {
            problems.append("The callback took \(latency) ms, less than its delay.")
        }
        return problems
    }

    /// Whether the vendor's link has no callback.
    package var isLinkAlone: Bool { Launch.callbackParameter(of: plan.contract) == nil }

    /// Compares the blamed layer, or outcome and error, with what was sent.
    private static func outcomeProblems(
        _ plan: TripPlan, _ sent: TripStep, _ found: JSONNode
    ) -> [String] {
        let callbacks = callbacks(in: found)
        if case .malformed(let layer) = plan.scenario {
            let blamed = callbacks.compactMap { firstFinding($0)?["layer"]?.string }.first
            if blamed == layer.rawValue { return [] }
            return ["The layer \(blamed ?? "none") is reported; \(layer.rawValue) is broken."]
        }
        guard found["outcome"]?.string == sent.outcome else {
            return [
                "The outcome is \(found["outcome"]?.string ?? "unknown"); "
                    + "\(sent.outcome ?? "none") was sent."
            ]
        }
        guard case .error(let code) = plan.scenario,
            let name = VendorApp.errorName(code, of: plan.contract)
        else { return [] }
        let value = callbacks.first?["record"]?["result"]
        let reported = value?[VendorApp.errorMember(of: plan.contract)]?.string
        return reported == name ? [] : ["The error is \(reported ?? "unknown"); \(name) was sent."]
    }

    /// The deviation in how a callback was received; nil if there is none, or if it was not sent.
    private static func problem(with step: TripStep, _ plan: TripPlan, of flow: String) -> String? {
        guard let (status, reported) = step.reply else { return nil }
        let mayBeBroken = plan.scenario.isMalformed || step.outcome == nil
        guard status == 201 || status == 422 && mayBeBroken else {
            return "A callback got the response \(status)."
        }
        return step.isFormer && reported == flow
            ? "The callback of an earlier launch arrived in this flow." : nil
    }

    private static func callbacks(in flow: JSONNode) -> [JSONNode] {
        (flow["messages"].map { Array($0.elements) } ?? []).filter {
            $0["kind"]?.string == RecordKind.callback.rawValue
        }
    }

    /// The first error of a message, or else the first warning.
    package static func firstFinding(_ message: JSONNode) -> JSONNode? {
        let findings = message["record"]?["diagnostics"].map { Array($0.elements) } ?? []
        return findings.first { $0["severity"]?.string == "error" }
            ?? findings.first { $0["severity"]?.string == "warning" }
    }

    /// The report as one JSON object.
    package var document: String {
        JSONWriter.text { json in
            json.member("vendor", plan.contract.vendor.rawValue)
            json.member("contract", plan.contract.rawValue)
            json.member("scenario", plan.scenario.description)
            json.member("seed", "\(plan.seed)")
            json.member("ok", problems.isEmpty)
            json.member("problems", problems)
            json.member("url", link)
            json.member("flow", raw: Array(found.text))
        }
    }
}
