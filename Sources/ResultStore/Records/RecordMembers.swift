// The names of members, for everything that selects or checks them by name.

/// What a record consists of.
package enum RecordMembers {
    /// The members of a record without its checksum, in their order; some are optional.
    package static let names = [
        "id", "seq", "kind", "received_at", "redecoded_at", "inbox", "vendor", "contract",
        "outcome", "verdict", "flow", "fell_through", "link", "answer", "request", "result",
        "diagnostics",
    ]

    /// The members of `request`, in their order; some are optional.
    package static let requestNames = [
        "method", "scheme", "host", "target", "version", "peer", "headers", "body", "masked",
        "pinned", "trace", "parameters", "delivery", "batch",
    ]
}
