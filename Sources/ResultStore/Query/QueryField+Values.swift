// What values a field has: the parser reads them by it, and clients suggest them by it.

/// The type of the values that a query compares a field with.
package enum QueryType: String, Sendable {
    /// A whole number.
    case integer
    case number
    /// A time, relative or absolute.
    case time
    case text
    /// `true` or `false`.
    case flag

    /// Whether values can be compared by order, and be in a range.
    package var isOrdered: Bool {
        switch self {
        case .integer, .number, .time: true
        case .text, .flag: false
        }
    }
}

extension QueryField {
    /// The type of the field's values.
    ///
    /// O(fields).
    package func type(in catalog: FieldCatalog) -> QueryType {
        switch self {
        case .seq, .answered: return .integer
        case .receivedAt: return .time
        case .result(let name):
            switch catalog.kind(of: name) {
            case .number: return .number
            case .flag: return .flag
            case .text, nil: return .text
            }
        default: return .text
        }
    }

    /// The only values that the field can have; nil if they are unlimited.
    package func choices(in catalog: FieldCatalog) -> [String]? {
        switch self {
        case .kind: RecordKind.allCases.map(\.rawValue)
        case .vendor: catalog.vendors
        case .contract: catalog.contracts
        case .outcome: catalog.outcomes
        case .verdict: catalog.verdicts
        case .result: type(in: catalog) == .flag ? ["true", "false"] : nil
        default: nil
        }
    }

    /// What the field is, for people; nil for declared members of the result.
    package var explanation: String? {
        switch self {
        case .id: "The record's UUID."
        case .seq: "The record's number in this store; later records have higher ones."
        case .receivedAt: "When the record was received: a time, a day, or a span such as -15m."
        case .kind: "What the record is; lists show callbacks unless it is asked for."
        case .inbox: "The inbox that the callback's path names."
        case .vendor: "The vendor whose contracts decode the callback."
        case .contract: "The version of the vendor's wire format."
        case .outcome: "What the vendor says happened."
        case .verdict: "How well the callback could be decoded."
        case .flow: "The launch that the callback answers."
        case .method: "The request's method."
        case .host: "The request's host, without port."
        case .path: "The request's path, without query."
        case .trace: "The trace id of the request's traceparent field."
        case .answered: "The status that a receiver with an answer of its own sent."
        case .parameter: "What the path of the receiver's pattern captured under NAME."
        case .result: nil
        }
    }
}
