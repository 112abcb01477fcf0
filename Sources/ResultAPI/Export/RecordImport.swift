// Makes a record of one line of an export, and checks every member.
//
// Invariant: an accepted line could have been written by this program: known members only, and an
// id that agrees with the record's time. Credentials are redacted as in received requests. Left
// out: `seq`, which every store assigns itself, and whether the store already has the id.

import Clocks
import JSON
import ResultStore
import Text
import Vendors

/// Reads imported lines.
package struct RecordImport {
    private let catalog: FieldCatalog
    private let isIntact: ([UInt8]) -> Bool

    /// - Parameters:
    ///   - catalog: the vendors, contracts, outcomes and verdicts that a record may name.
    ///   - isIntact: whether the leading checksum of a line is correct.
    package init(catalog: FieldCatalog, isIntact: @escaping ([UInt8]) -> Bool) {
        self.catalog = catalog
        self.isIntact = isIntact
    }

    /// Reads a line without its line end.
    ///
    /// O(size).
    ///
    /// - Throws: the first error.
    package func record(_ line: [UInt8]) throws(RecordImportError) -> NewRecord {
        let root = try Self.root(of: line)
        if let erasure = root["erased_at"] {
            let problem = """
                is of an erasure, which isn't imported, and the lines that it erases are; import what \
                "landfall results export" writes, not a file of a data folder
                """
            throw ImportedObject.error(erasure, problem)
        }
        let object = try ImportedObject(root, known: Self.members)
        if let checksum = object.optional("crc32"), !isIntact(line) {
            let problem = """
                is not the checksum of this line; leave it out of a line that was changed on purpose
                """
            throw ImportedObject.error(checksum, problem)
        }
        let (id, receivedAt) = try Self.identity(object)
        let redecodedAt = try object.optional("redecoded_at").map(Self.moment)
        if let sequence = object.optional("seq"), sequence.int.map({ $0 < 1 }) ?? true {
            throw ImportedObject.error(sequence, "must be a whole number from 1")
        }
        let inbox = try object.text("inbox", rule: Inbox.rule, where: Inbox.isValid)
        let vendor = try object.text(
            "vendor", rule: Self.oneOf(catalog.vendors), where: catalog.vendors.contains)
        let (kind, contract) = try kindAndContract(object)
        let outcome = try object.textOrNull(
            "outcome", rule: Self.oneOf(catalog.outcomes), where: catalog.outcomes.contains)
        let verdict = try object.text(
            "verdict", rule: Self.oneOf(catalog.verdicts), where: catalog.verdicts.contains)
        let flow = try object.textOrNull(
            "flow", rule: "a UUID of version 7 in lower case",
            where: { FlowID.isValid($0.utf8) })
        let link = try Self.link(object)
        try Self.checkRequest(try object.required("request"))
        let request = try object.required("request")
        let result = try object.required("result")
        let diagnostics = Self.redactedDiagnostics(try Self.diagnostics(object))
        guard let redacted = RecordRequest(json: Self.redactedRequest(request)) else {
            throw ImportedObject.error(request, "must be an object")
        }
        var record = NewRecord(
            id: id, kind: kind, receivedAt: receivedAt, redecodedAt: redecodedAt, inbox: inbox,
            vendor: vendor, contract: contract, outcome: outcome, verdict: verdict, flow: flow,
            link: link, request: redacted,
            result: result.kind == .null
                ? nil
                : try? JSONDocument(parsing: Redaction.redactBody(result.compactText)),
            diagnostics: (try? JSONDocument(parsing: diagnostics)).map {
                RecordDiagnostics($0.root)
            } ?? RecordDiagnostics())
        if let answer = object.optional("answer") {
            record.answer = AnswerNote(answer)
            guard record.answer != nil else {
                throw ImportedObject.error(
                    answer, "must have status, failed, number and delay_milliseconds")
            }
        }
        return record
    }

    /// The derived ones are in responses only, and ignored, because the others determine them.
    private static let members = ["crc32"] + RecordMembers.names + DerivedMembers.names

    /// `kind` and `contract`; older programs wrote the kind at the end of the contract.
    private func kindAndContract(
        _ object: ImportedObject
    ) throws(RecordImportError) -> (RecordKind, String?) {
        guard object.optional("kind") != nil else {
            let derived = RecordKind.derived(from: try object.textOrNull("contract"))
            if derived.contract.map(catalog.contracts.contains) ?? true { return derived }
            return (
                derived.kind,
                try object.textOrNull(
                    "contract", rule: Self.oneOf(catalog.contracts), where: { _ in false })
            )
        }
        let kinds = RecordKind.allCases.map(\.rawValue)
        let kind = try object.text("kind", rule: Self.oneOf(kinds), where: kinds.contains)
        let contract = try object.textOrNull(
            "contract", rule: Self.oneOf(catalog.contracts), where: catalog.contracts.contains)
        return (RecordKind(rawValue: kind) ?? .callback, contract)
    }

    /// `fell_through` and `link`: both, or neither.
    private static func link(_ object: ImportedObject) throws(RecordImportError) -> LinkNote? {
        guard let flag = object.optional("fell_through") else {
            guard let link = object.optional("link") else { return nil }
            throw ImportedObject.error(link, "needs fell_through beside it")
        }
        guard let fellThrough = flag.bool else {
            throw ImportedObject.error(flag, "must be true or false")
        }
        return LinkNote(
            fellThrough: fellThrough,
            explanation: Redaction.redactBody(try object.compact("link", .object)))
    }

    /// The `diagnostics` member, of diagnostics as this program has always written them.
    private static func diagnostics(
        _ object: ImportedObject
    ) throws(RecordImportError) -> [UInt8] {
        let text = try object.compact("diagnostics", .array)
        let severities = Diagnostic.Severity.allCases.map(\.rawValue)
        let layers = Diagnostic.Layer.allCases.map(\.rawValue)
        let parts = Diagnostic.Part.allCases.map(\.rawValue)
        for element in try object.required("diagnostics").elements {
            let diagnostic = try ImportedObject(element, known: diagnosticNames)
            _ = try diagnostic.text("severity", rule: oneOf(severities), where: severities.contains)
            _ = try diagnostic.text("layer", rule: oneOf(layers), where: layers.contains)
            _ = try diagnostic.text("code", rule: "a name of a-z, 0-9 and _", where: isCode)
            _ = try diagnostic.text("part", rule: oneOf(parts), where: parts.contains)
            let offset = try diagnostic.required("offset")
            guard offset.kind == .null || offset.int ?? -1 >= 0 else {
                throw ImportedObject.error(offset, "must be a whole number from 0 or null")
            }
            _ = try diagnostic.textOrNull("pointer")
            _ = try diagnostic.text("expected")
            _ = try diagnostic.text("found")
            _ = try diagnostic.textOrNull("hint")
        }
        return text
    }

    private static let diagnosticNames = [
        "severity", "layer", "code", "part", "offset", "pointer", "expected", "found", "hint",
    ]

    private static func isCode(_ text: String) -> Bool {
        let isValid = { (byte: UInt8) in
            byte.isLowercaseLetter || byte.isDigit || byte == UInt8(ascii: "_")
        }
        return !text.isEmpty && text.utf8.allSatisfy(isValid)
    }

    private static func oneOf(_ values: [String]) -> String {
        "one of " + values.joined(separator: ", ")
    }

    private static func root(of line: [UInt8]) throws(RecordImportError) -> JSONNode {
        do throws(JSONFault) {
            return try JSONDocument(parsing: line).root
        } catch {
            throw RecordImportError(
                pointer: "", offset: error.offset,
                problem: "is invalid JSON: expected \(error.expected), found \(error.found)")
        }
    }

    /// Id and time of a record, which must agree (RFC 9562 §5.7).
    private static func identity(
        _ object: ImportedObject
    ) throws(RecordImportError) -> (RecordID, Timestamp) {
        let idText = try object.required("id")
        guard let id = idText.string.flatMap({ RecordID($0) }), id.isVersion7 else {
            throw ImportedObject.error(idText, "must be a UUID of version 7")
        }
        let timeText = try object.required("received_at")
        let receivedAt = try moment(timeText)
        guard id.milliseconds == receivedAt.unixMilliseconds else {
            let expected = Timestamp(unixMilliseconds: id.milliseconds)
            throw ImportedObject.error(timeText, "must be \(expected), the time in the id")
        }
        guard receivedAt < NewRecord.endOfTime else {
            throw ImportedObject.error(timeText, "must be before \(NewRecord.endOfTime)")
        }
        return (id, receivedAt)
    }

    private static func moment(_ node: JSONNode) throws(RecordImportError) -> Timestamp {
        guard let moment = node.string.flatMap({ Timestamp($0.utf8) }) else {
            throw ImportedObject.error(node, "must be a time such as 2026-11-21T06:13:00.123Z")
        }
        return moment
    }
}
