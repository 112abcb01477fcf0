// Credentials inside of other texts: encoded parameters, strings of JSON, bodies of a wrong type.
// Invariant: `S` is a secret in every row, and everything else survives as it was sent.

import JSON
import Mutations
import Testing
import Text

@testable import Vendors

@Suite("Redaction of nested credentials")
struct NestedRedactionTests {
    @Test(
        "in a body, whatever its content type says",
        arguments: [
            (#"{"login":"S","a":1}"#, #"{"login":"[redacted]","a":1}"#),
            (#"{"url":"h?x=1&password=S","a":1}"#, #"{"url":"h?x=1&password=[redacted]","a":1}"#),
            ("login=S&a=1", "login=[redacted]&a=1"),
            ("a=1\nlogin=S\r\nb=2\n", "a=1\nlogin=[redacted]\r\nb=2\n"),
            (#" [1,"a?login=S",2]"#, #" [1,"a?login=[redacted]",2]"#),
            (#""a?login=S""#, #""a?login=[redacted]""#),
            (#"password=S"S&a=1"#, "password=[redacted]&a=1"),
            (#"password={S,"S":"S"}&a=1"#, "password=[redacted]&a=1"),
        ])
    func contentTypes(body: String, expected: String) throws {
        try check(body, expected)
    }

    @Test(
        "in JSON that a parameter carries",
        arguments: [
            ("result=%7B%22password%22%3A%22S%22%7D", "result=%7B%22password%22%3A%22[]%22%7D"),
            (
                "result=%7b%22password%22%20:%20%22S%22,%22a%22:1%7d&b=2",
                "result=%7b%22password%22%20:%20%22[]%22,%22a%22:1%7d&b=2"
            ),
            (
                "r=%7B%22login%22+%3A+12%2C+%22a%22%3A1%7D",
                "r=%7B%22login%22+%3A+%22[]%22%2C+%22a%22%3A1%7D"
            ),
            ("%7B%22password%22%3A%22S%22%7D", "%7B%22password%22%3A%22[]%22%7D"),
            ("r=%7B%22%70assword%22%3A%22S%22%7D", "r=%7B%22%70assword%22%3A%22[]%22%7D"),
            ("r=%7B%22p%5Cu0061ssword%22%3A%22S%22%7D", "r=%7B%22p%5Cu0061ssword%22%3A%22[]%22%7D"),
            ("r=%7B%22secret%22%3A%22a%26b%5C%22S%22%7D&c", "r=%7B%22secret%22%3A%22[]%22%7D&c"),
            ("a=%zz&r=%7B%22login%22%3A%22S", "a=%zz&r=%7B%22login%22%3A%22[]%22"),
            (
                "r=%7B%22a%22%3A%22%D0%9F%22%2C%22login%22%3A%22S%22%7D&login=S",
                "r=%7B%22a%22%3A%22%D0%9F%22%2C%22login%22%3A%22[]%22%7D&login=[redacted]"
            ),
        ])
    func encodedJSON(pairs: String, short: String) throws {
        let expected = short.replacing("[]", with: "%5Bredacted%5D")
        #expect(body(pairs) == expected)
        #expect(target("/callbacks/ailet?" + pairs) == "/callbacks/ailet?" + expected)
    }

    @Test(
        "in JSON that a parameter carries unencoded",
        arguments: [
            (#"r={"password":"S"}&b=2"#, #"r={"password":"[redacted]"}&b=2"#),
            (#"r={"password":12}&b=2"#, #"r={"password":"[redacted]"}&b=2"#),
            (#"r={"password":"S&S","a":1}&b=2"#, #"r={"password":"[redacted]","a":1}&b=2"#),
            (#"r={"a":"h?password=S","b":1}&b=2"#, #"r={"a":"h?password=[redacted]","b":1}&b=2"#),
            (#"r={\"password\":\"S\"}&b=2"#, #"r={\"password\":\"[redacted]\"}&b=2"#),
            (#"r={"a":"{\"login\":\"S\"}"}&b=2"#, #"r={"a":"{\"login\":\"[redacted]\"}"}&b=2"#),
        ])
    func plainJSON(pairs: String, expected: String) throws {
        #expect(body(pairs) == expected)
        #expect(target("/?" + pairs) == "/?" + expected)
    }

    @Test(
        "in a URL that a parameter carries",
        arguments: [
            (
                "back=intelligenceretail%3A%3Fmethod%3Dvisit%26login%3DS%26password%3DS",
                "back=intelligenceretail%3A%3Fmethod%3Dvisit%26login%3D[]%26password%3D[]"
            ),
            ("a=1&back=h%3Flogin%3DS%26b%3D2&c=3", "a=1&back=h%3Flogin%3D[]%26b%3D2&c=3"),
            ("back=h?a=1%26login%3DS", "back=h?a=1%26login%3D[]"),
            ("back=h%3Flogin=S%26S&c=3", "back=h%3Flogin=[redacted]&c=3"),
            ("login%3DS%26pass=S", "login%3D[]%26pass=[redacted]"),
            ("back=h%3Fto%3Di%253Flogin%253DS&c", "back=h%3Fto%3Di%253Flogin%253D[[]]&c"),
            (
                "back=h%3Fr%3D%257B%2522login%2522%253A%2522S%2522%257D%26d%3D1",
                "back=h%3Fr%3D%257B%2522login%2522%253A%2522[[]]%2522%257D%26d%3D1"
            ),
        ])
    func encodedURLs(pairs: String, short: String) throws {
        let expected =
            short
            .replacing("[[]]", with: "%255Bredacted%255D")
            .replacing("[]", with: "%5Bredacted%5D")
        #expect(body(pairs) == expected)
        #expect(target("a:?" + pairs) == "a:?" + expected)
    }

    @Test(
        "in a string of JSON",
        arguments: [
            (
                #"{"result":"{\"password\":\"S\"}","a":1}"#,
                #"{"result":"{\"password\":\"[redacted]\"}","a":1}"#
            ),
            (#"{"a":"\"login\":1"}"#, #"{"a":"\"login\":\"[redacted]\""}"#),
            (
                #"{"a":"{\u0022password\u0022:\u0022S\u0022}"}"#,
                #"{"a":"{\u0022password\u0022:\"[redacted]\"}"}"#
            ),
            (
                #"{"a":"{\"b\":\"{\\\"secret\\\":\\\"S\\\"}\"}","c":2}"#,
                #"{"a":"{\"b\":\"{\\\"secret\\\":\\\"[redacted]\\\"}\"}","c":2}"#
            ),
            (
                #"{"url":"https:\/\/h?login=S\u0026b=1","c":"x"}"#,
                #"{"url":"https:\/\/h?login=[redacted]\u0026b=1","c":"x"}"#
            ),
            (
                #"{"url":"h?back=a%3Fpassword%3DS%26b%3D1","c":2}"#,
                #"{"url":"h?back=a%3Fpassword%3D%5Bredacted%5D%26b%3D1","c":2}"#
            ),
            (
                #"{"url":"h#access_token=S","login=S":"password=S"}"#,
                #"{"url":"h#access_token=[redacted]","login=[redacted]":"password=[redacted]"}"#
            ),
            (#"{"a":"h?login=a\"S","b":1}"#, #"{"a":"h?login=[redacted]","b":1}"#),
            (#"{"a":"p\u002561ssword=S"}"#, #"{"a":"p\u002561ssword=[redacted]"}"#),
            (#"{"a":"p\u005cu0061ssword=S"}"#, #"{"a":"p\u005cu0061ssword=[redacted]"}"#),
            (#"{"a":"api\u0020key=S"}"#, #"{"a":"api\u0020key=[redacted]"}"#),
            (#"{"a":"{'pwd':['S']}"}"#, #"{"a":"{'pwd':\"[redacted]\"}"}"#),
        ])
    func strings(body: String, expected: String) throws {
        try check(body, expected)
    }

    @Test(
        "but nothing else",
        arguments: [
            "a=100%25&b=%7B%22x%22%3A%22login%22%7D", "back=h%3Flogin%26password",
            #"{"a":"h?tokens=1","b":"%22%3D%22"}"#, #"{"a":"\u0041\"=\"","b":["\\"]}"#,
            "back=h%3Fx%3D%252541", #"\"#, #"\""#, #""\"#, "%", "%5Cu0", #"r={"a":"\u00"}"#,
        ])
    func others(text: String) throws {
        try check(text, text)
        #expect(target("/?" + text) == "/?" + text)
    }

    @Test("but not in the Base64 of a picture that begins like JSON by chance")
    func picture() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<100 {
            let picture = (0..<30_000).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            var text = Base64Text.encode(picture, urlSafe: false)
            for start in [103, 9_003, 20_003, 26_003, 30_003, 34_003] {
                text.replaceSubrange(start..<start + 4, with: "/eyJ".utf8)
            }
            // Decoded, this has a name of a credential and a separator.
            text.replaceSubrange(
                36_000..<36_008, with: Base64Text.encode(Array(" otp=1".utf8), urlSafe: false))
            #expect(Redaction.redactBody(text) == text)
        }
    }

    @Test("in JSON of another encoding than UTF-8 in Base64")
    func latin() {
        let json = Array(#"{"name":"J"#.utf8) + [0xF6] + Array(#"rg","password":"secret-1"}"#.utf8)
        let text =
            "a=1&data=" + String(decoding: Base64Text.encode(json, urlSafe: false), as: UTF8.self)
        let redacted = body(text)
        #expect(redacted != text)
        #expect(redacted.hasPrefix("a=1&data=eyJ"))
    }

    @Test("but not across the parts of a closed form behind a preamble")
    func preamble() {
        let note = "Content-Disposition: form-data; name=\"note\"\r\n\r\nit's\r\n--b--\r\n\r\n"
        let form =
            "A form.\r\n\r\n--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n"
            + "password: 'it\r\n--b\r\n"
        #expect(body(form + note).hasSuffix("\r\n--b\r\n" + note))
    }

    @Test("no deeper than its limit, in time that grows with the length", .timeLimit(.minutes(4)))
    func depth() {
        var text = Array("login=S".utf8)
        for _ in 0..<6 { text = PercentEncoding.encode(text) }
        #expect(Redaction.redactBody(text) == text)
        for piece in [
            #"""#, #"\""#, #"{""#, #"\"login\":"#, "login", "%5C%22", "%25%32%35", "login=", "=:",
            #""login":["#, #"":"#, "%3Alogin%3D&", #"\\"#, "        :", "___=",
        ] {
            let bytes = Array(String(repeating: piece, count: 200_000 / piece.utf8.count).utf8)
            _ = Redaction.redactBody(bytes)
            _ = Redaction.redactTarget(Array("?".utf8) + bytes)
        }
    }

    /// A body that must become `expected`, valid JSON if it was, and then stay so.
    private func check(_ text: String, _ expected: String) throws {
        #expect(body(text) == expected)
        #expect(body(expected) == expected)
        if (try? JSONDocument(parsing: Array(text.utf8))) != nil {
            _ = try JSONDocument(parsing: Array(expected.utf8))
        }
    }

    private func body(_ text: String) -> String {
        String(decoding: Redaction.redactBody(Array(text.utf8)), as: UTF8.self)
    }

    private func target(_ text: String) -> String {
        String(decoding: Redaction.redactTarget(Array(text.utf8)), as: UTF8.self)
    }
}
