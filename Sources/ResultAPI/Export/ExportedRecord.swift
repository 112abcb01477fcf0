// The parsed text of a stored record, for all export formats.
//
// Invariant: a value exists only for text with every member that the store and `RecordRequest`
// write. Left out: validation of the members' values; see `RecordImport`.

import Clocks
import JSON
import ResultStore

/// The members of one stored record.
struct ExportedRecord {
    let id: String
    let sequence: Int
    let kind: String
    let receivedAt: Timestamp
    let inbox: String
    let vendor: String
    let contract: String?
    let outcome: String?
    let verdict: String
    let flow: String?
    /// The status that a receiver with an answer of its own sent.
    let answered: Int?
    package let request: StoredRequest
    /// Any JSON value, `null` included.
    let result: JSONNode
    /// What happened, in one line; nil in a text that doesn't say.
    let summary: String?
    /// The codes of the diagnostics, in order.
    let diagnosticCodes: [String]

    /// Parses the text of a record, with or without its checksum; nil if a member is missing or has
    /// another type.
    ///
    /// O(size).
    init?(_ text: [UInt8]) {
        guard let root = try? JSONDocument(parsing: text).root,
            let id = root["id"]?.string, let sequence = root["seq"]?.int,
            let receivedAt = root["received_at"]?.string.flatMap({ Timestamp($0.utf8) }),
            let kind = root["kind"]?.string, let inbox = root["inbox"]?.string,
            let vendor = root["vendor"]?.string,
            let verdict = root["verdict"]?.string,
            let request = root["request"].flatMap({ StoredRequest($0) }),
            let result = root["result"], let diagnostics = root["diagnostics"],
            diagnostics.kind == .array
        else { return nil }
        self.id = id
        self.sequence = sequence
        self.kind = kind
        self.receivedAt = receivedAt
        self.inbox = inbox
        self.vendor = vendor
        contract = root["contract"]?.string
        outcome = root["outcome"]?.string
        self.verdict = verdict
        flow = root["flow"]?.string
        answered = root["answer"].flatMap { AnswerNote($0) }?.status
        self.request = request
        self.result = result
        summary = root["summary"]?.string
        diagnosticCodes = diagnostics.elements.compactMap { $0["code"]?.string }
    }

    /// The value of a declared field as text; nil if the record's vendor doesn't declare it, and if
    /// it is missing or `null`.
    ///
    /// Of several paths, the first that exists is used. O(members on the path).
    func text(of field: FieldCatalog.Field) -> String? {
        guard field.vendor == vendor else { return nil }
        for path in field.paths {
            var node: JSONNode? = result
            for name in path { node = node?[name] ?? Int(name).flatMap { node?[$0] } }
            guard let node else { continue }
            switch node.kind {
            case .null: return nil
            case .string: return node.string
            case .number, .boolean, .array, .object: return Self.compact(node)
            }
        }
        return nil
    }

    /// A value as JSON text without whitespace.
    static func compact(_ node: JSONNode) -> String {
        String(decoding: node.compactText, as: UTF8.self)
    }
}
