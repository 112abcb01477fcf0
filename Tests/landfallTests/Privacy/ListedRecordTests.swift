// What lists show of records: everything but what opens something.

import Foundation
import JSON
import Testing

@testable import ResultAPI
@testable import Text

@Suite("Records in lists")
struct ListedRecordTests {
    private func text(_ record: String) -> String {
        String(decoding: ListedRecord.text(of: Array(record.utf8)), as: UTF8.self)
    }

    @Test("a token is hidden in a body that is no UTF-8")
    func encodedBodies() throws {
        let body = Data("token=SECRET&a=".utf8) + Data([0xFF])
        let record =
            #"{"request":{"target":"/","body":{"encoding":"base64","data":"\#(body.base64EncodedString())"}},"a":1}"#
        let root = try JSONDocument(parsing: Array(text(record).utf8)).root
        let data = root["request"]?["body"]?["data"]?.string.flatMap { Data(base64Encoded: $0) }
        #expect(data == Data("token=[hidden]&a=".utf8) + Data([0xFF]))
        #expect(root["a"]?.int == 1)
    }

    @Test(
        "what holds none stays as it is",
        arguments: [
            #"{"request":{"body":{"encoding":"base64","data":"AAEC"}}}"#,
            #"{"request":{"body":{"encoding":"base64","data":"%%"}}}"#, #"{"encoding":"base64"}"#,
            "{}",
        ])
    func others(record: String) {
        #expect(text(record) == record)
    }

    @Test("a token that a receiver's path captured is hidden in the target too")
    func captures() throws {
        let record = Array(
            #"{"request":{"target":"/r/T%4fK/Café?a=/TOK","parameters":{"token":"TOK","b":"Café"}},"a":1}"#
                .utf8)
        let listed = [
            ListedRecord.text(of: record), FieldSelection?.none.apply(to: record),
            FieldSelection("request.target").apply(to: record),
        ]
        for text in listed {
            let target = try JSONDocument(parsing: text).root["request"]?["target"]?.string
            #expect(target == "/r/[hidden]/Café?a=/TOK")
        }
    }

    @Test("a selection hides what the whole does")
    func selections() throws {
        let record = Array(
            #"{"request":{"target":"/?token=S","body":{"encoding":"utf8","data":"token=S"}},"result":{"token":"S"}}"#
                .utf8)
        for fields in [
            "result", "result.token", "request.target", "request.body", "request,result",
        ] {
            let selection = try #require(FieldSelection(fields))
            let listed = String(decoding: Optional(selection).apply(to: record), as: UTF8.self)
            #expect(listed.contains("[hidden]") && !listed.contains("S\""), "\(fields)")
        }
    }
}
