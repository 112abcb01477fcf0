// `privacy: mask`: what is replaced, by what, and that nothing else says it.
// Invariant: the digest here is a plain hash; that the real one has a key is for the program to test.

import JSON
import Mutations
import Testing

@testable import Vendors

@Suite("Masking")
struct MaskingTests {
    private let pseudonyms = Pseudonyms { bytes in
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    private func mask(
        _ target: String, _ body: Callback.Body? = nil, from vendor: Vendor = .welltory
    ) -> Masking {
        Masking(
            of: Callback(target: Array(target.utf8), body: body), from: vendor, by: pseudonyms)
    }

    private func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }

    private func value(_ masking: Masking) throws -> JSONNode {
        try JSONDocument(parsing: try #require(masking.decoding.value)).root
    }

    @Test("replaces every measurement by a number of the same kind, in request and value")
    func measurements() throws {
        let masking = mask("/dds/?stress=0.27&energy=0.68&rmssd=64.2&token=T&note=x")
        #expect(masking.extent == .values)
        #expect(
            masking.decoding.verdict == .decodedWithWarnings || masking.decoding.verdict == .decoded
        )
        let target = text(masking.callback.target)
        #expect(target.hasSuffix("&token=T&note=x"))
        for secret in ["0.27", "0.68", "64.2"] { #expect(!target.contains(secret)) }
        let root = try value(masking)
        let stress = try #require(root["stress"]?.double)
        #expect((0...1).contains(stress))
        #expect(target.contains("stress=\(text(root["stress"].map { Array($0.text) }))"))
        #expect(root["token"]?.string == "T")
    }

    @Test("decodes to what it did, but for the values", arguments: Sample.all.map(\.name))
    func samples(name: String) throws {
        let sample = try #require(Sample.all.first { $0.name == name })
        let masking = mask("/?" + sample.query, from: sample.vendor)
        let original = Decoding(
            of: Callback(target: Array("/?\(sample.query)".utf8)), from: sample.vendor)
        #expect(masking.decoding.verdict == original.verdict)
        #expect(masking.decoding.outcome == original.outcome)
        #expect(masking.decoding.contract == original.contract)
        #expect(masking.extent != .beyondDecoding)
    }

    @Test("equal values have equal pseudonyms however they are written, others have others")
    func equality() {
        func stress(_ target: String, _ body: Callback.Body? = nil) throws -> String {
            let node = try #require(try value(mask(target, body))["stress"])
            return text(Array(node.text))
        }
        #expect(throws: Never.self) {
            let first = try stress("/?stress=0.32")
            #expect(try stress("/?stress=0.320") == first)
            #expect(try stress("/?stress=%30.32") == first)
            #expect(try stress("/?stress=0.032e+1") == first)
            #expect(try stress("/?stress=0.032e%2B1") == first)
            #expect(try stress("/", .form(Array("energy=0.1&stress=0.32".utf8))) == first)
            #expect(try stress("/", .json(Array(#"{"stress":0.32}"#.utf8))) == first)
            #expect(try stress("/", .json(Array(#"{"stress":"0.32"}"#.utf8))) == first)
            #expect(try stress("/?stress=0.33") != first)
        }
    }

    @Test(
        "masks the fields of other contracts too, at any depth and whatever carries them",
        arguments: [
            (
                "/?result=%7B%22store_id%22%3A%22SECRET%22%2C%22status%22%3A%22IR_RESULT_OK%22%7D",
                Vendor.ailet
            ),
            ("/?store_id=SECRET&a=1", .raw), ("/?stress_c=SECRET", .dimmy),
            ("/?a=h%3Fstore_id%3DSECRET", .welltory), ("/?stress=SECRET", .raw),
            ("/?latitude=SECRET", .rezolve), ("/x&stress=SECRET&a=1", .raw),
            ("/x/stress=SECRET", .raw), ("/x%3Fstress%3DSECRET%26a%3D1", .raw),
        ])
    func texts(target: String, vendor: Vendor) {
        let masking = mask(target, from: vendor)
        #expect(masking.extent != nil)
        let masked = text(masking.callback.target)
        #expect(!masked.contains("SECRET"))
        #expect(masked.contains("masked%3A") || masked.contains("masked%253A"))
    }

    @Test(
        "masks a member of JSON by the same names as a parameter",
        arguments: ["user.stress", "stress[0]", "stress[]", "stress "])
    func partsOfNames(name: String) {
        let body = Callback.Body.json(Array(#"{"\#(name)":0.73519}"#.utf8))
        let masked = text(mask("/", body, from: .raw).callback.body?.bytes)
        #expect(!masked.contains("0.73519"))
    }

    @Test(
        "keeps numbers within the bounds of their field, and outside of them",
        arguments: [
            ("latitude", "51.5", -90.0, 90.0), ("longitude", "-0.12", -180, 180),
            ("stress", "1.5", 1.5, 1001), ("stress", "-2", -1001, -0.5), ("rmssd", "64", 0, 1000),
        ])
    func bounds(name: String, value: String, lower: Double, upper: Double) throws {
        let target = text(mask("/?\(name)=\(value)", from: .raw).callback.target)
        let number = try #require(Double(target.dropFirst("/?\(name)=".count)))
        #expect((lower...upper).contains(number))
        #expect(target != "/?\(name)=\(value)")
    }

    @Test("a colour becomes unknown, and one that nobody knows stays one")
    func colours() throws {
        let root = try value(mask("/?stress=0.1&stress_c=green&energy_c=purple"))
        #expect(root["stress_c"]?.string == "unknown")
        #expect(root["energy_c"]?.string?.hasPrefix("masked:") == true)
    }

    @Test("keeps the diagnosis of what can't be read, without the value")
    func diagnoses() throws {
        let masking = mask("/?stress=0,3217&energy=0.5&rmssd=%zz&sdnn=NaN")
        #expect(masking.extent == .beyondDecoding)
        let codes = masking.decoding.diagnostics.map(\.code)
        let original = Decoding(
            of: Callback(target: Array("/?stress=0,3217&energy=0.5&rmssd=%zz&sdnn=NaN".utf8)),
            from: .welltory)
        #expect(codes == original.diagnostics.map(\.code))
        #expect(masking.decoding.diagnostics.allSatisfy { !$0.found.contains("3217") })
        #expect(try value(masking)["energy"]?.double != 0.5)
    }

    @Test(
        "keeps the hint to a value where its pseudonym would get another one",
        arguments: [
            ("0,3217", "use a point before the decimals, not a comma"),
            ("32", "write a fraction: 32% is 0.32"),
        ])
    func hints(stress: String, hint: String) {
        let masking = mask("/?stress=\(stress)&energy=0.5")
        #expect(masking.extent == .beyondDecoding)
        #expect(masking.decoding.diagnostics.map(\.hint).contains(hint))
    }

    @Test(
        "repeats a value in no diagnostic, whatever it is about",
        arguments: [
            ("inconsistent_colour", "/?stress=0.97351&stress_c=green&energy=1", nil, .welltory),
            ("inconsistent_colour", "/?stress=1&energy=0.07351&energy_c=green", nil, .welltory),
            ("not_a_number", "/?stress=0,7351&energy=1", nil, .welltory),
            ("out_of_range", "/?stress=1.7351", nil, .welltory),
            ("double_percent_encoding", "/?stress=0%252E7351&energy=1", nil, .welltory),
            ("broken_percent_encoding", "/?stress=0.7351%z&energy=1", nil, .welltory),
            ("unknown_colour", "/?stress=1&stress_c=c7351", nil, .welltory),
            ("duplicate_parameter", "/?stress=0.7351&stress=0.73512", nil, .welltory),
            ("unknown_parameter", "/?sterss=0.7351&energy=0.5", nil, .welltory),
            ("wrong_separator", "/?stress=0.7351;energy=0.73512", nil, .welltory),
            ("escaped_separators", "/?stress%3D0.7351", nil, .welltory),
            ("wrapped_parameters", "/", .json(Array(#"{"a":{"stress":0.7351}}"#.utf8)), .welltory),
            (
                "duplicate_parameter", "/",
                .json(Array(#"{"stress":0.7351,"stress":"0,7351"}"#.utf8)), .welltory
            ),
            (
                "out_of_range", "/",
                .json(Array(#"{"answers":[],"latitude":97.351,"longitude":7.351}"#.utf8)), .rezolve
            ),
            (
                "wrong_type", "/",
                .json(Array(#"{"status":"IR_RESULT_OK","store_id":7351}"#.utf8)), .ailet
            ),
            ("broken_json", "/?result=%7B%22store_id%22%3A7351.%7D", nil, .ailet),
        ] as [(String, String, Callback.Body?, Vendor)])
    func diagnosticsWithoutValues(
        code: String, target: String, body: Callback.Body?, vendor: Vendor
    ) {
        let diagnostics = mask(target, body, from: vendor).decoding.diagnostics
        #expect(diagnostics.contains { $0.code == code })
        for diagnostic in diagnostics { #expect(!"\(diagnostic)".contains("7351")) }
    }

    @Test("says the same of every colour in another case")
    func coloursInAnotherCase() {
        let diagnostics = ["Green", "YELLOW", "Red"].map {
            mask("/?stress=1&stress_c=\($0)").decoding.diagnostics
        }
        #expect(diagnostics[0].contains { $0.code == "unknown_colour" })
        #expect(diagnostics.allSatisfy { $0 == diagnostics[0] })
    }

    @Test(
        "masks as a whole what can't be taken apart",
        arguments: [
            ("/?result=U0VDUkVU&x=SECRET", nil, Vendor.ailet),
            (
                "/?x=1",
                Callback.Body.other(contentType: "multipart/form-data", Array("SECRET".utf8)),
                .welltory
            ),
            ("/?x=1", .json(Array(#"{"stress":{"a":"SECRET"#.utf8)), .welltory),
            ("/", .json(Array(#"["SECRET"]"#.utf8)), .ailet),
            ("/", .json(Array(#"{"a":"SECRET","b":[1,"SECRET"]}"#.utf8)), .welltory),
            ("/?stress:0.SECRET", nil, .welltory), ("/?0.SECRET=&a", nil, .welltory),
            ("/", .form(Array("stress%3A0.SECRET".utf8)), .welltory),
            // Without a question mark.
            ("/x&stress=0.SECRET&energy=0.5", nil, .welltory),
            ("/x/stress=0.SECRET", nil, .welltory), ("/x%3Fstress%3D0.SECRET", nil, .welltory),
            ("/x&sterss=0.SECRET/SECRET&b=SECRET#c=SECRET", nil, .welltory),
            ("/x&store_id=SECRET", nil, .ailet),
        ] as [(String, Callback.Body?, Vendor)])
    func wholes(target: String, body: Callback.Body?, vendor: Vendor) {
        let masking = mask(target, body, from: vendor)
        let kept = text(masking.callback.target) + text(masking.callback.body?.bytes)
        #expect(!kept.contains("SECRET"))
        #expect(!kept.contains("U0VDUkVU"))
        #expect(masking.decoding.diagnostics.allSatisfy { !$0.found.contains("SECRET") })
        #expect(masking.decoding.verdict == .undecodable)
        #expect(masking.decoding.value == nil)
        #expect(masking.decoding.diagnostics.contains { $0.severity == .error })
    }

    @Test(
        "masks a body without names, and text in place of a name, beside what can be decoded",
        arguments: [
            ("/?stress=0.3", .other(contentType: "text/plain", Array("stress 0.96661".utf8))),
            ("/?stress=0.3", .json(Array("0.96661".utf8))),
            ("/?stress=0.3", .json(Array("[0.96661]".utf8))),
            ("/?stress=0.3", .form(Array("[0.96661]".utf8))),
            ("/?stress=0.3", .form(Array("a&0.96661".utf8))),
            ("/?stress=0.3&0.96661", nil), ("/?stress=0.3&0.96661=", nil),
        ] as [(String, Callback.Body?)])
    func unread(target: String, body: Callback.Body?) throws {
        let masking = mask(target, body)
        let kept =
            text(masking.callback.target) + text(masking.callback.body?.bytes)
            + text(masking.decoding.value) + masking.decoding.diagnostics.map(\.found).joined()
        #expect(!kept.contains("96661") && kept.contains("masked"))
        #expect(try value(masking)["stress"] != nil)
    }

    @Test(
        "masks what nearly has the name of such a field, in messages that can be decoded",
        arguments: [
            ("/?sterss=0.4711&energy=0.5&note=7", nil, "note=7"),
            ("/", Callback.Body.form(Array("enregy=0.4711&stress=0.5".utf8)), ""),
            ("/", .json(Array(#"{"enregy":0.4711,"stress":0.5,"b":[1]}"#.utf8)), #""b":[1]"#),
            ("/", .json(Array(#"{"enregy":"0.4711","stress":0.5}"#.utf8)), ""),
        ] as [(String, Callback.Body?, String)])
    func misspelled(target: String, body: Callback.Body?, rest: String) throws {
        let masking = mask(target, body)
        let kept = text(masking.callback.target) + text(masking.callback.body?.bytes)
        #expect(!kept.contains("4711") && kept.contains(rest))
        #expect(masking.decoding.value != nil)
        for finding in masking.decoding.diagnostics { #expect(!"\(finding)".contains("4711")) }
        if case .json(let bytes) = masking.callback.body {
            #expect(throws: Never.self) { try JSONDocument(parsing: bytes) }
        }
    }

    @Test(
        "gives the same in two steps as in one",
        arguments: [
            ("/?sterss=0.4711&energy=0.5&rmssd=61&note=7", nil),
            ("/?stress=0,5&energy=0.4711", nil),
            ("/", Callback.Body.form(Array("enregy=0.4711&stress=0.5".utf8))),
            ("/?stress=0.1", .json(Array(#"{"enregy":0.4711,"stress":"0.5"}"#.utf8))),
        ] as [(String, Callback.Body?)])
    func halves(target: String, body: Callback.Body?) {
        let callback = Callback(target: Array(target.utf8), body: body)
        let again = Masking(
            of: Masking.mask(callback, by: pseudonyms), from: .welltory, by: pseudonyms,
            isMaskedByName: true)
        let once = mask(target, body)
        #expect(!text(again.callback.target).contains("4711"))
        let stored = text(again.callback.body?.bytes)
        #expect(!stored.contains("4711"))
        #expect(again.decoding.verdict == once.decoding.verdict)
        guard once.decoding.verdict != .undecodable else { return }
        #expect(text(again.callback.target) == text(once.callback.target))
        #expect(text(again.callback.body?.bytes) == text(once.callback.body?.bytes))
        #expect(text(again.decoding.value) == text(once.decoding.value))
    }

    @Test("leaves what holds no such value, and credentials are redacted after it")
    func others() {
        let masking = mask("/?status=cancelled&order=7", from: .dimmy)
        #expect(masking.extent == nil)
        #expect(text(masking.callback.target) == "/?status=cancelled&order=7")
    }

    @Test(
        "masks the values of header fields of any name, and of those of the transport by name",
        arguments: [
            ("Referer", "https://h/dds/?stress=0.4444&a=1", "&a=1"),
            ("User-Agent", "app (stress=0.4444&a=1", "&a=1"),
            ("Forwarded", #"{"stress":0.4444,"a":1}"#, #","a":1}"#), ("X-Stress", "0.4444", ""),
            ("X-Anything", "0.4444", ""), ("Stress", "stress: 0.4444", ""),
        ])
    func headers(name: String, value: String, rest: String) {
        let name = Array(name.utf8)[...]
        let masked = text(Masking.mask(Array(value.utf8), ofField: name, by: pseudonyms))
        #expect(!masked.contains("0.4444") && masked.hasSuffix(rest))
        let plain = Array("curl/8".utf8)
        #expect(
            Masking.mask(plain, ofField: Array("User-Agent".utf8)[...], by: pseudonyms) == plain)
    }

    @Test("keeps the port of a host that has the name of a masked field")
    func host() {
        let host = Array("Host".utf8)[...]
        let plain = Array("stress:8080".utf8)
        #expect(Masking.mask(plain, ofField: host, by: pseudonyms) == plain)
        let masked = text(
            Masking.mask(Array("stress=0.4444:80".utf8), ofField: host, by: pseudonyms))
        #expect(!masked.contains("0.4444") && masked.hasSuffix(":80"))
    }

    @Test("never lets a value through, whatever becomes of the message", arguments: 0..<8)
    func mutations(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let secret = "0.31415926"
        let bodies = [
            "stress=\(secret)&energy=0.5", #"{"stress":\#(secret),"energy":0.5}"#,
            "a=1&rmssd=\(secret)&token=T",
        ]
        for round in 0..<400 {
            var bytes = Array(bodies[round % bodies.count].utf8)
            // Not in the value itself: another value is no secret. Not in its name either.
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                bytes.append(UInt8.random(in: 0x20...0x7E, using: &random))
            }
            let body: Callback.Body =
                round % 2 == 0 ? .form(bytes) : .json(bytes)
            let masking = mask("/?x=1", body, from: round % 5 == 0 ? .raw : .welltory)
            let kept =
                text(masking.callback.body?.bytes) + text(masking.decoding.value)
                + masking.decoding.diagnostics.map { $0.found + ($0.hint ?? "") + $0.expected }
                .joined()
            #expect(!kept.contains("31415926"), "\(text(bytes))")
        }
    }
}
