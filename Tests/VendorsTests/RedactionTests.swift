// What must never reach the disk, in every spelling.
// Each table has its counterpart of text that must stay as it is.

import JSON
import Testing

@testable import Vendors

@Suite("Redaction")
struct RedactionTests {
    @Test(
        "hides credentials in targets",
        arguments: [
            ("/?login=bob&password=x", "/?login=[redacted]&password=[redacted]"),
            ("a:?method=visit&PassWord=a=b&id=1", "a:?method=visit&PassWord=[redacted]&id=1"),
            ("/?p%61ssword=x#top", "/?p%61ssword=[redacted]#top"),
            (
                "/?api_key=1&apiKey=2&api-key=3",
                "/?api_key=[redacted]&apiKey=[redacted]&api-key=[redacted]"
            ),
            ("/?a=1;password=x;y&b=2", "/?a=1;password=[redacted]&b=2"),
            ("/?cb=https://h/?secret=x&b=2", "/?cb=https://h/?secret=[redacted]&b=2"),
            ("/#access_token=x&b=1", "/#access_token=[redacted]&b=1"),
            ("/?login=&login", "/?login=[redacted]&login"),
            ("/?password=%zz%", "/?password=[redacted]"),
            ("/?pasword=x&pass=y&pwd=z", "/?pasword=[redacted]&pass=[redacted]&pwd=[redacted]"),
            ("/?password[]=x&login[0]=y", "/?password[]=[redacted]&login[0]=[redacted]"),
            (
                "/?password%5B%5D=x&a%5Blogin%5D%5b12%5d=y",
                "/?password%5B%5D=[redacted]&a%5Blogin%5D%5b12%5d=[redacted]"
            ),
            (
                "/?login =x&login%20=y&login+=z",
                "/?login =[redacted]&login%20=[redacted]&login+=[redacted]"
            ),
            ("/?cb=https://u:p@h/?a@b", "/?cb=https://[redacted]@h/?a@b"),
            ("/?cb=https%3A%2F%2Fu%3Ap%40h%2F&x=1", "/?cb=https%3A%2F%2F%5Bredacted%5D%40h%2F&x=1"),
        ])
    func targets(target: String, expected: String) {
        #expect(text(Redaction.redactTarget(Array(target.utf8))) == expected)
    }

    @Test(
        "leaves other targets as they are",
        arguments: [
            "", "/", "/login", "/?", "/?loginx=1&xlogin=2", "/?user=password", "/?=&;#?%&%4",
            "/?passed=1&compass=2&pass[a]=3", "/?mail=a@b.c&u=https://h/a@b", "/?login[a0]=1",
            "/?u=https://h?a@b&v=//c", "/?verylongnameverylongnameverylongname=1", "/?token=t",
        ])
    func otherTargets(target: String) {
        #expect(text(Redaction.redactTarget(Array(target.utf8))) == target)
    }

    @Test(
        "hides credentials in forms",
        arguments: [
            ("login=a+b&x=1", "login=[redacted]&x=1"), ("x=1&secret=a#b", "x=1&secret=[redacted]"),
            ("user_password=1;2&y", "user_password=[redacted]&y"),
            ("x=?login=1", "x=?login=[redacted]"),
            ("user[password]=a&y", "user[password]=[redacted]&y"),
            ("user%5Bpassword%5D=a%26b&y", "user%5Bpassword%5D=[redacted]&y"),
            ("tags[]=a&secret[0][1]=b", "tags[]=a&secret[0][1]=[redacted]"),
            ("", ""), ("login", "login"),
        ])
    func forms(body: String, expected: String) {
        #expect(text(Redaction.redactBody(Array(body.utf8))) == expected)
    }

    @Test(
        "keeps Base64 of JSON that looks like a name before its padding",
        arguments: [
            "eyJhYmpwdCI6IjEifQ==", "eyJhYmpwdCI6IjEyIn0=", "a=1&response=eyJhYmpwdCI6IjEyIn0=",
            "response=eyJhYmpwdCI6IjEifQ==&a=1", "response=eyJhYmpwdCI6IjEifQ%3D%3D",
            "response=eyJhYmpwdCI6IjEifQ%3d%3d&login%5B0", "response=eyJhYmpwdCI6IjEyMyJ9",
            "login_page=&response=eyJhYmpwdCI6IjEifQ==",
        ])
    func padding(body: String) {
        #expect(text(Redaction.redactBody(Array(body.utf8))) == body)
        let target = "/?" + body
        #expect(text(Redaction.redactTarget(Array(target.utf8))) == target)
        let json = #"{"a":"\#(body)"}"#
        #expect(text(Redaction.redactBody(Array(json.utf8))) == json)
    }

    @Test(
        "hides what follows Base64 of JSON",
        arguments: [
            ("eyJhYmpwdCI6IjEyIn0=S", "eyJhYmpwdCI6IjEyIn0=[redacted]"),
            ("a=eyJhIjoxMjM0NTY3OH0&pwd=S", "a=eyJhIjoxMjM0NTY3OH0&pwd=[redacted]"),
            ("a=eyJhIjoxMjM0NTY3OH0=pwd=S", "a=eyJhIjoxMjM0NTY3OH0=pwd=[redacted]"),
            ("a=eyJhIjoxMjM0NTY3OH0%26pwd=S", "a=eyJhIjoxMjM0NTY3OH0%26pwd=[redacted]"),
            ("a=eyJhIjoxMjM0NTY3+AKIAAAAABBBBCCCCDDDD", "a=eyJhIjoxMjM0NTY3+[redacted]"),
            ("a=eyJhIjoxMjM0NTY3-sk_live_abcdefgh", "a=eyJhIjoxMjM0NTY3-[redacted]"),
        ])
    func afterBase64(body: String, expected: String) {
        #expect(text(Redaction.redactBody(Array(body.utf8))) == expected)
    }

    @Test(
        "hides members of JSON at any depth, whatever their value",
        arguments: [
            (#"{"login":"bob","x":1}"#, #"{"login":"[redacted]","x":1}"#),
            (#"{"a":[{"PASSWORD" : 12 }]}"#, #"{"a":[{"PASSWORD" : "[redacted]" }]}"#),
            (#"{"secret":{"a":["}"]},"b":2}"#, #"{"secret":"[redacted]","b":2}"#),
            (#"{"secret":[[1],"]"],"b":2}"#, #"{"secret":"[redacted]","b":2}"#),
            (#"{"p\u0061ssword":"a\"b","b":null}"#, #"{"p\u0061ssword":"[redacted]","b":null}"#),
            (
                #"{"login":"login","password":true}"#,
                #"{"login":"[redacted]","password":"[redacted]"}"#
            ),
        ])
    func json(body: String, expected: String) throws {
        #expect(text(Redaction.redactBody(Array(body.utf8))) == expected)
        _ = try JSONDocument(parsing: Array(expected.utf8))
    }

    @Test(
        "hides credentials in text that is not quite JSON",
        arguments: [
            (#"{"password":"x""#, #"{"password":"[redacted]""#),
            (#"{"password":"x"#, #"{"password":"[redacted]""#),
            (#"{"password":{"a":1"#, #"{"password":"[redacted]""#),
            (#"{"a":"x,"password":"y"}"#, #"{"a":"x,"password":"[redacted]"}"#),
            ("{\"password\": hunter2 ,\n}", "{\"password\": \"[redacted]\",\n}"),
            (#""password":"#, #""password":"#), (#""password"#, #""password"#),
        ])
    func brokenJSON(body: String, expected: String) {
        #expect(text(Redaction.redactBody(Array(body.utf8))) == expected)
    }

    @Test(
        "leaves other JSON as it is",
        arguments: [
            "", "\"", #"{"a":"password"}"#, #"["login","password"]"#, #"{"a":"\"login\""}"#,
            Published.ailetReportWithTask,
        ])
    func otherJSON(body: String) {
        #expect(text(Redaction.redactBody(Array(body.utf8))) == body)
    }

    @Test("keeps credentials out of decoded values")
    func decoded() {
        let parameters = [("stress", "1"), ("status", "cancelled"), ("Api_Key", "hush")]
        for vendor in [Vendor.welltory, .dimmy] {
            for carrier in Carrier.allCases {
                let decoding = Decoding(of: carrier.callback(parameters), from: vendor)
                #expect(decoding.text?.contains(#""Api_Key":"[redacted]""#) == true)
                #expect(decoding.text?.contains("hush") == false)
            }
        }
        let report = #"{"status":"IR_ERROR","report":{"login":"bob"}}"#
        let decoding = Decoding(json: report, from: .ailet)
        #expect(decoding.root?["report"]?["login"]?.string == "[redacted]")
    }

    @Test(
        "hides what URLs say before their host",
        arguments: [
            (#"{"url":"https://u:p@h/"}"#, #"{"url":"https://[redacted]@h/"}"#),
            (#"{"url":"https:\/\/u:p@h\/"}"#, #"{"url":"https:\/\/[redacted]@h\/"}"#),
            ("see ftp://bob@h, or mailto:a@b.c", "see ftp://[redacted]@h, or mailto:a@b.c"),
            ("x=http://a@b@h/&y=2", "x=http://[redacted]@h/&y=2"),
        ])
    func userInformation(body: String, expected: String) {
        #expect(text(Redaction.redactBody(Array(body.utf8))) == expected)
        #expect(text(Redaction.redactBody(Array(expected.utf8))) == expected)
    }

    @Test(
        "keeps credentials out of findings",
        arguments: [
            ("stress=0.5%26password%3DHUSH", Vendor.welltory),
            ("stress%3D0.5%26password%3DHUSH", .welltory),
            ("stress=abc;password=HUSH", .welltory), ("status=error&error=api_key%3DHUSH", .dimmy),
            ("result=%7B%22status%22%3A%22password%3DHUSH%22%7D", .ailet),
            ("result=%7B%22status%22%3A1%2C%22pass%3DHUSH%22%3A1%7D", .ailet),
        ])
    func findings(query: String, vendor: Vendor) {
        let decoding = Decoding(of: Callback(target: Array("/?\(query)".utf8)), from: vendor)
        #expect(!decoding.diagnostics.isEmpty)
        for finding in decoding.diagnostics { #expect(!"\(finding)".contains("HUSH")) }
    }

    @Test("knows the fields that carry secrets, in any letter case")
    func fields() {
        for name in [
            "Authorization", "proxy-authorization", "COOKIE", "Set-Cookie", "X-Api-Key", "X-Cookie",
        ] {
            #expect(Redaction.isSecretField(Array(name.utf8)[...]))
        }
        for name in ["", "Host", "Idempotency-Key", "Author", "svix-signature"] {
            #expect(!Redaction.isSecretField(Array(name.utf8)[...]))
        }
    }

    @Test("takes a very long name for a credential's if one of the words is anywhere in it")
    func longNames() {
        let long = String(repeating: "Ab_", count: 400)
        for (name, isCredential) in [
            ("secretary", false), ("Ab_secretary", false), (long, false),
            ("\(long)secretary", true), ("secretary\(long)", true), ("password\(long)", true),
        ] {
            #expect(Redaction.isCredential(Array(name.utf8)[...]) == isCredential, "\(name)")
        }
    }

    @Test(
        "hides credentials in a host, but not its port",
        arguments: [
            ("password=x.example:80", "password=[redacted]:80"), ("password:80", "password:80"),
            ("pwd=x", "pwd=[redacted]"), ("[::1]:8080", "[::1]:8080"), ("[fe80::1]", "[fe80::1]"),
            ("www.yourapp.com", "www.yourapp.com"), ("login.example:", "login.example:"), ("", ""),
        ])
    func hosts(host: String, expected: String) {
        #expect(text(Redaction.redactAuthority(Array(host.utf8))) == expected)
        let name = Array("HOST".utf8)[...]
        #expect(text(Array(Redaction.redact(Array(host.utf8)[...], ofField: name))) == expected)
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
