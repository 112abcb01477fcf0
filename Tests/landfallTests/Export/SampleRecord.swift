// A stored record to export and to import, whose members a test replaces one by one.
// Left out: the checksum, which a test puts in front where it needs one.

import JSON
import ResultStore

@testable import LinkHosting
@testable import ResultAPI
@testable import RezolveSandbox
@testable import Text

/// The text of a record, member by member, as JSON.
struct SampleRecord: Sendable {
    /// Of the request alone, the value is empty: it has members of its own.
    typealias Member = (name: String, value: String)

    var members: [Member] = [
        ("id", #""019aa2c4-14bb-7abc-8def-0123456789ab""#), ("seq", "42"),
        ("kind", #""callback""#),
        ("received_at", #""2025-11-20T19:35:50.715Z""#), ("inbox", #""default""#),
        ("vendor", #""welltory""#), ("contract", #""welltory-dds""#), ("outcome", #""completed""#),
        ("verdict", #""decoded""#), ("flow", "null"), ("request", ""), ("result", "null"),
        ("diagnostics", "[]"),
    ]
    var request: [Member] = [
        ("method", #""GET""#), ("scheme", #""https""#), ("host", #""www.yourapp.com""#),
        ("target", #""/dds/?stress=0.32""#), ("version", #""1.1""#),
        ("peer", #""127.0.0.1:51512""#), ("headers", #"[["Host","www.yourapp.com"]]"#),
        ("body", "null"),
    ]

    /// The record with other members; nil takes one away.
    func with(_ changes: [String: String?], request: [String: String?] = [:]) -> SampleRecord {
        var record = self
        record.members = Self.changed(members, changes)
        record.request = Self.changed(self.request, request)
        return record
    }

    /// The record with a body of text and its length.
    func with(body: String, headers: [[String]] = [["Host", "www.yourapp.com"]]) -> SampleRecord {
        with(
            [:],
            request: [
                "method": #""POST""#, "headers": Self.json(headers),
                "body": #"{"encoding":"utf8","data":\#(Self.json(body))}"#,
            ])
    }

    var text: [UInt8] {
        let request = "{" + Self.joined(self.request) + "}"
        let members = members.map { $0.value.isEmpty ? ($0.name, request) : $0 }
        return Array("{\(Self.joined(members))}".utf8)
    }

    /// A string as JSON.
    static func json(_ text: String) -> String {
        var json = JSONWriter()
        json.value(text)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// Header lines as JSON.
    static func json(_ lines: [[String]]) -> String {
        "[" + lines.map { "[" + $0.map(json).joined(separator: ",") + "]" }.joined(separator: ",")
            + "]"
    }

    private static func changed(_ members: [Member], _ changes: [String: String?]) -> [Member] {
        var members: [Member] = members.compactMap { member in
            guard let change = changes[member.name] else { return member }
            return change.map { (member.name, $0) }
        }
        for (name, value) in changes where !members.contains(where: { $0.name == name }) {
            if let value { members.append((name, value)) }
        }
        return members
    }

    private static func joined(_ members: [Member]) -> String {
        members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",")
    }

    /// What the tests' vendors declare.
    static let catalog = FieldCatalog(
        fields: [
            .init(vendor: "welltory", name: "stress", paths: [["stress"]], kind: .number),
            .init(vendor: "welltory", name: "token", paths: [["token"]], kind: .text),
            .init(
                vendor: "dimmy", name: "width", paths: [["dimensions", "width"], ["width"]],
                kind: .number),
            .init(vendor: "dimmy", name: "token", paths: [["id"]], kind: .text),
        ],
        words: [], vendors: ["dimmy", "welltory"], contracts: ["flux", "welltory-dds"],
        outcomes: ["cancelled", "completed"], verdicts: ["decoded", "undecodable"])
}
