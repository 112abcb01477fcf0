// A file of flows that a test runs: launches, what the vendor's app does, and what must arrive.
//
// Invariant: strict, like the configuration: an unknown or repeated key and a value that isn't
// possible are errors with their line. Left out: running the flows.

import ResultAPI
import ResultStore
import Text
import Vendors
import Yams

/// The content of a flow file.
package struct FlowFile: Sendable {
    /// The inbox of all flows.
    package let inbox: String
    /// The port of the server that is started for the file; 0 for any free one.
    package let port: UInt16
    package let flows: [ExpectedFlow]

    /// Reads a file's text.
    ///
    /// - Parameter name: the file, for errors.
    package init(yaml text: String, file name: String) throws(FlowFileError) {
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch {
            throw FlowFileError(yaml: error, file: name)
        }
        guard let root else {
            throw FlowFileError(file: name, line: 1, expected: "flows: and a list")
        }
        var section = try FlowSection(root, file: name)
        inbox =
            try section.text("inbox", expected: Inbox.rule) { Inbox.isValid($0) ? $0 : nil }
            ?? "test"
        port =
            try section.text(
                "port", expected: "a number from 0 to 65535, in digits without leading zeros"
            ) { UInt16(decimal: $0) } ?? 0
        guard let nodes = try section.list("flows"), !nodes.isEmpty else {
            throw section.error("flows: and a list of at least one flow")
        }
        try section.refuseOthers()
        var flows: [ExpectedFlow] = []
        for node in nodes {
            let flow = try ExpectedFlow(node, file: name)
            if flows.contains(where: { $0.name == flow.name }) {
                throw FlowFileError(
                    file: name, line: flow.line, expected: "names that differ; this one is repeated"
                )
            }
            flows.append(flow)
        }
        self.flows = flows
    }
}

/// One flow of a file.
package struct ExpectedFlow: Sendable {
    package let name: String
    /// Where the flow begins in the file, from 1.
    package let line: Int
    package let contract: Contract
    package let scenario: Scenario
    /// Selects the values; 1 if the file names none, so that runs are alike.
    package let seed: UInt64
    /// Parameters of the launch that replace the sample's.
    package let parameters: [(name: String, value: String)]
    /// What must be true of the flow in the end.
    package let expectations: [Expectation]

    /// A value that a flow must have.
    package struct Expectation: Sendable {
        /// Members from the root of the flow or of its last callback's value, with dots.
        let path: String
        /// The text of a scalar; nil for a value that is null or absent.
        package let value: String?
        let line: Int
    }

    init(_ node: Node, file: String) throws(FlowFileError) {
        line = node.mark?.line ?? 1
        var section = try FlowSection(node, file: file)
        let launch = try section.required(
            "launch", "one of \(Self.launches.joined(separator: ", "))"
        ) {
            name in
            Self.launches.contains(name) ? Contract(launching: name) : nil
        }
        contract = launch
        var reason = "a scenario of \(launch.rawValue)"
        scenario =
            try section.text("scenario", expected: reason) { (text) -> Scenario? in
                do throws(ScenarioError) {
                    let scenario = try Scenario(parsing: text, of: launch)
                    try VendorApp.check(scenario, of: launch)
                    return scenario
                } catch {
                    reason = "\(error)"
                    return nil
                }
            } ?? .completed
        name =
            try section.text("name", expected: "a text") { $0.isEmpty ? nil : $0 }
            ?? "\(launch.rawValue) \(scenario)"
        seed = try section.text("seed", expected: "a whole number") { UInt64($0) } ?? 1
        var parameters: [(name: String, value: String)] = []
        for (key, value, place) in try section.scalars("parameters") ?? [] {
            guard let value else {
                throw FlowFileError(file: file, line: place, expected: "a value of \(key)")
            }
            parameters.append((key, value))
        }
        self.parameters = parameters
        expectations = try Self.expectations(&section, file)
        try section.refuseOthers()
    }

    private static let launches =
        Vendor.launchable.map(\.rawValue) + Contract.launchable.map(\.rawValue)

    private static func expectations(
        _ section: inout FlowSection, _ file: String
    ) throws(FlowFileError) -> [Expectation] {
        guard var expect = try section.section("expect") else { return [] }
        var expectations: [Expectation] = []
        func choice(_ key: String, _ values: [String]) throws(FlowFileError) {
            let list = values.joined(separator: ", ")
            guard let node = expect.node(key) else { return }
            let value = node.isNull ? nil : node.scalar?.string
            guard node.isNull || values.contains(value ?? "") else {
                throw FlowFileError(
                    file: file, line: node.mark?.line ?? 1, expected: "\(key): one of \(list)")
            }
            expectations.append(
                Expectation(path: key, value: value, line: node.mark?.line ?? 1))
        }
        try choice("outcome", Outcome.allCases.map(\.rawValue))
        try choice("verdict", Verdict.allCases.map(\.rawValue))
        try choice("state", Flow.State.allCases.map(\.rawValue))
        if let node = expect.node("callbacks") {
            guard let count = node.scalar.flatMap({ Int($0.string) }), count >= 0 else {
                throw FlowFileError(
                    file: file, line: node.mark?.line ?? 1, expected: "callbacks: a whole number")
            }
            expectations.append(
                Expectation(path: "callbacks", value: "\(count)", line: node.mark?.line ?? 1))
        }
        for (key, value, line) in try expect.scalars("result") ?? [] {
            expectations.append(Expectation(path: "result.\(key)", value: value, line: line))
        }
        try expect.refuseOthers()
        return expectations
    }
}
