// Decodes stored requests again with the current decoders.
//
// Invariant: a stored line never changes. Applying a new decoding appends a line with the same id
// and a new sequence number; queries return the newest. Offsets in diagnostics are not compared:
// they refer to the received bytes, and credentials have been redacted since.

import Clocks
import JSON
import ResultStore
import Vendors

/// A stored record and the record that its request gives now.
struct Redecoding {
    /// One difference.
    struct Change: Sendable, Equatable {
        /// `contract`, `outcome`, `verdict`, `diagnostics`, or a JSON pointer into the record that
        /// begins with `/result`.
        let place: String
        /// JSON text, shortened; nil for a missing value.
        let old: String?
        let new: String?
    }

    let id: RecordID
    let sequence: Int
    let vendor: Vendor
    let changes: [Change]
    /// The record with its new decoding.
    let record: NewRecord

    /// Decodes the request of a record again; nil if it can't be read.
    ///
    /// O(size).
    init?(_ text: [UInt8], at now: Timestamp) {
        guard let root = try? JSONDocument(parsing: text).root,
            let id = root["id"]?.string.flatMap({ RecordID($0) }),
            let sequence = root["seq"]?.int, let inbox = root["inbox"]?.string,
            let receivedAt = root["received_at"]?.string.flatMap({ Timestamp($0.utf8) }),
            let vendor = root["vendor"]?.string.flatMap({ Vendor(rawValue: $0) }),
            let request = root["request"], let callback = StoredRequest(request)?.callback,
            let sent = RecordRequest(json: Array(request.text))
        else { return nil }
        self.id = id
        self.sequence = sequence
        self.vendor = vendor
        let decoding = Decoding(
            of: callback, from: vendor,
            contract: request["pinned"]?.string.flatMap { Contract(rawValue: $0) })
        var record = CallbackRecord(
            decoding, receivedAt: receivedAt, inbox: inbox, vendor: vendor, request: sent
        ).record
        (record.id, record.redecodedAt, record.replaces) = (id, now, sequence)
        (record.flow, record.link) = (root["flow"]?.string, Self.link(of: root))
        record.answer = root["answer"].flatMap { AnswerNote($0) }
        if RecordDiagnostics.isRefused(root), decoding.verdict == .decoded {
            record.verdict = Verdict.decodedWithWarnings.rawValue
        }
        record.diagnostics = Self.diagnostics(decoding.diagnostics, and: root["diagnostics"])
        self.record = record
        // Launches and deliveries are not callbacks. For a masked value, defects of the received
        // bytes are lost: the earlier decoding can't be repeated and is kept.
        let isCallback = root["kind"]?.string == RecordKind.callback.rawValue
        let masked = request["masked"]?.string
        changes =
            !isCallback || Self.isEmulated(vendor, root["result"])
                || masked == Masking.Extent.beyondDecoding.rawValue
            ? [] : Self.changes(from: root, to: record)
    }

    /// The diagnostics of a decoder, and those stored before that no decoder gives: that a delivery
    /// was refused, which comes first, and those about flows.
    private static func diagnostics(
        _ decoded: [Diagnostic], and stored: JSONNode?
    ) -> RecordDiagnostics {
        var diagnostics = RecordDiagnostics()
        let stored = stored.map { Array($0.elements) } ?? []
        func keep(_ isKept: (String) -> Bool) {
            for diagnostic in stored {
                guard let code = diagnostic["code"]?.string, isKept(code) else { continue }
                diagnostics.append(code: code) { $0.raw(diagnostic.text) }
            }
        }
        keep { $0 == RecordDiagnostics.refusedCode }
        for diagnostic in decoded { diagnostics.append(code: diagnostic.code, diagnostic.write) }
        keep { FlowMembership.codes.contains($0) }
        return diagnostics
    }

    /// Whether the sandbox has added findings, from keys, clock and fixtures that no decoder has.
    static func isEmulated(_ vendor: Vendor?, _ result: JSONNode?) -> Bool {
        guard let member = vendor?.declaration.sandboxMember else { return false }
        return result?[member]?.kind == .string
    }

    /// The link note as it was stored: the current sites may differ.
    private static func link(of root: JSONNode) -> LinkNote? {
        guard let fellThrough = root["fell_through"]?.bool, let link = root["link"] else {
            return nil
        }
        return LinkNote(fellThrough: fellThrough, explanation: Array(link.text))
    }

    private static func changes(from old: JSONNode, to new: NewRecord) -> [Change] {
        var changes: [Change] = []
        for (name, value) in [
            ("contract", new.contract), ("outcome", new.outcome), ("verdict", new.verdict),
        ] where old[name]?.string != value {
            changes.append(Change(place: name, old: old[name]?.string, new: value))
        }
        let codes = (codes(of: old["diagnostics"]), new.diagnostics.codes)
        if codes.0 != codes.1 {
            changes.append(
                Change(
                    place: "diagnostics", old: codes.0.joined(separator: " "),
                    new: codes.1.joined(separator: " ")))
        }
        let result = new.result ?? (try? JSONDocument(parsing: Array("null".utf8)))
        if let oldResult = old["result"], let result {
            JSONDifference.find(oldResult, result.root, at: "/result") { pointer, left, right in
                guard changes.count < mostChanges else { return }
                let name = pointer.split(separator: "/").last ?? ""
                let show = Redaction.isShared(name) ? { _ in Redaction.hiddenMark } : excerpt
                changes.append(Change(place: pointer, old: left.map(show), new: right.map(show)))
            }
        }
        return changes
    }

    /// Maximum number of changes listed for one record.
    private static let mostChanges = 20

    /// Maximum bytes of a value in the list.
    private static let excerptBytes = 80

    private static func excerpt(_ node: JSONNode) -> String {
        let text = Redaction.hideShared(in: Array(node.text))
        guard text.count > excerptBytes else { return String(decoding: text, as: UTF8.self) }
        return String(decoding: text.prefix(excerptBytes), as: UTF8.self) + "…"
    }

    private static func codes(of diagnostics: JSONNode?) -> [String] {
        guard let diagnostics else { return [] }
        return diagnostics.elements.compactMap { $0["code"]?.string }
    }
}
