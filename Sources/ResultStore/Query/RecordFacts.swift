// The queryable facts of a record. They are made once for each record, then given to the index and
// to subscriptions. Left out: the record's line.
//
// Invariant: what doesn't depend on the record's place in the store is shared by all copies, because
// facts pass from thread to thread, and a copy of all of them would count a dozen references.

import Clocks

/// The queryable facts of a record.
package struct RecordFacts: Sendable, Equatable {
    /// The facts that a record has before it has an id and a number.
    private struct Content: Equatable {
        var kind: RecordKind
        var inbox: String
        var vendor: String
        var contract: String?
        var outcome: String?
        var verdict: String
        var flow: String?
        var answered: Int?
        var method: String
        var host: String
        var path: String
        var trace: String?
        var parameters: [String: String]
        var fields: FieldValues
        var words: String
    }

    private final class Shared: Sendable {
        let content: Content

        init(_ content: Content) { self.content = content }
    }

    /// The record's `seq`.
    package var sequence: Int
    package var id: RecordID
    package var receivedAt: Timestamp
    private var shared: Shared

    /// Makes facts of their parts.
    package init(
        sequence: Int, id: RecordID, receivedAt: Timestamp, kind: RecordKind = .callback,
        inbox: String, vendor: String, contract: String?, outcome: String?, verdict: String,
        flow: String?, answered: Int? = nil, method: String, host: String, path: String,
        trace: String? = nil, parameters: [String: String] = [:], fields: FieldValues, words: String
    ) {
        self.sequence = sequence
        self.id = id
        self.receivedAt = receivedAt
        shared = Shared(
            Content(
                kind: kind, inbox: inbox, vendor: vendor, contract: contract, outcome: outcome,
                verdict: verdict, flow: flow, answered: answered, method: method, host: host,
                path: path, trace: trace, parameters: parameters, fields: fields, words: words))
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.sequence == right.sequence && left.id == right.id
            && left.receivedAt == right.receivedAt && left.content == right.content
    }

    private var content: Content {
        get { shared.content }
        set { shared = Shared(newValue) }
    }
}

extension RecordFacts {
    package var kind: RecordKind {
        get { shared.content.kind }
        set { content.kind = newValue }
    }

    package var inbox: String {
        get { shared.content.inbox }
        set { content.inbox = newValue }
    }

    package var vendor: String {
        get { shared.content.vendor }
        set { content.vendor = newValue }
    }

    package var contract: String? {
        get { shared.content.contract }
        set { content.contract = newValue }
    }

    package var outcome: String? {
        get { shared.content.outcome }
        set { content.outcome = newValue }
    }

    package var verdict: String {
        get { shared.content.verdict }
        set { content.verdict = newValue }
    }

    package var flow: String? {
        get { shared.content.flow }
        set { content.flow = newValue }
    }

    /// The status that a receiver with an answer of its own sent.
    package var answered: Int? {
        get { shared.content.answered }
        set { content.answered = newValue }
    }

    package var method: String {
        get { shared.content.method }
        set { content.method = newValue }
    }

    /// In lowercase, without the port.
    package var host: String {
        get { shared.content.host }
        set { content.host = newValue }
    }

    /// The target's path, up to its `?`.
    package var path: String {
        get { shared.content.path }
        set { content.path = newValue }
    }

    /// The trace id of the request's `traceparent`.
    package var trace: String? {
        get { shared.content.trace }
        set { content.trace = newValue }
    }

    /// What the receiver's path captured, by name.
    package var parameters: [String: String] {
        get { shared.content.parameters }
        set { content.parameters = newValue }
    }

    /// The declared fields of the result.
    package var fields: FieldValues {
        get { shared.content.fields }
        set { content.fields = newValue }
    }

    /// Folded words, separated by single spaces; see `Words`.
    package var words: String {
        get { shared.content.words }
        set { content.words = newValue }
    }
}
