// The fields that a query can name. Invariant: a field has the same name here, in the record's line
// and in the API.

/// A field of a record that a query can compare.
package enum QueryField: Sendable {
    case id
    case seq
    case receivedAt
    case kind
    case inbox
    case vendor
    case contract
    case outcome
    case verdict
    case flow
    case method
    case host
    case path
    /// The trace that the request belongs to.
    case trace
    /// The status that a receiver with an answer of its own sent.
    case answered
    /// A parameter that the receiver's path captured, without `parameter.`.
    case parameter(String)
    /// A declared member of the result, without `result.`.
    case result(String)
}

extension QueryField {
    /// All fields that are neither members of the result nor parameters of paths.
    package static let own: [QueryField] = [
        .id, .seq, .receivedAt, .kind, .inbox, .vendor, .contract, .outcome, .verdict, .flow,
        .method, .host, .path, .trace, .answered,
    ]

    /// The field as queries write it, such as `received_at` or `result.stress`.
    package var name: String {
        switch self {
        case .id: "id"
        case .seq: "seq"
        case .receivedAt: "received_at"
        case .kind: "kind"
        case .inbox: "inbox"
        case .vendor: "vendor"
        case .contract: "contract"
        case .outcome: "outcome"
        case .verdict: "verdict"
        case .flow: "flow"
        case .method: "method"
        case .host: "host"
        case .path: "path"
        case .trace: "trace"
        case .answered: "answered"
        case .parameter(let name): Self.parameterPrefix + name
        case .result(let name): Self.resultPrefix + name
        }
    }

    /// The prefix of parameters of paths.
    static let parameterPrefix = "parameter."

    /// The prefix of declared members of the result.
    static let resultPrefix = "result."
}
