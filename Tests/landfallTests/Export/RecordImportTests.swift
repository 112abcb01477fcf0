// The way in: what an export wrote comes back, and everything else is refused with its place.

import JSON
import Mutations
import ResultStore
import Testing
import Vendors

@testable import ResultAPI
@testable import RezolveSandbox
@testable import Text

@Suite struct RecordImportTests {
    private let reader = RecordImport(catalog: SampleRecord.catalog) { _ in true }

    private func fault(_ text: [UInt8]) throws -> RecordImportError {
        try #require(throws: RecordImportError.self) { try reader.record(text) }
    }

    /// A line of the parts that an import found.
    private func line(of record: NewRecord) -> [UInt8] {
        func json(_ text: String?) -> String { text.map(SampleRecord.json) ?? "null" }
        func text(_ json: [UInt8]?) -> String {
            json.map { String(decoding: $0, as: UTF8.self) } ?? "null"
        }
        let id = json(record.id?.description)
        return Array(
            """
            {"id":\(id),"seq":1,"kind":"\(record.kind.rawValue)",\
            "received_at":"\(record.receivedAt)","inbox":\(json(record.inbox)),\
            "vendor":\(json(record.vendor)),"contract":\(json(record.contract)),\
            "outcome":\(json(record.outcome)),"verdict":\(json(record.verdict)),\
            "flow":\(json(record.flow)),"request":\(text(record.request.json)),\
            "result":\(text(record.result?.bytes)),"diagnostics":\(text(record.diagnostics.json))}
            """.utf8)
    }

    @Test func whatWasExportedComesBack() throws {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<300 {
            let text = Self.randomRecord(&generator).text
            let record = try reader.record(text)
            #expect(
                String(decoding: line(of: record), as: UTF8.self)
                    == String(decoding: text, as: UTF8.self))
        }
    }

    @Test func aTimeThatNoStoreTakesIsRefused() throws {
        let text = SampleRecord().with([
            "id": "\"07ffffff-ffff-7000-8000-000000000000\"",
            "received_at": "\"2248-09-26T15:10:22.207Z\"",
        ]).text
        #expect("\(try fault(text))".contains("must be before 2248-09-26T15:10:22.207Z"))
    }

    @Test func whitespaceBetweenTokensIsDropped() throws {
        let spaced = SampleRecord().with([
            "result": " { \"a\" : [ 1 , \" b \" ] }\t", "diagnostics": "[ ]", "flow": " null ",
        ])
        let record = try reader.record(spaced.text)
        #expect(record.result?.bytes == Array(#"{"a":[1," b "]}"#.utf8))
        #expect(record.diagnostics.json == Array("[]".utf8))
        #expect(record.flow == nil)
    }

    @Test func sequenceAndChecksumMayBeLeftOut() throws {
        let text = SampleRecord().with(["seq": String?.none]).text
        #expect(try reader.record(text).inbox == "default")
    }

    @Test func recordThatWasDecodedAgainKeepsTheTimeOfIt() throws {
        let text = SampleRecord().with(["redecoded_at": #""2025-11-21T08:00:00.001Z""#]).text
        let record = try reader.record(text)
        #expect(record.redecodedAt?.description == "2025-11-21T08:00:00.001Z")
        #expect(record.receivedAt.description == "2025-11-20T19:35:50.715Z")
    }

    @Test("CRC-32 of everything behind the checksum: a line that has one must agree with it")
    func checksumMustBeRight() throws {
        let strict = RecordImport(catalog: SampleRecord.catalog, isIntact: Self.isIntact)
        let rest = SampleRecord().text.dropFirst()
        let digits = String(Self.crc32(rest), radix: 16)
        let padded = String(repeating: "0", count: 8 - digits.count) + digits
        let line = Array(#"{"crc32":"\#(padded)","#.utf8) + rest
        #expect(try strict.record(line).inbox == "default")
        let changed = String(decoding: line, as: UTF8.self).replacing("default", with: "defaulu")
        let error = #expect(throws: RecordImportError.self) {
            try strict.record(Array(changed.utf8))
        }
        #expect(error?.pointer == "/crc32")
        #expect(error?.offset == 9)
    }

    @Test(
        arguments: [
            "id", "received_at", "inbox", "vendor", "contract", "outcome", "verdict", "flow",
            "request", "result", "diagnostics",
        ])
    func missingMemberIsNamed(member: String) throws {
        let error = try fault(SampleRecord().with([member: String?.none]).text)
        #expect(error.pointer == "/" + member)
        #expect(error.problem == "is missing")
    }

    @Test(
        arguments: ["method", "scheme", "host", "target", "version", "peer", "headers", "body"])
    func missingMemberOfTheRequestIsNamed(member: String) throws {
        let text = SampleRecord().with([:], request: [member: String?.none]).text
        let error = try fault(text)
        #expect(error.pointer == "/request/" + member)
        #expect(text[error.offset] == UInt8(ascii: "{"))
    }

    @Test(
        arguments: [
            ("id", "1", "UUID"), ("id", #""019aa2c4""#, "UUID"),
            ("id", #""019aa2c4-14bb-4abc-8def-0123456789ab""#, "version 7"),
            ("id", #""019aa2c4-14bb-7abc-cdef-0123456789ab""#, "version 7"),
            ("seq", "0", "from 1"), ("seq", "1.5", "whole"), ("seq", #""1""#, "whole"),
            ("received_at", #""2025-11-20""#, "a time"), ("received_at", "1", "a time"),
            ("received_at", #""2025-11-20T19:35:50.716Z""#, "2025-11-20T19:35:50.715Z"),
            ("redecoded_at", "null", "a time"), ("redecoded_at", #""now""#, "a time"),
            ("inbox", #""A""#, "a-z"), ("inbox", "null", "a-z"),
            ("vendor", #""x""#, "dimmy, welltory"),
            ("vendor", "null", "one of"), ("contract", #""x""#, "flux"), ("contract", "1", "null"),
            ("outcome", #""x""#, "cancelled"), ("verdict", #""x""#, "undecodable"),
            ("verdict", "null", "one of"), ("flow", "1", "null"), ("flow", #""f1""#, "version 7"),
            ("flow", #""019AA2C4-14BB-7ABC-8DEF-0123456789AB""#, "lower case"),
            ("request", "null", "object"),
            ("diagnostics", "null", "array"), ("diagnostics", "{}", "array"),
            ("colour", "1", "unknown"),
        ])
    func wrongMemberIsNamedWithItsPlace(member: String, value: String, words: String) throws {
        let text = SampleRecord().with([member: value]).text
        let error = try fault(text)
        #expect(error.description.contains(words))
        #expect(error.pointer == "/" + member)
        if member != "colour" {
            #expect(text[error.offset...].starts(with: Array(value.utf8)))
        }
    }

    @Test(
        arguments: [
            ("method", "1", ""), ("method", #""""#, ""), ("method", #""a b""#, ""),
            ("scheme", #""ftp""#, ""), ("host", "null", ""), ("host", #""a\nb""#, ""),
            ("target", #""a b""#, ""),
            ("target", #""/ü""#, ""), ("target", #""/\r\nHost: x""#, ""), ("version", #""2""#, ""),
            ("version", #""1.1 ""#, ""), ("version", #""1.x""#, ""), ("peer", "1", ""),
            ("headers", "{}", ""), ("headers", #"["a","b"]"#, "/0"), ("headers", #"[["a"]]"#, "/0"),
            ("headers", #"[["a","b"],["a","b","c"]]"#, "/1"), ("headers", #"[["a",1]]"#, "/0"),
            ("headers", #"[["a b","c"]]"#, "/0"), ("headers", #"[["a","b\nc"]]"#, "/0"),
            ("headers", #"[["a","b "]]"#, "/0"), ("body", #""a""#, ""), ("body", "{}", "/encoding"),
            ("body", #"{"encoding":"utf8"}"#, "/data"),
            ("body", #"{"encoding":"hex","data":"00"}"#, "/encoding"),
            ("body", #"{"encoding":"base64","data":"?"}"#, "/data"),
            ("body", #"{"encoding":"utf8","data":1}"#, "/data"),
            ("body", #"{"encoding":"utf8","data":"","content_coding":"br"}"#, "/content_coding"),
            ("body", #"{"encoding":"utf8","data":"","more":1}"#, "/more"), ("colour", "1", ""),
        ])
    func wrongMemberOfTheRequestIsNamed(member: String, value: String, pointer: String) throws {
        let error = try fault(SampleRecord().with([:], request: [member: value]).text)
        #expect(error.pointer == "/request/\(member)\(pointer)")
    }

    @Test(arguments: ["null", "1", #""x""#, "[]"])
    func aDiagnosticThatIsNoObjectIsRefused(element: String) throws {
        let list = "\(Self.diagnostics().dropLast()),\(element)]"
        let error = try fault(SampleRecord().with(["diagnostics": list]).text)
        #expect(error.pointer == "/diagnostics/1")
        #expect(error.problem == "must be an object")
    }

    @Test(
        arguments: [
            ("severity", #""warning""#, #""fatal""#), ("severity", #""warning""#, "null"),
            ("layer", #""model""#, #""http""#), ("code", #""x_1""#, #""""#),
            ("code", #""x_1""#, #""X 1""#), ("code", #""x_1""#, "1"),
            ("part", #""body""#, #""tail""#), ("offset", "7", "-1"), ("offset", "7", "1.5"),
            ("offset", "7", #""7""#), ("pointer", "null", "1"), ("expected", #""y""#, "null"),
            ("found", #""z""#, "[]"), ("hint", "null", "false"),
        ])
    func aDiagnosticThatNoProgramWroteIsRefused(
        member: String, value: String, wrong: String
    ) throws {
        let list = Self.diagnostics()
        let name = "\"\(member)\":"
        let changed = list.replacing(name + value, with: name + wrong)
        let text = SampleRecord().with(["diagnostics": changed]).text
        let error = try fault(text)
        #expect(error.pointer == "/diagnostics/0/\(member)")
        #expect(error.problem.hasPrefix("must be "))
        #expect(text[error.offset...].starts(with: Array(wrong.utf8)))
        let renamed = list.replacing(name, with: #""other":"#)
        let refusal = try fault(SampleRecord().with(["diagnostics": renamed]).text)
        #expect(refusal.pointer == "/diagnostics/0/other")
    }

    @Test func aDiagnosticMayHaveNullWhereThereIsNothing() throws {
        let list = Self.diagnostics().replacing(#""offset":7"#, with: #""offset":null"#)
        for text in [list, Self.diagnostics()] {
            let record = try reader.record(SampleRecord().with(["diagnostics": text]).text)
            #expect(record.diagnostics.json == Array(text.utf8))
        }
    }

    @Test("RFC 8259 §4: a name that stands twice is refused, here and in the request")
    func memberThatStandsTwiceIsRefused() throws {
        let text = String(decoding: SampleRecord().text, as: UTF8.self)
        let twice = text.replacing(#""flow":null"#, with: #""flow":null,"flow":null"#)
        #expect(try fault(Array(twice.utf8)).problem == "is repeated")
        let inner = text.replacing(#""body":null"#, with: #""body":null,"body":null"#)
        #expect(try fault(Array(inner.utf8)).pointer == "/request/body")
    }

    @Test(
        arguments: [
            ("", 0), ("{", 1), ("[1,]", 2), ("{\"id\":}", 6), ("\u{FEFF}{}", 0), ("{} x", 3),
        ])
    func whatIsNoJSONIsRefusedAtItsByte(text: String, offset: Int) throws {
        let error = try fault(Array(text.utf8))
        #expect(error.pointer == "")
        #expect(error.offset == offset)
        #expect(error.description.hasPrefix("the line is invalid JSON: expected "))
    }

    @Test(arguments: ["[]", "null", "1", "\"a\""])
    func lineThatIsNoObjectIsRefused(text: String) throws {
        #expect(
            try fault(Array(text.utf8)).description
                == "the line must be an object (byte 0 of the line)")
    }

    @Test(
        arguments: [
            ("headers", #"[["authorization","SECRET"],["X-A","b"]]"#),
            ("headers", #"[["COOKIE","a=SECRET"]]"#), ("headers", #"[["X-B","pwd: SECRET"]]"#),
            ("headers", #"[["Idempotency-Key","sk_live_SECRET"]]"#),
            ("target", #""/?login=SECRET""#), ("host", #""u:SECRET@example.com""#),
            ("body", #"{"encoding":"utf8","data":"password=SECRET"}"#),
            ("body", #"{"encoding":"base64","data":"cGFzc3dvcmQ9U0VDUkVU"}"#),
        ])
    func credentialsStayOut(member: String, value: String) throws {
        let record = try reader.record(SampleRecord().with([:], request: [member: value]).text)
        let request = String(decoding: record.request.json, as: UTF8.self)
        #expect(!request.contains("SECRET") && !request.contains("U0VDUkVU"))
        #expect(request.contains("[redacted]") || request.contains("W3JlZGFjdGVkX"))
        _ = try JSONDocument(parsing: record.request.json)
    }

    @Test(
        "result and diagnostics are redacted, but not what a contract expects",
        arguments: [
            ("result", #"{"a":{"new_password":"SECRET"},"b":1}"#),
            ("diagnostics", diagnostics(expected: "Secret: y", found: #""secret=SECRET""#)),
        ])
    func credentialsStayOutOfTheRest(member: String, value: String) throws {
        let record = try reader.record(SampleRecord().with([member: value]).text)
        let text = String(decoding: line(of: record), as: UTF8.self)
        #expect(!text.contains("SECRET") && text.contains("[redacted]"))
        #expect(member != "diagnostics" || text.contains("Secret: y"))
    }

    @Test(
        arguments: [
            "/?login=me&password=x%20y#password=z", "/?a=%7B%22password%22%3A%22x%22%7D",
            "/?user%5Fpassword=x", "/?secret", "/?secret=", "/?a={\"api_key\":1}",
        ])
    func whatIsRedactedAlreadyComesIn(target: String) throws {
        let redacted = Redaction.redactTarget(Array(target.utf8))
        let text = String(decoding: redacted, as: UTF8.self)
        let redactedBody = Redaction.redactBody(Array(target.utf8.dropFirst(2)))
        let body = SampleRecord.json(String(decoding: redactedBody, as: UTF8.self))
        let record = SampleRecord().with(
            [:],
            request: [
                "target": SampleRecord.json(text), "headers": #"[["Cookie","[redacted]"]]"#,
                "body": """
                {"encoding":"utf8","data":\(body)}
                """,
            ])
        #expect(throws: Never.self) { try reader.record(record.text) }
    }

    @Test(arguments: ["password=[redacted]:80", "password:8080", "[::1]:80", "token.example"])
    func aHostIsImportedAsItWasStored(host: String) throws {
        let line = SampleRecord().with([:], request: ["host": SampleRecord.json(host)])
        let stored = try reader.record(line.text).request.json
        #expect(try JSONDocument(parsing: stored).root["host"]?.string == host)
    }

    @Test func hostileLinesAreRefusedOrCanBeExported() {
        var generator = SeededGenerator(seed: 11)
        var table = ResultTable()
        let csv = CSVExport(fields: SampleRecord.catalog.fields)
        let har = HARExport(version: "1")
        var accepted = 0
        for _ in 0..<3000 {
            let (one, other) = (Self.randomRecord(&generator), Self.randomRecord(&generator))
            let text = generator.mutation(of: one.text, with: other.text)
            let isImported = (try? reader.record(text)) != nil
            let isWritten = [
                csv.row(of: text) != nil, har.entry(of: text, isFirst: true) != nil,
                CurlCommand(text, to: "http://h") != nil, table.add(text),
            ]
            guard isImported else { continue }
            accepted += 1
            #expect(isWritten == [true, true, true, true])
        }
        #expect(accepted > 100)
    }
}

extension RecordImportTests {
    /// A record as the store writes it, of random parts.
    static func randomRecord(_ generator: inout SeededGenerator) -> SampleRecord {
        func text(_ alphabet: String) -> String {
            let characters = Array(alphabet)
            return String(
                (0..<generator.below(12)).map { _ in
                    characters[generator.below(characters.count)]
                })
        }
        func one(of values: [String]) -> String { values[generator.below(values.count)] }
        func json(_ alphabet: String) -> String { SampleRecord.json(text(alphabet)) }
        let anything = "a\"\\/\n\t\u{1}'üß😀\u{2028}{}[],:="
        let lines = (0..<generator.below(4)).map { _ in
            ["X-" + text("abc'`"), "v" + text("a:;'\" ü") + "w"]
        }
        return SampleRecord().with(
            [
                "seq": "1", "inbox": SampleRecord.json("i" + text("a1.-_")),
                "vendor": one(of: [#""dimmy""#, #""welltory""#]),
                "contract": one(of: ["null", #""flux""#]),
                "outcome": one(of: ["null", #""cancelled""#]),
                "verdict": one(of: [#""decoded""#, #""undecodable""#]),
                "flow": one(of: ["null", #""019aa2c4-14bb-7abc-8def-0123456789ab""#]),
                "result": one(of: [
                    "null", "-1.50e3", "{}", #"{"stress":\#(json(anything)),"b":[1,{"c":null}]}"#,
                ]),
                "diagnostics": one(of: ["[]", diagnostics(found: json(anything))]),
            ],
            request: [
                "method": one(of: [#""GET""#, #""POST""#]),
                "target": SampleRecord.json("/" + text("a/?&=%[]{}'\"\\")),
                "headers": SampleRecord.json(lines),
                "body": one(of: [
                    "null", #"{"encoding":"utf8","data":\#(json(anything))}"#,
                    #"{"encoding":"base64","data":"AP8="}"#,
                    #"{"encoding":"utf8","data":"x","content_coding":"gzip"}"#,
                ]),
            ])
    }

    /// A list of one diagnostic.
    static func diagnostics(expected: String = "y", found: String = #""z""#) -> String {
        """
        [{"severity":"warning","layer":"model","code":"x_1","part":"body","offset":7,\
        "pointer":null,"expected":"\(expected)","found":\(found),"hint":null}]
        """
    }

    /// CRC-32 as zlib computes it, bit by bit.
    static func crc32(_ octets: ArraySlice<UInt8>) -> UInt32 {
        ~octets.reduce(UInt32.max) { remainder, octet in
            (0..<8).reduce(remainder ^ UInt32(octet)) { bits, _ in
                bits >> 1 ^ (bits & 1 == 1 ? 0xEDB8_8320 : 0)
            }
        }
    }

    /// Whether a line agrees with the eight digits that it opens with.
    static func isIntact(_ line: [UInt8]) -> Bool {
        let digits = String(decoding: line.prefix(18).suffix(8), as: UTF8.self)
        return UInt32(digits, radix: 16) == crc32(line.dropFirst(20))
    }
}
