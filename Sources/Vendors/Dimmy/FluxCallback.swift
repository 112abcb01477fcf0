// Flux's callback as a typed value (vendor document 1.2). Invariant: reading the output of
// `callbackQuery` gives the same value.

import JSON

/// How a Flux flow ended.
public struct FluxCallback: Sendable, Equatable {
    /// The end of a flow.
    public enum Result: Sendable, Equatable {
        /// The flow was finished.
        case completed(ScannedItem)
        /// The operator cancelled it.
        case cancelled
        /// It could not be started: `invalid_request`, `not_logged_in`, `flow_unavailable`, or a
        /// reason that the contract doesn't have; never empty.
        ///
        /// `unknown` if Flux gives none.
        case error(reason: String)
    }

    /// How the flow ended.
    public var result: Result

    /// The partner's own parameters in the callback's query, by name; each name once, and none of
    /// `status`, `response` and `error`.
    public var context: [String: String]

    /// Creates a callback.
    public init(_ result: Result, context: [String: String] = [:]) {
        self.result = result
        self.context = context
    }

    /// Reads the value of a decoded callback; nil if it is not a Flux callback.
    public init?(_ decoding: Decoding) {
        guard decoding.contract == .flux, let root = decoding.document?.root else { return nil }
        switch decoding.outcome {
        case .completed:
            guard let item = root["item"] else { return nil }
            result = .completed(ScannedItem(reading: item[0] ?? item, usually: .camelCase))
        case .cancelled: result = .cancelled
        case .error: result = .error(reason: root["error"]?.string ?? "unknown")
        case .inProgress, .empty, nil: return nil
        }
        context = root.strings(in: "context")
    }

    /// The callback's own parameters, and those that Flux appends: `status` with `response` in
    /// base64url without padding, or with `error`.
    public var callbackQuery: [UInt8] {
        var query = QueryWriter()
        for (name, value) in context.sorted(by: { $0.key < $1.key }) { query.add(name, value) }
        switch result {
        case .completed(let item):
            query.add("status", "completed")
            query.add(
                "response", escaped: Base64Text.encode(item.json(as: .camelCase), urlSafe: true))
        case .cancelled: query.add("status", "cancelled")
        case .error(let reason):
            query.add("status", "error")
            query.add("error", reason)
        }
        return query.bytes
    }
}
