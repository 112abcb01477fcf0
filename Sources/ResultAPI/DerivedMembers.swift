// Members of records that aren't stored: the summary, which the vendor's folder makes for callbacks,
// and the first of the worst diagnostics. Made when a record is read: most records are never listed.
//
// Invariant: a summary shows neither credentials, which lists hide, nor pseudonyms.

import JSON
import ResultStore
import Vendors

/// What responses say of a record besides what is stored.
package struct DerivedMembers {
    /// The names of the members, in their order.
    static let names = ["summary", "first_diagnostic"]

    /// What happened, in one line; nil if the record doesn't say.
    let summary: String?

    private let diagnostic: JSONNode?

    /// Derives the members of a stored record.
    ///
    /// O(size).
    package init(of record: [UInt8]) {
        self.init(of: record, parsed: nil, listed: Redaction.hideShared(in: record))
    }

    /// Derives the members of a record.
    ///
    /// O(1) if it has no credentials and was parsed, else O(size).
    ///
    /// - Parameters:
    ///   - parsed: `record`, perhaps with more members; nil if it wasn't parsed.
    ///   - listed: `record` without credentials.
    init(of record: [UInt8], parsed: JSONNode?, listed: [UInt8]) {
        let known = listed == record ? parsed : nil
        let root = known ?? (try? JSONDocument(parsing: listed).root)
        summary = root.flatMap(Self.summary)
        diagnostic = root?["diagnostics"].flatMap(Self.worst)
    }

    private static func summary(of root: JSONNode) -> String? {
        guard let value = root["result"], value.kind == .object else { return nil }
        let isMasked = root["request"]?["masked"] != nil
        switch root["kind"]?.string.flatMap({ RecordKind(rawValue: $0) }) {
        case .callback:
            return root["vendor"]?.string.flatMap { Vendor(rawValue: $0) }?
                .summary(of: value, isMasked: isMasked)
        case .launch:
            // Of a launch that was opened, the link is the target of its request.
            let link = isMasked ? nil : (value["url"] ?? value["callback"])?.string
            let parts = [value["scenario"]?.string, link].compactMap(\.self)
            return parts.isEmpty ? nil : Vendor.summary(of: parts)
        case .delivery:
            let result = value["status"]?.int.map { "HTTP \($0)" } ?? "no response"
            let time = value["duration_ms"]?.int.map { "\($0) ms" }
            return (["attempt \(value["attempt"]?.int ?? 1)", result] + [time].compactMap(\.self))
                .joined(separator: " · ")
        case .stray: return isMasked ? nil : root["request"].flatMap(Self.place)
        case .registration, nil: return nil
        }
    }

    /// The method of a request, and its target without the query.
    private static func place(of request: JSONNode) -> String? {
        guard let method = request["method"]?.string, let target = request["target"]?.string else {
            return nil
        }
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        return Vendor.summary(of: ["\(method) \(String(decoding: path, as: UTF8.self))"])
    }

    /// The first of the diagnostics with the highest severity.
    private static func worst(of diagnostics: JSONNode) -> JSONNode? {
        let all = Array(diagnostics.elements)
        for severity in Diagnostic.Severity.allCases {
            if let found = all.first(where: { $0["severity"]?.string == severity.rawValue }) {
                return found
            }
        }
        return nil
    }

    /// Writes the members that `isWanted` selects.
    func write(to json: inout JSONWriter, where isWanted: (String) -> Bool) {
        if isWanted("summary") { json.member("summary", summary) }
        if isWanted("first_diagnostic") {
            json.key("first_diagnostic")
            writeDiagnostic(to: &json)
        }
    }

    private func writeDiagnostic(to json: inout JSONWriter) {
        guard let diagnostic else { return json.null() }
        json.object { json in
            json.member("severity", diagnostic["severity"]?.string)
            json.member("code", diagnostic["code"]?.string)
            json.member("message", Self.message(of: diagnostic))
        }
    }

    /// Expected and found in one sentence.
    private static func message(of diagnostic: JSONNode) -> String {
        let expected = diagnostic["expected"]?.string ?? ""
        let found = diagnostic["found"]?.string ?? ""
        // The root's pointer is empty.
        let pointer = diagnostic["pointer"]?.string ?? ""
        let place = pointer.isEmpty ? "" : "\(pointer): "
        return "\(place)expected \(expected), found \(found)"
    }

    /// The text of a record with these members at its end.
    package func added(to record: [UInt8]) -> [UInt8] {
        guard record.last == UInt8(ascii: "}"), record.count > 2 else { return record }
        var json = JSONWriter(reservingCapacity: 256)
        json.object { json in write(to: &json) { _ in true } }
        return record.dropLast() + [UInt8(ascii: ",")] + json.bytes.dropFirst()
    }
}
