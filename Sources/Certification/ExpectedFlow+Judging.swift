// Compares a flow as the server reports it with what a file expects.

import JSON

extension ExpectedFlow {
    /// The deviations, one sentence each.
    ///
    /// - Parameter flow: `GET /api/v1/flows/{id}`.
    package func problems(in flow: JSONNode) -> [String] {
        let callbacks = (flow["messages"].map { Array($0.elements) } ?? []).filter {
            $0["kind"]?.string == "callback"
        }
        let last = callbacks.last?["record"]
        return expectations.compactMap { expectation in
            let found: JSONNode? =
                switch expectation.path {
                case "outcome", "state", "callbacks": flow[expectation.path]
                case "verdict": last?["verdict"]
                default: Self.value(at: expectation.path, in: last)
                }
            let text = found.flatMap(Self.text)
            if text == expectation.value { return nil }
            return "line \(expectation.line): \(expectation.path) is \(text ?? "null"); "
                + "expected \(expectation.value ?? "null")"
        }
    }

    /// The value at members with dots; a number selects an element.
    private static func value(at path: String, in record: JSONNode?) -> JSONNode? {
        var node = record
        for name in path.split(separator: ".") {
            guard let parent = node else { return nil }
            if parent.kind == .array {
                node = Int(name).flatMap { parent[$0] }
            } else {
                node = parent[String(name)]
            }
        }
        return node
    }

    /// A scalar as a file writes it, anything else as JSON; nil for null.
    private static func text(_ node: JSONNode) -> String? {
        switch node.kind {
        case .null: nil
        case .string: node.string
        default: String(decoding: node.text, as: UTF8.self)
        }
    }
}
