// Hundreds of ways in which a credential may come, and what only looks like one.
// Invariant: a secret is searched for in every byte that would be stored, whatever encodes it.

import JSON
import Mutations
import Testing
import Text

@testable import Vendors

@Suite("Credentials")
struct CredentialTests {
    /// What would be stored of a probe: each part by itself.
    private static func stored(_ probe: CredentialProbe) -> [[UInt8]] {
        let target = Array(probe.target.utf8)
        var parts = [Redaction.redactTarget(target), Redaction.redactBody(probe.body)]
        for field in probe.fields {
            parts.append(
                Array(
                    Redaction.redact(
                        Array(field.value.utf8)[...], ofField: Array(field.name.utf8)[...])))
        }
        let bodies: [Callback.Body?] =
            probe.body.isEmpty
            ? [nil]
            : [.form(probe.body), .json(probe.body), .other(contentType: "text/plain", probe.body)]
        for vendor in Vendor.allCases {
            for body in bodies {
                let decoding = Decoding(of: Callback(target: target, body: body), from: vendor)
                parts.append(decoding.value ?? [])
                for finding in decoding.diagnostics {
                    parts.append(
                        Array(
                            "\(finding.found) \(finding.hint ?? "") \(finding.pointer ?? "")".utf8))
                }
            }
        }
        return parts
    }

    private static func holdsSecret(_ part: [UInt8]) -> Bool {
        // Zeros are those of wide characters.
        let text = String(decoding: part.filter { $0 != 0 }, as: UTF8.self)
        return text.contains(CredentialProbe.secret) || text.contains("Zq7SECRET")
            || text.contains("dTpacTdTRUNSRVR4Sw")
    }

    @Test("there are hundreds of probes")
    func count() { #expect(CredentialProbe.all.count >= 600) }

    @Test("never reach a stored byte", arguments: CredentialProbe.all)
    func probes(probe: CredentialProbe) {
        for part in Self.stored(probe) {
            #expect(!Self.holdsSecret(part), "\(String(decoding: part, as: UTF8.self))")
        }
    }

    @Test("are redacted once: what is redacted stays, and JSON stays JSON")
    func fixpoints() {
        for probe in CredentialProbe.all {
            let body = Redaction.redactBody(probe.body)
            #expect(Redaction.redactBody(body) == body, "\(probe.name)")
            if (try? JSONDocument(parsing: probe.body)) != nil {
                #expect((try? JSONDocument(parsing: body)) != nil, "\(probe.name)")
            }
            let target = Redaction.redactTarget(Array(probe.target.utf8))
            #expect(Redaction.redactTarget(target) == target, "\(probe.name)")
        }
    }

    @Test(
        "are names of one word too",
        arguments: [
            "sessioncookie", "LOGINCOOKIES", "userotp", "userOTPCode", "myjwt", "MYJWT", "mytoken",
            "token_value", "dbpassword", "clientsecret", "apikey",
        ])
    func joinedNames(name: String) {
        let body = Array("a=1&\(name)=hidden7&b=2".utf8)
        #expect(Redaction.redactBody(body) == Array("a=1&\(name)=[redacted]&b=2".utf8))
    }

    @Test(
        "are not what only looks like one",
        arguments: [
            "session", "session_id", "keyboard", "monkey", "author", "authority", "authors",
            "passenger", "passport", "compass", "passed", "passive", "bypass", "tokenizer",
            "tokens", "max_tokens", "secretary", "secretariat", "keywords", "key", "keys",
            "primary_key", "sort-key", "task_id", "user_id", "visit_id", "store_id", "token",
            "Token", "barcode", "bar_code", "code", "signature", "svix-signature", "auth",
            "credit", "accredited", "blogging", "logging", "login_url", "footprint", "hotspot",
            "cookie_consent", "tokenvalue", "potpourri", "inside", "basic", "base", "status",
            "error", "response", "name",
        ])
    func otherNames(name: String) throws {
        let (form, json) = ("a=1&\(name)=kept7&b=2", #"{"a":{"\#(name)":"kept7"},"b":[1]}"#)
        for body in [form, json, "\(name): kept7", "<\(name)>kept7</\(name)>"] {
            #expect(Redaction.redactBody(Array(body.utf8)) == Array(body.utf8))
        }
        #expect(Redaction.redactTarget(Array("/?\(form)".utf8)) == Array("/?\(form)".utf8))
    }

    @Test(
        "are not what only resembles a key, a scheme or a login",
        arguments: [
            "the bearer of this", "a basic plan", "Basic settings", "eyJhIjoxfQ", "x.eyJ.y",
            "task-force-of-twenty-letters", "risk-management-of-everything", "npm_config_registry",
            "https://example.com/a@b", "mailto:a@b.c", "//cdn.example.com/x", "SG.1", "AKIA",
            "http://login:8080/x?a=1", "https://secret.example.com:443/", "12:30:05",
            "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", "ghp_", "a == b",
            "2026-03-09T13:02:11Z", "weight: 12, height: 3", "C:\\keys\\new", "100% sure",
            #"{"name":"Secret deodorant","facing":3}"#, #"{"name":"Secret","value":42}"#,
            #"["login","password"]"#, #"{"key":"a","value":"b"}"#, #"{"name":"a","value":"b"}"#,
            "visit_id=sk-bratislava-hlavna-20261121", "sk-abcdefghijklmnopqrstuvwxyz",
            "https://cdn.example/img/sk-kaufland-bratislava-2026-11-21-0001-o.jpg",
            "ASIAPACIFICSTORE7", "ASIAPACIFICSTORES2026", "AKIAabcd2026store1X9",
            "SG.orchard-road-2026-11", "SG.orchard-road-2026-11.photo-2026-11-21-0001.jpg",
            "Basic Shampoo-250ml", "Basic Shampoo-250", "Basic Linsenshampoo2026X",
        ])
    func otherTexts(text: String) {
        #expect(Redaction.redactBody(Array(text.utf8)) == Array(text.utf8))
    }

    @Test("leave everything else of a message as it came")
    func rest() {
        let rows = [
            ("a=1&new_password=x&b=2", "a=1&new_password=[redacted]&b=2"),
            ("a: b\nAPI key: x\nc: d", "a: b\nAPI key: [redacted]\nc: d"),
            ("{'password':'x', a:1}", "{'password':'[redacted]', a:1}"),
            ("{password: x, a: 1}", "{password: [redacted], a: 1}"),
            (
                "{\"password\":\"x\n--y\nContent-z: 1\nx\",\"a\":1}",
                #"{"password":"[redacted]","a":1}"#
            ),
            (
                "note\r\n--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n"
                    + "{\"pwd\":\"x\",\"b\":1}\r\n--b--\r\n",
                "note\r\n--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n"
                    + "{\"pwd\":\"[redacted]\",\"b\":1}\r\n--b--\r\n"
            ),
            ("<a><pwd>x</pwd><b>1</b></a>", "<a><pwd>[redacted]</pwd><b>1</b></a>"),
            (#"<a pwd="x" b="1"/>"#, #"<a pwd="[redacted]" b="1"/>"#),
            ("see Bearer abc.def1, thanks", "see Bearer [redacted], thanks"),
            (#"{"name":"pwd","value":"x","a":1}"#, #"{"name":"pwd","value":"[redacted]","a":1}"#),
            ("a AKIAIOSFODNN7EXAMPLE b", "a [redacted] b"),
            ("a=ASIAIOSFODNN7EXAMPLE&b=2", "a=[redacted]&b=2"),
            ("see Basic dTpwYXNz, thanks", "see Basic [redacted], thanks"),
            ("Basic dXNlcjpwYXNzd29yZDEK", "Basic [redacted]"),
            ("see Basic dXNlcjpwYXNzd29yZDE=. It failed", "see Basic [redacted] It failed"),
            ("a=see+Basic+dXNlcjpwYXNzd29yZDEy+failed+today", "a=see+Basic+[redacted]"),
            (#"{"a":"key sk_live_abcd here"}"#, #"{"a":"key [redacted] here"}"#),
            ("name=pwd&value=x&a=1", "name=pwd&value=[redacted]&a=1"),
            ("x=eyJwd2QiOiJ4IiwiYSI6MX0", "x=eyJwd2QiOiJbcmVkYWN0ZWRdIiwiYSI6MX0"),
            (
                "see eyJwd2QiOiJ4IiwiYSI6MX0 for all of it",
                "see eyJwd2QiOiJbcmVkYWN0ZWRdIiwiYSI6MX0 for all of it"
            ),
        ]
        for (body, expected) in rows {
            let redacted = Redaction.redactBody(Array(body.utf8))
            #expect(String(decoding: redacted, as: UTF8.self) == expected)
        }
    }

    @Test(
        "are in no stored name of a member, once or twice, nor in a pointer to it",
        arguments: CredentialProbe.looks + [
            "Authorization: Bearer \(CredentialProbe.secret)",
            "see https://u:\(CredentialProbe.secret)@h.example/x",
        ])
    func memberNames(name: String) {
        for count in 1...2 {
            let body = JSONWriter.object { json in
                json.member("stress", 0.5)
                for _ in 0..<count { json.member(name, 1) }
            }
            for part in Self.stored(CredentialProbe(name: name, body: body)) {
                #expect(!Self.holdsSecret(part), "\(String(decoding: part, as: UTF8.self))")
            }
        }
    }

    @Test(
        "leave a pointer its other names, and its escapes",
        arguments: [
            ("", ""), ("/", "/"), ("/a~1b/m~0n/0/", "/a~1b/m~0n/0/"), ("/~01", "/~01"),
            ("/a/ghp_abcDEF123456/b", "/a/[redacted]/b"),
            ("/a/https:~1~1u:pw@h.example~1x/b", "/a/https:~1~1[redacted]@h.example~1x/b"),
        ])
    func pointers(pointer: String, safe: String) {
        #expect(SafePointer.redacted(pointer) == safe)
    }

    @Test("are in no excerpt, however long they are")
    func excerpts() {
        let token = "eyJhbGciOiJIUzI1NiJ9." + String(repeating: "Zq7SECRET", count: 20) + ".x1"
        let decoding = Decoding(url: "/?stress=\(token)&energy=0.5", from: .welltory)
        #expect(decoding.diagnostics.contains { $0.found.contains("[redacted]") })
        for finding in decoding.diagnostics { #expect(!"\(finding)".contains("Zq7")) }
    }

    @Test("are rewritten in UTF-16, whose other characters stay")
    func wide() {
        func encode(_ text: String) -> [UInt8] {
            [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        }
        #expect(
            Redaction.redactBody(encode(#"{"é":"😀","password":"x"}"#))
                == encode(#"{"é":"😀","password":"[redacted]"}"#))
        #expect(Redaction.redactBody(encode("stress=0.5")) == encode("stress=0.5"))
    }

    @Test("are in none of the vendors' messages, published or played")
    func vendors() throws {
        let published = [
            Published.welltoryURL, Published.dimmyURL, Published.dimmyItem, Published.fluxURL,
            Published.fluxItem, Published.fluxNotJSONURL, Published.ailetReportWithTask,
            Published.ailetReportWithoutTask,
        ]
        for text in published + Sample.all.map(\.query) {
            let bytes = Array(text.utf8)
            #expect(Redaction.redactBody(bytes) == bytes)
            #expect(Redaction.redactTarget(bytes) == bytes)
            #expect(Redaction.redactTarget(Array("/?".utf8) + bytes) == Array("/?".utf8) + bytes)
            let encoded = PercentEncoding.encode(bytes)
            #expect(Redaction.redactBody(encoded) == encoded)
        }
    }

    @Test("are not sought closely in what a glance settles: Dimmy's items in forms")
    func settledByGlance() {
        for item in [Published.dimmyItem, Published.fluxItem] {
            let encoded = Base64Text.encode(item.utf8, urlSafe: false)
            for value in [encoded, PercentEncoding.encode(encoded), encoded + "==".utf8] {
                let form = "order=2041&response=".utf8 + value + "&status=completed".utf8
                #expect(!Sought.credentials.mayBe(in: form, form.indices), "\(item)")
            }
        }
    }

    @Test(
        "are found in JSON in Base64 whose signs are escaped or cut off",
        arguments: ["%3D", "%3d%3D", "=", "", "&a=1", "%26"])
    func escapedBase64(end: String) {
        for length in 0..<6 {
            // Some of these hold `+` and `/` before the password, at every place of a group.
            let json =
                "{\"a\":\"\(String(repeating: "~?", count: 6))"
                + "\(String(repeating: "x", count: length))\",\"password\":\"S\"}"
            for urlSafe in [false, true] {
                var digits = Base64Text.encode(json.utf8, urlSafe: urlSafe)
                while digits.last == UInt8(ascii: "=") { digits.removeLast() }
                for escaped in [digits, PercentEncoding.encode(digits)] {
                    let form = Array("response=".utf8) + escaped + end.utf8
                    let redacted = Redaction.redactBody(form)
                    #expect(redacted != form, "\(String(decoding: form, as: UTF8.self))")
                }
            }
        }
    }

    @Test(
        "are found in all of the JSON in Base64 whose signs are spaces, escaped or amid padding",
        arguments: [
            [("+", "+")], [("+", "%20")], [("+", "%2520")], [("+", "%2B"), ("/", "%2F")],
            [("/", "%2F")], [("+", " ")], [("+", "\\u002b"), ("/", "\\/")], [("+", "=+")],
            [("+", "%2B%3D==")], [("/", "/=")], [("+", "%20"), ("/", "%252f")],
            [("+", " "), ("/", "=_")],
        ])
    func brokenBase64(signs: [(String, String)]) {
        for length in 0..<3 {
            let fill = String(repeating: "x", count: length)
            let json =
                #"{"a":"\#(fill)~?>~?>~?>","password":"SEKRET~?>~?>~?>SEKRET","b":"~?>~?>~?>","#
                + #""c":[{"name":"pwd","value":"SEKRET"}]}"#
            let digits = String(
                decoding: Base64Text.encode(json.utf8, urlSafe: false), as: UTF8.self)
            #expect(digits.contains("+"))
            let value = digits.map { sign in
                signs.first { $0.0 == String(sign) }?.1 ?? String(sign)
            }.joined()
            let form = Array("a=1&response=\(value)&status=completed".utf8)
            let link = Array("/callbacks/flux?".utf8) + form
            let body = Array(#"{"status":"completed","response":"\#(value)"}"#.utf8)
            let prose = Array("completed with \(value) or not".utf8)
            for text in [form, link, body, prose] {
                #expect(Self.encodes("SEKRET", text))
                #expect(Sought.credentials.mayBe(in: text, text.indices))
            }
            for text in [
                Redaction.redactBody(form), Redaction.redactTarget(link),
                Redaction.redactBody(body), Redaction.redactBody(prose),
            ] {
                let shown = String(decoding: text, as: UTF8.self)
                #expect(!Self.encodes("SEKRET", text), "\(shown)")
                #expect(shown.contains("completed"))
            }
        }
    }

    /// Whether some Base64 in a text, from one of its digits on, encodes `secret`.
    private static func encodes(_ secret: String, _ text: [UInt8]) -> Bool {
        let escaped = PercentEncoding.decode(PercentEncoding.decode(text))
        let plain = DecodedText(escaped, escaped.indices, from: .jsonString).bytes
        let runs = plain.split { !EncodedJSON.isDigit($0) && !EncodedJSON.isFiller($0) }
        return runs.contains { run in
            let digits = run.filter { $0 != UInt8(ascii: "=") }
            return (0..<4).contains { phase in
                let rest = Array(digits.dropFirst(phase))
                let octets = EncodedJSON.decode(rest.span) ?? []
                return String(decoding: octets, as: UTF8.self).contains(secret)
            }
        }
    }

    @Test(
        "are found in Base64 of JSON however it begins, and in Base64 of that",
        arguments: [
            #"{ "a":1,"password":"SEKRET"}"#, "{\r\n\"password\":\"SEKRET\"}",
            "{\t\"password\":\"SEKRET\"}", " \n{\"password\":\"SEKRET\"}",
            "\r\n\t [{\"password\":\"SEKRET\"}]", #"[ {"password":"SEKRET"}]"#,
            #"[["a",1],{"password":"SEKRET"}]"#, #"["password=SEKRET"]"#,
            #"[1,{"password":"SEKRET"}]"#, #"[-9.5,{"password":"SEKRET"}]"#,
            #"[true,{"password":"SEKRET"}]"#, #"[null,"password=SEKRET"]"#,
            #"{"1":2,"password":"SEKRET"}"#, #"{"é":2,"password":"SEKRET"}"#,
            "\u{FEFF}{\"password\":\"SEKRET\"}",
        ])
    func beginningsInBase64(json: String) throws {
        var digits = Array(json.utf8)
        for layers in 1...2 {
            digits = Base64Text.encode(digits, urlSafe: true)
            for end in ["", "&status=completed"] {
                let target = Array("/callbacks/dimmy?response=".utf8) + digits + end.utf8
                let callback = Callback(target: Redaction.redactTarget(target))
                var kept = Array(callback.target.dropFirst(26).prefix { $0 != UInt8(ascii: "&") })
                for _ in 0..<layers {
                    guard case .octets(let octets, _) = Base64Text.decode(kept[...]) else { break }
                    kept = octets
                }
                let text = String(decoding: kept, as: UTF8.self)
                #expect(!text.contains("SEKRET") && text.contains("redacted"), "\(text)")
                for step in LayerTrace(of: callback, Decoding(of: callback, from: .dimmy)).steps {
                    let bytes = (step.input ?? []) + (step.output ?? [])
                    #expect(!String(decoding: bytes, as: UTF8.self).contains("SEKRET"))
                }
            }
        }
    }

    @Test("are found by the glance wherever the search finds one", arguments: 0..<16)
    func glance(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let probes = CredentialProbe.all
        for _ in 0..<1500 {
            let (one, other) = (
                probes[random.below(probes.count)], probes[random.below(probes.count)]
            )
            let text = random.mutation(
                of: one.body.isEmpty ? Array(one.target.utf8) : one.body, with: other.body)
            guard !Sought.credentials.mayBe(in: text, text.indices) else { continue }
            let shown = String(decoding: text, as: UTF8.self)
            #expect(Redactor.edits(in: text, for: .credentials).isEmpty, "\(shown)")
            #expect(
                Redactor.edits(inTarget: text, for: .credentials).isEmpty, "\(shown)")
        }
    }

    @Test("are found in forms within forms, however many there are", arguments: [1, 3, 9, 9_000])
    func forms(count: Int) {
        let heads = (0..<count).map { "--\($0 + 100_000)\r\nX: 1\r\n\r\n" }
        let body = Array((heads.joined() + "pwd=Zq7SECRETxK").utf8)
        #expect(!Self.holdsSecret(Redaction.redactBody(body)))
    }

    @Test(
        "cost no more in a text that begins the same value again and again", .timeLimit(.minutes(4))
    )
    func repetitions() {
        for piece in [
            "+eyJ", "%2BeyJ", "-eyJ", "/eyJ", "eyJ-", ".eyJ", "basic+", "name=", #""name":"#,
            "eyJ ", "eyJhIjoi=", "eyJ%20", "eyJhIjoi+%2F",
            "name:", "key=", #""key":{"#, "<name>", "sk-", "-SG.", "--b\r\nX: 1\r\n\r\n", "/W3s",
            "%5Cu00",
            "a\n--b\nContent-a: \"\npwd: \"",
        ] {
            let text = String(repeating: piece, count: 16_000 / piece.utf8.count) + "&pwd=S"
            #expect(Redaction.redactBody(Array(text.utf8)) != Array(text.utf8))
            _ = Redaction.redactTarget(Array(text.utf8))
        }
    }

    @Test("cost time that grows with the length", .timeLimit(.minutes(1)))
    func hostile() {
        for piece in [
            "=", ":", "<a>", "<password>", "//", "://", "@", "={", "=[", "eyJ", "eyJ.", "%25",
            "-----BEGIN ",
            "Bearer ", "name=password&", "password=", "password='", #"\""#, "'", "a.", "a b ",
            "--b\r\n", "{\"password\":", "W3s", "key", "https://a:", "\u{0}a", "[[", #"["pwd","#,
            "eyJ ", "eyJ=", "eyJhIjoiYSIs ", "eyJhIjoi  ==", "/eyJ%20", "eyJ%3D",
        ] {
            let text = Array(String(repeating: piece, count: 200_000 / piece.utf8.count).utf8)
            _ = Redaction.redactBody(text)
            _ = Redaction.redactTarget(text)
            _ = Redaction.redactBody(Array("--b\r\n".utf8) + text)
        }
    }
}
