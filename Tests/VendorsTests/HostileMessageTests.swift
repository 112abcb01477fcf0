// Nothing that a peer sends may trap the decoder, and every finding stays inside of the message.
// Seeded, so that a failure can be repeated.

import JSON
import Mutations
import Testing

@testable import Vendors

@Suite("Hostile messages")
struct HostileMessageTests {
    @Test(
        "survives 10,000 mutations of real messages, and mixtures of two",
        arguments: [Vendor.dimmy, .welltory, .ailet])
    func mutations(vendor: Vendor) throws {
        var random = SeededGenerator(seed: 0xCA11_BACC)
        let messages = try #require(Self.messages[vendor])
        let contracts = Contract.allCases.filter { $0.vendor == vendor } + [nil]
        for round in 0..<10_000 {
            let other = messages[random.below(messages.count)]
            let bytes = random.mutation(of: messages[round % messages.count], with: other)
            let callback =
                switch round / messages.count % 4 {
                case 0: Callback(target: Array("/?".utf8) + bytes)
                case 1: Callback(target: [], body: .form(bytes))
                case 2: Callback(target: Array("/?a=1".utf8), body: .json(bytes))
                default: Callback(target: bytes, body: .json(bytes), webhookID: "msg_1")
                }
            let pinned = contracts[random.below(contracts.count)]
            check(Decoding(of: callback, from: vendor, contract: pinned), of: callback)
        }
    }

    @Test("redacts 20,000 mutations of real messages, and JSON stays JSON")
    func redactions() {
        var random = SeededGenerator(seed: 0x5EC2_E7)
        let messages = Vendor.allCases.flatMap { Self.messages[$0] ?? [] } + Self.credentials
        for round in 0..<20_000 {
            let bytes = random.mutation(of: messages[round % messages.count])
            let body = Redaction.redactBody(bytes)
            if body != bytes, (try? JSONDocument(parsing: bytes)) != nil,
                (try? JSONDocument(parsing: body)) == nil
            {
                Issue.record("no JSON any more: \(text(bytes)) -> \(text(body))")
            }
            let target = Redaction.redactTarget(Array("/?".utf8) + bytes)
            if Redaction.redactBody(body) != body || Redaction.redactTarget(target) != target {
                Issue.record("redacted twice: \(text(bytes)) -> \(text(body))")
            }
            if !Sought.credentials.mayBe(in: bytes, bytes.indices),
                !Redactor.edits(in: bytes, for: .credentials).isEmpty
            {
                Issue.record("the cheap look missed a credential: \(text(bytes))")
            }
        }
    }

    /// What `encodeURI` leaves has colons as they are, and escapes behind percent signs.
    @Test(
        "looks closer at a name however it is quoted and broken from its value",
        arguments: [
            "%22password%22:%22S%22", "%22password%5C%22%5Cn:%5C%22S%5C%22", "login%5Cn=S",
            #"{"result":"{\"password\"\n:\"S\"}"}"#, "login%20:S", "pass_word-\":S",
            "login[12]=S", "login%5B1%5D=S", "passwd\u{10}:S",
        ]) func separators(message: String)
    {
        let bytes = Array(message.utf8)
        #expect(Sought.credentials.mayBe(in: bytes, bytes.indices))
    }

    @Test("looks closer at every name that is sought at a glance")
    func names() {
        let fields = Contract.allCases.flatMap(\.fields)
            .filter { $0.fieldClass == .credential }.compactMap(\.path.last)
        for (sought, names) in [(Sought.credentials, CredentialProbe.names), (.shared, fields)] {
            for name in names {
                for message in ["a=1&\(name)=S", #"{"a":1,"\#(name)":"S"}"#] {
                    let bytes = Array(message.utf8)
                    #expect(sought.mayBe(in: bytes, bytes.indices), "\(message)")
                }
            }
        }
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test(
        "survives every truncation of real messages", arguments: [Vendor.dimmy, .welltory, .ailet])
    func truncations(vendor: Vendor) {
        for message in Self.messages[vendor] ?? [] {
            for length in message.indices {
                let callback = Callback(
                    target: Array("?".utf8) + message[..<length],
                    body: .json(Array(message[..<length])))
                check(Decoding(of: callback, from: vendor), of: callback)
            }
        }
    }

    /// Each diagnostic costs a search for its place in the whole body.
    @Test(
        "places no more flaws than it reports", .timeLimit(.minutes(1)),
        arguments: [
            (Vendor.rezolve, "answers", "1"),
            (.rezolve, "answers", #"{"question_id":1,"answer":5}"#),
            (.dimmy, "item_ids", #"{"lat":99,"lng":5}"#),
        ])
    func manyFlaws(vendor: Vendor, name: String, element: String) throws {
        let elements = repeatElement(element, count: 262_144 / element.utf8.count)
        let body = "{\"\(name)\":[\(elements.joined(separator: ","))]}"
        let callback = Callback(target: Array("/?".utf8), body: .json(Array(body.utf8)))
        let diagnostics = Decoding(of: callback, from: vendor).diagnostics
        #expect(diagnostics.count == Limits.maximumDiagnostics)
        #expect(diagnostics.last?.code == "too_many_diagnostics")
        #expect(diagnostics.last?.severity == .warning)
    }

    @Test("reads each name of a form's part once", .timeLimit(.minutes(1)))
    func manyNames() {
        let names = String(repeating: "name=", count: 100_000)
        let form = "--b\r\nContent-Disposition: form-data; \(names)\r\n\r\npassword=S\r\n--b--\r\n"
        let redacted = Redaction.redactBody(Array(form.utf8))
        #expect(!text(redacted).contains("password=S"))
    }

    private func check(_ decoding: Decoding, of callback: Callback) {
        let bodyLength = callback.body?.bytes.count ?? 0
        if decoding.diagnostics.count > Limits.maximumDiagnostics {
            Issue.record("\(decoding.diagnostics.count) diagnostics")
        }
        for diagnostic in decoding.diagnostics {
            let length = diagnostic.part == .target ? callback.target.count : bodyLength
            if let offset = diagnostic.offset, !(0...length ~= offset) {
                Issue.record("offset \(offset) of \(diagnostic.code) is outside of \(length) bytes")
            }
        }
        switch decoding.verdict {
        case .decoded, .decodedWithWarnings:
            let severities = decoding.diagnostics.map(\.severity)
            let isFlawed = severities.contains(.warning)
            if severities.contains(.error) || isFlawed != (decoding.verdict != .decoded) {
                Issue.record("verdict and severities differ: \(decoding)")
            }
            if decoding.root == nil { Issue.record("the value is not JSON: \(decoding)") }
            // A decoder's writer notes where its values are, and must agree with the parser.
            if decoding.document?.tape != (try? JSONDocument(parsing: decoding.value ?? []))?.tape {
                Issue.record("the value parses to other places: \(text(decoding.value ?? []))")
            }
            if decoding.value?.contains(0x0A) == true { Issue.record("a line break in the value") }
            let names = decoding.root?.members.map { $0.name.string ?? "" } ?? []
            if Set(names).count != names.count { Issue.record("a name twice: \(names)") }
        case .undecodable:
            let hasError = decoding.diagnostics.contains { $0.severity == .error }
            if !hasError || decoding.value != nil { Issue.record("\(decoding)") }
        case .unmatched:
            if decoding.value != nil { Issue.record("\(decoding)") }
        }
    }

    private static let messages: [Vendor: [[UInt8]]] = {
        var messages: [Vendor: [[UInt8]]] = [:]
        for sample in Sample.all {
            messages[sample.vendor, default: []].append(Array(sample.query.utf8))
        }
        messages[.welltory]?.append(
            Array(#"{"stress":0.3,"energy":"0.5","stress_c":"red","login":"x","n":[1,null]}"#.utf8))
        messages[.dimmy]?.append(Array(Published.fluxItem.utf8))
        messages[.dimmy]?.append(Array(#"{"item_ids":["66f1a2b3c4d5"],"more":{}}"#.utf8))
        messages[.dimmy]?.append(Array("a=1&status=error&error=unknown&password=x".utf8))
        messages[.ailet]?.append(Array(#"{"result":"{\"status\":\"IR_ERROR\"}","login":"x"}"#.utf8))
        return messages
    }()

    /// Credentials inside of each other's layers.
    private static let credentials = [
        "back=intelligenceretail%3A%3Fmethod%3Dvisit%26login%3DS%26password%3DS&stress=1",
        "result=%7B%22password%22%3A%22S%22%2C%22a%22%3A%22h%3Fsecret%253DS%22%7D&login=S&b=1",
        #"{"result":"{\"password\":\"S\",\"url\":\"h?a=1\\u0026login=S\"}","secret":[1],"b":2}"#,
        #"result={"url":"h?password=S&a=1","login":"S"}&x=%7B%22login%22%3A12%7D"#,
        #"[{"url":"https://h/?back=a%3Fpassword%3DS%26b%3D1","p\u0061sswd":"a\"b"},"login=S"]"#,
    ].map { Array($0.utf8) }
}
