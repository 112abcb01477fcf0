// Records as HAR 1.2: the members that its readers insist on, and the request that came.

import JSON
import Testing

@testable import ResultAPI
@testable import RezolveSandbox
@testable import Text

@Suite struct HARExportTests {
    private let export = HARExport(version: "1.2.3")

    /// The log of an archive of the records.
    private func log(_ records: [SampleRecord]) throws -> JSONNode {
        var text = export.prefix
        for (index, record) in records.enumerated() {
            text += try #require(export.entry(of: record.text, isFirst: index == 0))
        }
        return try #require(try JSONDocument(parsing: text + export.suffix).root["log"])
    }

    private func entry(_ record: SampleRecord) throws -> JSONNode {
        try #require(try log([record])["entries"]?[0])
    }

    @Test(arguments: 0...3)
    func prefixEntriesAndSuffixAreOneText(count: Int) throws {
        let log = try log(Array(repeating: SampleRecord(), count: count))
        #expect(log["entries"]?.count == count)
        #expect(log["version"]?.string == "1.2")
        #expect(log["creator"]?["name"]?.string == "landfall")
        #expect(log["creator"]?["version"]?.string == "1.2.3")
    }

    @Test(
        "HAR 1.2: every member that isn't optional is there, with its type",
        arguments: [
            ("", "startedDateTime:string time:number cache:object"),
            (
                "request",
                """
                method:string url:string httpVersion:string cookies:array headers:array \
                queryString:array headersSize:number bodySize:number
                """
            ),
            ("request/postData", "mimeType:string text:string"),
            (
                "response",
                """
                status:number statusText:string httpVersion:string cookies:array headers:array \
                redirectURL:string headersSize:number bodySize:number
                """
            ),
            ("response/content", "size:number mimeType:string"),
            ("timings", "send:number wait:number receive:number"),
        ])
    func requiredMembersAreThere(object: String, members: String) throws {
        var node = try entry(SampleRecord().with(body: "a=1"))
        for name in object.split(separator: "/") { node = try #require(node[String(name)]) }
        for member in members.split(separator: " ") {
            let parts = member.split(separator: ":")
            #expect(node[String(parts[0])]?.kind.rawValue == String(parts[1]), "\(member)")
        }
    }

    @Test func requestIsTheOneThatCame() throws {
        let record = SampleRecord().with(
            body: "{}",
            headers: [["Host", "h"], ["Content-Type", "application/json"], ["X-A", "1"]])
        let request = try #require(try entry(record)["request"])
        #expect(request["method"]?.string == "POST")
        #expect(request["url"]?.string == "https://www.yourapp.com/dds/?stress=0.32")
        #expect(request["httpVersion"]?.string == "HTTP/1.1")
        #expect(request["headers"]?[2]?["name"]?.string == "X-A")
        #expect(request["headers"]?[2]?["value"]?.string == "1")
        #expect(request["bodySize"]?.int == 2)
        #expect(request["postData"]?["mimeType"]?.string == "application/json")
        #expect(request["postData"]?["text"]?.string == "{}")
        #expect(request["postData"]?["encoding"] == nil)
    }

    @Test func octetsThatAreNoTextAreBase64AndSaySo() throws {
        let body = #"{"encoding":"base64","data":"AP8="}"#
        let request = try entry(SampleRecord().with([:], request: ["body": body]))["request"]
        #expect(request?["postData"]?["text"]?.string == "AP8=")
        #expect(request?["postData"]?["encoding"]?.string == "base64")
        #expect(request?["bodySize"]?.int == 2)
    }

    @Test func sizeOfACompressedBodyIsUnknown() throws {
        let body = #"{"encoding":"utf8","data":"a","content_coding":"gzip"}"#
        let request = try entry(SampleRecord().with([:], request: ["body": body]))["request"]
        #expect(request?["bodySize"]?.int == -1)
    }

    @Test(
        arguments: [
            ("/a", ""), ("/a?", ""), ("/a?b=c", "b=c"), ("/a?b", "b="), ("/a?b=c=d", "b=c=d"),
            ("/a?x=1&&y=%20+2", "x=1|y=  2"), ("/a?%41=%c3%bc", "A=ü"), ("/a?b=%ff", "b=%ff"),
            ("/a?b=%4", "b=%4"), ("/a?b=%zz", "b=%zz"), ("/a?b=%", "b=%"), ("/a?b=?", "b=?"),
        ])
    func parametersAreUnescaped(target: String, parameters: String) throws {
        let record = SampleRecord().with([:], request: ["target": SampleRecord.json(target)])
        let list = try #require(try entry(record)["request"]?["queryString"])
        let pairs = list.elements.map { "\($0["name"]?.string ?? "")=\($0["value"]?.string ?? "")" }
        #expect(pairs.joined(separator: "|") == parameters)
    }

    @Test(arguments: [("decoded", 201), ("undecodable", 422), ("unmatched", 201)])
    func responseIsTheOneThatTheVerdictCalledFor(verdict: String, status: Int) throws {
        let record = SampleRecord().with(["verdict": SampleRecord.json(verdict)])
        #expect(try entry(record)["response"]?["status"]?.int == status)
    }

    @Test(
        arguments: [
            ("stray", "/", #"{"status":404}"#, "[]", 404),
            ("delivery", "/", #"{"status":503}"#, "[]", 503),
            ("delivery", "/", #"{"status":null}"#, "[]", 0),
            ("callback", "/", "null", #"[{"code":"webhook_not_verified"}]"#, 401),
            ("callback", "/", #"{"reason":"unknown_question"}"#, "[]", 0),
            ("callback", "/", #"{"reason":null}"#, "[]", 201),
            ("registration", "/", #"{"http_status":403}"#, "[]", 403),
            ("registration", "/", "null", "[]", 0),
            ("launch", "/api/v1/launches", "{}", "[]", 201),
            ("launch", "http://h/api/v1/launches", "{}", "[]", 201),
            ("launch", "/emulator/flux?a=/api/v1/launches", "{}", "[]", 0),
        ])
    func responseIsTheOneThatTheRecordTells(
        kind: String, target: String, result: String, diagnostics: String, status: Int
    ) throws {
        let record = SampleRecord().with(
            [
                "kind": SampleRecord.json(kind), "vendor": #""rezolve""#, "result": result,
                "diagnostics": diagnostics, "verdict": #""decoded_with_warnings""#,
            ], request: ["target": SampleRecord.json(target)])
        #expect(try entry(record)["response"]?["status"]?.int == status)
    }

    @Test func absoluteTargetIsTheURL() throws {
        let record = SampleRecord().with([:], request: ["target": #""http://a.example/b""#])
        #expect(try entry(record)["request"]?["url"]?.string == "http://a.example/b")
    }

    @Test func recordIsNamedInItsEntry() throws {
        let own = try #require(try entry(SampleRecord().with(["outcome": "null"]))["_landfall"])
        #expect(own["id"]?.string == "019aa2c4-14bb-7abc-8def-0123456789ab")
        #expect(own["seq"]?.int == 42)
        #expect(own["outcome"]?.kind == .null)
        #expect(own["verdict"]?.string == "decoded")
    }

    @Test func recordThatCannotBeReadIsNoEntry() {
        #expect(export.entry(of: Array("{}".utf8), isFirst: true) == nil)
        let broken = SampleRecord().with(
            [:], request: ["body": #"{"encoding":"base64","data":"?"}"#])
        #expect(export.entry(of: broken.text, isFirst: true) == nil)
    }
}
