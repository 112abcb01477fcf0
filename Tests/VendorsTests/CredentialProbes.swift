// Requests that hold a credential in every way that is known: what a client puts into the wrong place.
// Invariant: each probe holds `secret` once or more, and nothing else of it may be in any other probe.

import Testing
import Text

@testable import Vendors

/// A request with a credential somewhere in it.
struct CredentialProbe: Sendable, CustomTestStringConvertible {
    /// What no stored byte may hold.
    static let secret = "Zq7SECRETxK"

    let name: String
    var target = "/callbacks/raw"
    var fields: [(name: String, value: String)] = []
    var body: [UInt8] = []

    var testDescription: String { name }

    /// Names of credentials, as partners write them.
    static let names = [
        "password", "Password", "PASSWORD", "passwd", "pwd", "pass", "pass_word", "passphrase",
        "passcode", "pasword", "new_password", "password1", "password_confirmation", "dbPassword",
        "db.password", "user_pwd", "userpwd", "user_pass", "login", "user_login", "secret",
        "client_secret", "clientSecret", "Client-Secret", "appSecret", "secrets", "secretKey",
        "secret_key", "apikey", "api_key", "apiKey", "APIKey", "X-API-Key", "x-api-key", "auth_key",
        "authKey", "access_key", "AccessKeyId", "private_key", "encryptionKey", "signing-key",
        "session_key", "partner_auth_key", "access_token", "accessToken", "accesstoken",
        "refresh_token", "id_token", "auth_token", "csrf_token", "session_token", "_xsrf",
        "X-Amz-Security-Token", "X-Forwarded-Access-Token", "authorization",
        "proxy_authorization", "credentials", "aws_credential", "jwt", "bearer", "cookie",
        "set-cookie", "otp", "otp_code", "totp", "PHPSESSID", "JSESSIONID", "auth_code",
        "basic_auth", "x-auth", "api_secret", "key_secret", "subscription-key", "api.key",
        "user.token", "access.token", "session.key", "auth.code", "basic.auth", "private.key",
        "connect.sid", "id.token", "aws.secret.key", "client.key[0]", "credentials[user.token]",
    ]

    /// Names that count in header fields only.
    static let fieldNames = [
        "Token", "Auth", "X-Auth", "X-Token", "Authentication", "Login", "Secret",
    ]

    /// Values that look like credentials.
    static let looks = [
        "Bearer \(secret)", "bearer \(secret)", "Bearer  \(secret).x",
        "Basic dTpacTdTRUNSRVR4Sw==", "Basic dTpacTdTRUNSRVR4Swo=",
        "Basic dTpacTdTRUNSRVR4Sw==. It failed", "Basic+dTpacTdTRUNSRVR4Sw+failed+today",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1In0.\(secret)",
        "eyAiYWxnIjoiSFMyNTYifQ.e30.\(secret)", "ew0KICJhbGciOiJIUzI1NiJ9.e30.\(secret)",
        "ewkiYWxnIjoiSFMyNTYifQ.e30.\(secret)", "ewoiYWxnIjoiSFMyNTYifQ.e30.\(secret)",
        "eyJhbGciOiJub25lIn0.\(secret).", "sk_live_\(secret)", "sk_test_\(secret)",
        "rk_live_\(secret)", "whsec_\(secret)", "ghp_\(secret)", "gho_\(secret)", "ghs_\(secret)",
        "github_pat_\(secret)", "glpat-\(secret)", "xoxb-\(secret)", "xoxp-1-\(secret)",
        "xapp-\(secret)", "AIza\(secret)\(secret)", "npm_\(secret)\(secret)",
        "SG.\(secret)_\(secret).\(secret)_\(secret)-\(secret)", "sk-\(secret)\(secret)",
        "sk-ant-api03-\(secret)\(secret)-a_b", "sk-proj-a_b-\(secret)\(secret)",
        "sk-ant-api03-AbCdEfGh-\(secret)_x", "sk-proj-AbCdEfGh_\(secret)-x",
        "sk-svcacct-AbCdEfGh-\(secret)_x", "sk-admin-AbCdEfGh_\(secret)-x",
        "shpat_\(secret)", "pypi-\(secret)\(secret)", "ya29.\(secret)",
        "-----BEGIN PRIVATE KEY-----\n\(secret)\n-----END PRIVATE KEY-----",
        "-----BEGIN RSA PRIVATE KEY-----\n\(secret)", "https://user:\(secret)@example.com/",
        "//user:\(secret)@example.com/a", "postgres://u:\(secret)@db:5432/x", "ftp://\(secret)@h",
    ]

    /// Bodies with a credential in a shape of their own; `§` is the secret.
    static let bodies = [
        // Names beside values.
        #"{"name":"password","value":"§"}"#, #"{"value":"§","name":"password"}"#,
        #"[{"key":"api_key","value":"§"}]"#, #"{"a":[{"field":"secret","val":"§"}]}"#,
        #"{"label":"Your password:","value":"§"}"#, #"{"headers":[{"name":"Cookie","value":"§"}]}"#,
        #"{"headers":[{"name":"Token","value":"§"}]}"#, #"[["X-Api-Key","§"],["a","b"]]"#,
        "fields[0][name]=password&fields[0][value]=§", "name=password&value=§&a=1",
        #"<input name="password" value="§">"#, "<key>password</key><string>§</string>",
        #"<add key="ApiKey" value="§"/>"#, #"{"name":"password","value":"§""#,
        "r=%7B%22name%22%3A%22password%22%2C%22value%22%3A%22§%22%7D",
        #"r={"name":"password","value":"§"}&b=1"#,
        // Free text.
        "password: §", "Password : §\nuser: bob", "user: bob\npassword=§", "PASSWORD=§",
        "api key: §", "API Key = §", "Client Secret: §", "Access Token: §", "export API_KEY=§",
        "password=>§", "password := §", "dsn=host=h password=§ user=u", "pwd='§ T' x=1",
        "Authorization: Basic §", "Authorization: Digest username=§", "Cookie: a=§",
        "X-Forwarded-Access-Token: §", #"{"note":"your password: §"}"#, #"{"note":"pwd=§"}"#,
        #"["user=bob;password=§"]"#, "login: §\r\n",
        // Not quite JSON.
        "{'password':'§'}", "{password:'§'}", "{password: §, a: 1}", "{ api_key : \"§\" }",
        #"{"password":"§","#, #"{"password":§}"#, #"{"password":"§"#, #"{"a":"b" "password":"§"}"#,
        "{'a':{'secret':['§']}}", #"{"password":{"a":"§""#, "\u{FEFF}{\"password\":\"§\"}",
        // JSON in JSON.
        #"{"a":"{\"password\":\"§\"}"}"#, #"{"a":"{\"b\":\"{\\\"secret\\\":\\\"§\\\"}\"}"}"#,
        #"{"a":"[{\"name\":\"password\",\"value\":\"§\"}]"}"#, #"{"p\u0061ssword":"§"}"#,
        #"{"a":"{\u0022pwd\u0022:\u0022§\u0022}"}"#, #"{"a":"api\u005fkey=§"}"#,
        #"{"a":"https:\/\/u:§@h\/"}"#, #"{"a":"-----BEGIN PRIVATE KEY-----\n§\n"}"#,
        // Markup.
        "<password>§</password>", "<a><ns:apiKey id=\"1\">§</ns:apiKey></a>",
        #"<user password="§" name="x"/>"#, "<secret><![CDATA[§]]></secret>",
        "<user password='§'/>", "<credentials><b>§</b></credentials>",
        // Percent-encoded, once and twice.
        "a=h%3Fpassword%3D§", "a=h%3Fb%3Dh%253Fpassword%253D§", "p%61ssword=§",
        "api%5Fkey=§", "a=%7B%22password%22%3A%22§%22%7D", "a=Bearer%20§1", "a=Bearer+§1",
        "a=Bearer+abcd%2B§", "a=Basic+dTpa%2BdTpacTdTRUNSRVR4Sw", "a=Basic+dTpab%2f§%3D",
        "a=https%3A%2F%2Fu%3A§%40h", "a=sk%5Flive%5F§", "user%5Bpassword%5D=§",
        "a=%257B%2522secret%2522%253A%2522§%2522%257D", "a=api%20key%3A%20§",
        // Arrays and objects as values.
        #"{"password":["§"]}"#, #"{"credentials":{"user":"u","code":"§"}}"#, "password[]=§",
        "password[0]=§", "password[new]=§", #"{"tokens":{"access_token":"§"}}"#,
    ]

    /// Parts of a multipart form: the name of a part and its content.
    static let parts = [
        ("password", "§"), ("user[api_key]", "§"), ("note", "password=§"),
        ("json", #"{"pwd":"§"}"#),
        ("file\"; filename=\"a.txt", "-----BEGIN PRIVATE KEY-----\n§\n"),
    ]

    /// Multipart forms that aren't by the book, or that not every reader reads alike.
    static let forms = [
        form("Content-Disposition: form-data; Name=\"password\"\r\n\r\n§"),
        form("content-disposition: form-data; NAME = password\r\n\r\n§"),
        form("Content-Disposition: form-data; filename=\"a;name=x\"; name=\"password\"\r\n\r\n§"),
        form(
            "Content-Type: text/plain; name=x\r\nContent-Disposition: form-data; "
                + "name=\"password\"\r\n\r\n§"),
        form("Content-Disposition: form-data; name*=UTF-8''p%61ssword\r\n\r\n§"),
        form("Content-Disposition: form-data; name=\r\n \"password\"\r\n\r\n§"),
        form("Content-Disposition: form-data; name\r\n\t = \r\n password\r\n\r\n§"),
        form("Content-Disposition: form-data; name*1=\"word\"; name*0=\"pass\"\r\n\r\n§"),
        form("Content-Disposition: form-data; name*0*=UTF-8''pa; name*1*=sswor%64\r\n\r\n§"),
        "\r\n \r\n--b\r\nX: 1\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n"
            + "§\r\n--b--\r\n",
        form("Content-Type: a/b\r\nContent-Disposition: form-data; name=\"password\"\r\n§"),
        form("Content-Disposition: form-data; name=\"password\"\r\n\r\na\r\n--bb\r\n§"),
        form("Content-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--b\r\npassword=§"),
        "Preamble\r\n\r\n"
            + form("Content-Disposition: form-data; name=\"password\"\r\n\r\n§"),
        // No forms, though a line looks like a boundary.
        "{\"password\":\"abc\n--x\nContent-foo: bar\n§\",\"a\":1}",
        "{\"a\":1,\n--x\nContent-foo: bar\n\"password\":\"abc\n--x\n§\"}",
        "note\npassword: 'abc\n--x\nContent-foo: bar\n§'\n",
        form(
            "Content-Disposition: form-data; name=\"a\"\r\n\r\n{\"password\":\"abc\r\n--x\r\n"
                + "Content-foo: bar\r\n§\"}"),
        "\r\n--b \r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n§\r\n--b--\r\n",
        "--b\rContent-Disposition: form-data; name=\"password\"\r\r§\r--b--\r",
        "-----BEGIN PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n§\n-----END PRIVATE KEY-----\n",
    ]

    private static func form(_ part: String) -> String { "--b\r\n\(part)\r\n--b--\r\n" }

    /// Targets with a credential outside of the query.
    static let targets = [
        "/reset/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1In0.§", "/invite/sk_live_§", "/a;password=§/b?c=1",
        "/go/https://u:§@h/x", "/#access_token=§", "/a?b=c#id_token=§&d=e", "/login=§",
        "/r/ghp_§a1?x=1", "https://u:§@h/?x=1", "/?a=1;password=§", "/?r={\"password\":\"§\"}",
    ]

    /// All probes.
    static let all: [CredentialProbe] = {
        var probes: [CredentialProbe] = []
        for name in names { probes += named(name) }
        for name in fieldNames {
            probes.append(CredentialProbe(name: "field \(name)", fields: [(name, secret)]))
        }
        for value in looks { probes += looking(value) }
        for body in bodies {
            let bytes = filled(body)
            let encoded = String(decoding: PercentEncoding.encode(bytes), as: UTF8.self)
            probes.append(CredentialProbe(name: "body \(body)", body: bytes))
            probes.append(CredentialProbe(name: "parameter \(body)", target: "/?x=" + encoded))
        }
        for (name, content) in parts {
            probes.append(CredentialProbe(name: "part \(name)", body: multipart(name, content)))
        }
        for form in forms {
            probes.append(CredentialProbe(name: "form \(form)", body: filled(form)))
        }
        for target in targets {
            let text = String(decoding: filled(target), as: UTF8.self)
            probes.append(CredentialProbe(name: target, target: text))
        }
        return probes + wide
    }()

    private static func named(_ name: String) -> [CredentialProbe] {
        [
            CredentialProbe(name: "field \(name)", fields: [(name, secret)]),
            CredentialProbe(name: "query \(name)", target: "/?a=1&\(name)=\(secret)&b=2"),
            CredentialProbe(name: "form \(name)", body: Array("a=1&\(name)=\(secret)&b=2".utf8)),
            CredentialProbe(
                name: "JSON \(name)",
                body: Array(#"{"a":[{"b":{"\#(name)":"\#(secret)"}}],"c":1}"#.utf8)),
            CredentialProbe(name: "text \(name)", body: Array("a: b\n\(name): \(secret)\n".utf8)),
            CredentialProbe(
                name: "XML \(name)", body: Array("<a><\(name)>\(secret)</\(name)></a>".utf8)),
        ]
    }

    private static func looking(_ value: String) -> [CredentialProbe] {
        let line = String(value.map { $0 == "\n" ? " " : $0 })
        let encoded = String(decoding: PercentEncoding.encode(value.utf8), as: UTF8.self)
        let json = value.split(separator: "\n", omittingEmptySubsequences: false)
            .joined(separator: "\\n")
        return [
            CredentialProbe(name: "field with \(line)", fields: [("X-Other", line)]),
            CredentialProbe(name: "query with \(line)", target: "/?a=1&x=\(encoded)&b=2"),
            CredentialProbe(name: "JSON with \(line)", body: Array(#"{"x":["\#(json)"]}"#.utf8)),
            CredentialProbe(name: "text with \(line)", body: Array("see \(value)".utf8)),
        ]
    }

    /// A text with the secret where `§` stands.
    private static func filled(_ text: String) -> [UInt8] {
        Array(text.replacing("§", with: secret).utf8)
    }

    private static func multipart(_ name: String, _ content: String) -> [UInt8] {
        Array("--b0\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n".utf8)
            + filled(content) + Array("\r\n--b0\r\nContent-Disposition: form-data; ".utf8)
            + Array("name=\"kept\"\r\n\r\nKEPT\r\n--b0--\r\n".utf8)
    }

    /// In UTF-16 and UTF-32, with and without a byte order mark.
    private static let wide: [CredentialProbe] = [
        #"{"password":"§"}"#, "a=1&password=§", "password: §",
    ].flatMap { text in
        let units = Array(String(decoding: filled(text), as: UTF8.self).utf16)
        let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let large = units.flatMap { [UInt8(0), 0, UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        return [
            CredentialProbe(name: "UTF-16LE \(text)", body: little),
            CredentialProbe(name: "UTF-16BE \(text)", body: big),
            CredentialProbe(name: "UTF-16LE with mark \(text)", body: [0xFF, 0xFE] + little),
            CredentialProbe(name: "UTF-16BE with mark \(text)", body: [0xFE, 0xFF] + big),
            CredentialProbe(name: "odd UTF-16LE \(text)", body: [0xFF, 0xFE] + little + [0x20]),
            CredentialProbe(name: "UTF-32BE \(text)", body: large),
        ]
    }
}
