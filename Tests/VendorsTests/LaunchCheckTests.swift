// What vendors object to in a launch link, each with its place, and what their apps do then.
// Left out: links that are right, which `LaunchURLTests` reads again.

import JSON
import Testing

@testable import Vendors

@Suite("Launch checks")
struct LaunchCheckTests {
    /// One link and the finding that matters in it.
    struct Case: Sendable {
        let link: String
        let code: String
        let severity: Diagnostic.Severity
        /// What stands at the finding's offset; nil where nothing does.
        let at: String?
        /// Words of the finding's expectation, text or hint.
        let says: String
        let reaction: Reaction.Kind

        init(
            _ link: String, _ severity: Diagnostic.Severity, _ code: String, at: String? = nil,
            says: String, _ reaction: Reaction.Kind = .nothing
        ) {
            (self.link, self.code, self.severity) = (link, code, severity)
            (self.at, self.says, self.reaction) = (at, says, reaction)
        }
    }

    private static let flux = "https://flux.api.optioryx.com/open?"
    private static let dimmy = "https://dimmy.api.optioryx.com/open?"
    private static let welltory = "https://welltory.com/action/dds/measurement?"
    private static let ailet = "intelligenceretail:?"

    static let dimmyCases: [Case] = [
        Case(
            flux + "callback=app://x", .error, "missing_parameter", says: "flowName", .returns),
        Case(flux, .error, "missing_parameter", says: "flowName"),
        Case(
            flux + "flowName=&callback=app://x", .error, "missing_parameter", at: "flowName=",
            says: "a value of flowName", .returns),
        Case(
            flux + "flow=a&callback=app://x", .error, "older_contract", at: "flow=a",
            says: "by their name", .returns),
        Case(
            flux + "flowId=a&callback=app://x", .error, "older_contract", at: "flowId",
            says: "flowName", .returns),
        Case(
            flux + "flowname=a&callback=app://x", .error, "wrong_letter_case", at: "flowname",
            says: "letter by letter", .returns),
        Case(
            flux + "flowNam=a&callback=app://x", .error, "missing_parameter", at: "flowNam",
            says: "did you mean flowName?", .returns),
        Case(
            flux + "flowName=a&flowName=b&callback=app://x", .warning, "duplicate_parameter",
            at: "flowName=b", says: "the first value counts", .starts),
        Case(flux + "flowName=a", .info, "no_callback", says: "inside", .starts),
        Case(
            flux + "flowName=default&callback=app://x", .info, "default_flow",
            at: "flowName=default", says: "no local flow", .starts),
        Case(
            flux + "flowName=a&callback=partner.example/x", .error, "invalid_callback",
            at: "partner", says: "whole URL"),
        Case(
            flux + "flowName=a&callback=https%3A%2F%2Fa%20b", .error, "invalid_callback",
            at: "%20b", says: "in the link that is %2520"),
        Case(
            flux + "flowName=a&callback=%20javascript:alert(1)", .error, "invalid_callback",
            at: "%20java", says: "leave out the spaces"),
        Case(
            dimmy + "flow=a&callback=aHR0cHM6Ly9hLmIvYyBk", .error, "invalid_callback",
            at: "yBk", says: "a space in the callback is %20"),
        Case(
            flux + "flowName=a&callback=https%253A%252F%252Fa.example", .error, "double_encoded",
            at: "https%253A", says: "encode it once"),
        Case(
            flux + "flowName=a&callback=YXBwOi8veA==", .error, "invalid_callback", at: "YXBw",
            says: "Base64"),
        Case(
            flux + "flowName=a&callback=javascript:alert(1)", .error, "refused_callback",
            at: "javascript", says: "run script"),
        Case(
            flux + "flowName=a&callback=data:text/html,x", .error, "refused_callback",
            at: "data:", says: "https"),
        Case(
            flux + "flowName=a&callback=FILE:///x", .error, "refused_callback", at: "FILE",
            says: "https"),
        Case(
            flux + "flowName=a&callback=com.partner.app/.Main", .error, "invalid_callback",
            at: "com.", says: "only Welltory"),
        Case(
            flux + "flowName=a&callback=http://a.example/", .warning, "insecure_callback",
            at: "http:", says: "https", .starts),
        Case(
            flux + "flowName=a&callback=https://a.example/?o=1&p=2", .info, "unknown_parameter",
            at: "p=2", says: "%26", .starts),
        Case(
            flux + "flowName=a&callback=app://x&Code=1", .warning, "wrong_letter_case",
            at: "Code", says: "code", .starts),
        Case(
            flux + "flowName=a%zz&callback=app://x", .error, "broken_percent_encoding", at: "%zz",
            says: "%25"),
        Case(
            flux + "flowName=a%FF&callback=app://x", .error, "invalid_utf8", at: "%FF",
            says: "UTF-8"),
        Case(
            flux + "flowName=a&callback=app://x&code=%FF", .error, "invalid_utf8", at: "%FF",
            says: "UTF-8"),
        Case(
            flux + "flowName=a&callback=app://x&utm=%FF", .warning, "invalid_utf8", at: "%FF",
            says: "UTF-8", .starts),
        Case(
            flux + "flowName=a&callback=app://x&visit_id=%zz", .warning,
            "broken_percent_encoding", at: "%zz", says: "%25", .starts),
        Case(
            flux + "flowName=a&callback=https://a.example/r#top", .warning, "fragment", at: "#top",
            says: "%23", .starts),
        Case(
            "https://flux.api.optioryx.com/start?flowName=a", .error, "wrong_path", at: "/start",
            says: "/open", .errorPage),
        Case(
            "https://flux-dev.api.optioryx.com/open?callback=app://x", .error,
            "missing_parameter", says: "flowName", .returns),
        Case(
            dimmy + "flowName=a&callback=YXBwOi8veA==", .error, "newer_contract", at: "flowName",
            says: "flux.api.optioryx.com"),
        Case(dimmy + "callback=YXBwOi8veA==", .error, "missing_parameter", says: "flow"),
        Case(dimmy + "flow=a", .error, "missing_parameter", says: "Base64"),
        Case(
            dimmy + "flow=a&callback=YXBwOi8veA==", .info, "outdated_contract",
            says: "refuses the links of 2024", .starts),
        Case(
            dimmy + "flow=a&callback=https://a.example", .error, "invalid_base64", at: "https:",
            says: "encode the URL in Base64"),
        Case(
            dimmy + "flow=a&callback=YXBw!i8veA==", .error, "invalid_base64", at: "!",
            says: "standard Base64"),
        Case(
            dimmy + "flow=a&callback=YXBwOi8veA", .info, "nonstandard_base64", at: "YXBw",
            says: "no padding", .starts),
        Case(
            dimmy + "flow=a&callback=YXBwOi8vfn5-", .info, "nonstandard_base64", at: "YXBw",
            says: "- or _", .starts),
        Case(
            dimmy + "flow=a&callback=YXBwOi8vPX5%20fg==", .info, "space_in_base64", at: "%20fg",
            says: "send %2B", .starts),
        // `app:// /`: the space is the sixth octet, whose digits begin at `Ly`.
        Case(
            dimmy + "flow=a&callback=YXBwOi8vIC8=", .error, "invalid_callback", at: "IC8=",
            says: "a character"),
        Case(
            dimmy + "flow=a&callback=YXBwOi8v//8=", .error, "invalid_utf8", at: "//8=",
            says: "UTF-8"),
        Case(
            dimmy + "flow=a&callback=amF2YXNjcmlwdDox", .error, "refused_callback", at: "amF2",
            says: "script"),
        Case(
            dimmy + "flow=a&callback=YXBwJTNBJTJGJTJGeA==", .error, "double_encoded", at: "YXBw",
            says: "twice"),
    ]

    static let otherCases: [Case] = [
        Case(welltory + "callback=app://x", .error, "missing_parameter", says: "source"),
        Case(welltory + "source=a", .error, "missing_parameter", says: "callback"),
        Case(
            welltory + "source=a&callback=app://x&source=b", .warning, "duplicate_parameter",
            at: "source=b", says: "the last value counts", .starts),
        Case(
            welltory + "source=a&callback=app://x&user=7", .info, "extra_parameter", at: "user",
            says: "sends it back", .starts),
        Case(
            welltory + "source=a&callback=https://a.example/?o=1&user=7", .info,
            "extra_parameter", at: "user", says: "%26", .starts),
        Case(
            welltory + "source=a&callback=a.example", .error, "invalid_callback", at: "a.example",
            says: "whole URL"),
        Case(
            "https://welltory.com/action/dds?source=a&callback=app://x", .error, "wrong_path",
            at: "/action/dds?", says: "/action/dds/measurement", .errorPage),
        Case(
            "welltory://branch/Measurement/Start/source%3Da%26callback%3Da.example", .error,
            "invalid_callback", at: "a.example", says: "whole URL"),
        Case(
            "welltory://branch/Measurement/Start/source%3Da%26calback%3Dapp%3A%2F%2Fx", .error,
            "missing_parameter", at: "calback", says: "did you mean callback?"),
        Case(
            "welltory://branch/Measurement/Start/source=a&callback=app://x", .warning,
            "unescaped_parameters", at: "=a", says: "%3D", .starts),
        Case(
            welltory + "source=a&callback=com.a/.Act", .warning, "callback_of_other_platform",
            at: "com.a", says: "--form android", .starts),
        Case(
            "welltory://branch/Measurement/Start/source%3Da%26callback%3Dhttps%3A%2F%2Fa.example%2F",
            .warning, "callback_of_other_platform", at: "https", says: "package/activity", .starts),
        Case(
            "welltory://branch/Measurement/source%3Da", .error, "wrong_path", at: "welltory:",
            says: "Measurement/Start"),
        Case(
            "https://play.google.com/store/apps/details?id=com.welltory.client.android", .error,
            "missing_parameter", says: "referrer"),
        Case(
            "https://play.google.com/store/apps/details?id=com.welltory.client.android"
                + "&referrer=callback%3Dapp%3A", .error, "missing_parameter", says: "source"),
        Case(ailet + "login=a&password=b", .error, "missing_parameter", says: "visit, report"),
        Case(
            ailet + "method=Visit&login=a&password=b&back_url_scheme=app", .error,
            "unknown_method", at: "Visit", says: "did you mean visit?", .returns),
        Case(
            ailet + "Method=sync&login=a&password=b", .error, "wrong_letter_case", at: "Method",
            says: "letter by letter"),
        Case(
            ailet + "method=visit&login=a&password=b&visit_id=1&back_url_scheme=app", .error,
            "missing_parameter", says: "visit needs it", .returns),
        Case(
            ailet + "method=visit&login=&password=b&visit_id=1&store_id=2&back_url_scheme=app",
            .error, "missing_parameter", at: "login=", says: "a value of login", .returns),
        Case(
            ailet + "method=report&login=a&password=b&visit_id=1", .error, "missing_parameter",
            says: "back_url_scheme"),
        Case(
            ailet + "method=visit&login=a&password=b&visit_id=1&store_id=2", .warning,
            "no_callback", says: "can't come back", .starts),
        Case(
            ailet + "method=sync&login=a&password=b&task_id=1", .info, "unused_parameter",
            at: "task_id", says: "sync", .starts),
        Case(
            ailet + "method=sync&login=a&password=b", .info, "no_user_id", says: "external id",
            .starts),
        Case(
            ailet + "method=sync&login=a&password=b&back_url_scheme=app://", .warning,
            "not_a_scheme", at: "app://", says: "writes the colon itself", .starts),
        Case(
            ailet + "method=sync&login=a&password=b&back_url_scheme=http://127.0.0.1/callbacks",
            .warning, "not_a_scheme", at: "http:", says: "only an emulator", .starts),
        Case(
            ailet + "method=sync&login=a&password=b&back_url_scheme=app://x", .error,
            "invalid_callback", at: "app://x", says: "appends :?result= to it"),
        Case(
            ailet + "method=sync&login=a&password=b&back_url_scheme=javascript", .error,
            "refused_callback", at: "javascript", says: "run script"),
        Case(
            "intelligenseretail:?method=sync&login=a&password=b&back_url_scheme=app", .error,
            "misspelled_scheme", at: "intelligenseretail", says: "intelligenceretail:"),
        Case(
            "intelligenceretail://sync?method=sync&login=a&password=b", .warning,
            "unexpected_path", at: "//sync", says: "method", .starts),
        Case(
            "intelligenceretail://?method=sync&login=a&password=b", .info, "unexpected_slashes",
            at: "//", says: "no slashes", .starts),
        Case(
            "https://rzlv.co/2/12", .error, "bad_trigger", at: "", says: "2 components",
            .errorPage),
        Case(
            "https://rzlv.co/2/12/70/351/9", .error, "bad_trigger", at: "9", says: "5 components",
            .errorPage),
        Case(
            "http://rzlv.co/2/12/x70", .error, "not_an_integer", at: "x70", says: "category",
            .errorPage),
        Case(
            "http://rzlv.co/2/-1/70", .error, "not_an_integer", at: "-1", says: "merchant",
            .errorPage),
        Case(
            "http://rzlv.co/2/12/99999999999999999999", .error, "not_an_integer", at: "999",
            says: "category", .errorPage),
        Case(
            "http://rzlv.co/instant?path=2/x/2", .error, "not_an_integer", at: "x/2",
            says: "merchant", .errorPage),
        Case(
            "https://ana@rzlv.co/2/12/70", .warning, "userinfo", at: "ana", says: "user name",
            .starts),
        Case(
            "http://rzlv.co/instant", .error, "missing_parameter", says: "path", .errorPage),
        Case(
            "https://instant.eu.rezolve.com/resolve", .error, "missing_parameter",
            says: "engagementid", .errorPage),
        Case(
            "https://rzlv.co/2/12/70?adid=6", .info, "unknown_parameter", at: "adid",
            says: "contract", .starts),
        Case(
            "https://rzlv.co.evil.example/2/12/70", .error, "unknown_link", at: "https",
            says: "this is not rzlv.co", .browser),
        Case(
            "https://flux.api.optiorix.com/open?flowName=a", .error, "unknown_link", at: "https",
            says: "did you mean flux.api.optioryx.com?", .browser),
        Case("partnerapp://x", .error, "unknown_link", at: "partnerapp", says: "launch link"),
        Case("/open?flowName=a", .error, "unknown_link", at: "/open", says: "name its contract"),
        Case("", .error, "unknown_link", at: "", says: "without a scheme"),
    ]

    @Test("name what is wrong, where, and what the app does", arguments: dimmyCases + otherCases)
    func findings(example: Case) throws {
        let link = Array(example.link.utf8)
        let check = LaunchCheck(of: link)
        let finding = try #require(
            check.diagnostics.first { $0.code == example.code }, "\(check.diagnostics)")
        #expect(finding.severity == example.severity)
        #expect(finding.part == .target)
        if let place = example.at {
            let offset = try #require(finding.offset)
            #expect(String(decoding: link[offset...], as: UTF8.self).hasPrefix(place))
        }
        let words = [finding.expected, finding.found, finding.hint ?? ""].joined(separator: " · ")
        #expect(words.contains(example.says), "\(words)")
        #expect(check.reaction.kind == example.reaction, "\(check.reaction)")
        #expect(check.isOK == (example.severity != .error))
        #expect((check.launch != nil) == check.isOK)
        #expect((check.reaction.kind == .starts) == check.isOK)
        // One thing is wrong, and one thing is said of it.
        let others = check.diagnostics.count { $0.severity == example.severity } - 1
        #expect(others == 0 || example.severity == .info)
    }

    @Test(
        "say what comes back",
        arguments: [
            (flux + "callback=app://x", "status=error&error=invalid_request", false),
            (
                ailet + "method=sync&back_url_scheme=app",
                "result=%7B%22status%22%3A%22IR_ERROR_AUTH%22%7D", true
            ),
            (
                ailet + "method=visit&login=a&password=b&visit_id=1&back_url_scheme=app",
                "result=%7B%22status%22%3A%22IR_ERROR_STORE_ID_INCORRECT%22%7D", true
            ),
            (
                ailet + "method=report&login=a&password=b&back_url_scheme=app",
                "result=%7B%22status%22%3A%22IR_ERROR_VISIT_ID_INCORRECT%22%7D", true
            ),
            (
                ailet + "method=no&back_url_scheme=app",
                "result=%7B%22status%22%3A%22IR_ERROR%22%7D", true
            ),
        ])
    func returned(link: String, query: String, isInferred: Bool) {
        let check = LaunchCheck(of: Array(link.utf8))
        #expect(check.reaction.query == query)
        #expect(check.reaction.isInferred == isInferred)
        #expect(check.callback != nil)
    }

    @Test(
        "read request targets by the contract of their endpoint",
        arguments: [
            (.dimmy2024, "/emulate/dimmy/open?flow=a&callback=YXBwOi8veA==", "app://x"),
            (.flux, "/emulate/flux/open?flowName=a&callback=app://x", "app://x"),
            (.flux, "http://127.0.0.1:8080/any?flowName=a&callback=app://x", "app://x"),
            (
                .welltoryDDS, "/emulate/welltory/action/dds/measurement?source=a&callback=app://x",
                "app://x"
            ),
            (.welltoryDDS, "/details?referrer=source%3Da%26callback%3Dapp%3A%2F%2Fx", "app://x"),
            (
                .ailetDeeplink, "/emulate/ailet?method=sync&login=a&password=b&back_url_scheme=app",
                "app:"
            ),
            (.rezolveTrigger, "/emulate/rezolve/2/12/70/351?ad=6&placement=9", nil),
            (.rezolveTrigger, "/2/12/70", nil),
            (.rezolveTrigger, "/emulate/rezolve/instant?path=2/252/2", nil),
        ] as [(Contract, String, String?)])
    func targets(contract: Contract, target: String, callback: String?) {
        let check = LaunchCheck(of: Array(target.utf8), as: contract)
        #expect(check.isOK, "\(check.diagnostics)")
        #expect(check.launch?.contract == contract)
        #expect(check.callback?.description == callback)
    }

    @Test(
        "know the host and path of what a vendor's own host was asked for",
        arguments: [
            ("/open?flowName=a", "flux.api.optioryx.com", nil, nil),
            ("/open/?flowName=a", "flux.api.optioryx.com", nil, nil),
            ("/open//?flowName=a", "flux.api.optioryx.com", "wrong_path", 0),
            ("/openflowName=a", "flux.api.optioryx.com", "wrong_path", 0),
            ("//open?flowName=a", "flux-dev.api.optioryx.com", "wrong_path", 0),
            ("/o%70en?flowName=a", "flux.api.optioryx.com", "wrong_path", 0),
            ("/OPEN?flowName=a", "flux.api.optioryx.com", "wrong_path", 0),
            ("/open?flowname=a", "flux.api.optioryx.com", "wrong_letter_case", 6),
            ("/action/dds/measurments", "welltory.com", "wrong_path", 0),
            ("/1/2/x", "rzlv.co", "not_an_integer", 5),
        ] as [(String, String, String?, Int?)])
    func ownHosts(target: String, host: String, code: String?, offset: Int?) throws {
        let check = LaunchCheck(ofTarget: Array(target.utf8), on: host)
        #expect(check.contract == LaunchCheck.contract(ofHost: host))
        #expect(check.isOK == (code == nil))
        let error = check.diagnostics.first { $0.severity == .error }
        #expect(error?.code == code)
        #expect(error?.offset == offset)
    }

    @Test(
        "know the hosts of every region, and no others",
        arguments: [
            ("rzlv.co", .rezolveTrigger), ("instant.eu.rezolve.com", .rezolveTrigger),
            ("instant.ap-1.rezolve.com", .rezolveTrigger), ("instant.rezolve.com", nil),
            ("instant..rezolve.com", nil), ("instant.a.b.rezolve.com", nil),
            ("instant.EU.rezolve.com", nil), ("instant.eu.rezolve.com.example", nil),
            ("xinstant.eu.rezolve.com", nil), ("127.0.0.1", nil), ("", nil),
        ] as [(String, Contract?)])
    func regionalHosts(host: String, contract: Contract?) {
        #expect(LaunchCheck.contract(ofHost: host) == contract)
    }

    @Test(
        "take a path with a slash at its end for the same path",
        arguments: [
            "https://flux.api.optioryx.com/open/?flowName=a&callback=https://a.example/",
            "https://welltory.com/action/dds/measurement/?source=a&callback=app://x",
        ])
    func slashAtTheEnd(link: String) {
        #expect(LaunchCheck(of: Array(link.utf8)).diagnostics.isEmpty)
    }

    @Test("take an engagement whose host names no region, of which no link is made")
    func engagement() {
        let target = Array("/emulate/rezolve/resolve?engagementid=e".utf8)
        let check = LaunchCheck(of: target, as: .rezolveTrigger)
        #expect(check.isOK && check.launch == nil)
    }

    @Test("read Rezolve's path behind the sandbox's own, and nothing but its host")
    func rezolve() {
        let check = LaunchCheck(
            of: Array("/emulate/rezolve/2/12/70/351?placement=browse&ad=6".utf8),
            as: .rezolveTrigger)
        #expect(
            check.launch?.parameters == [
                .init("partner", "2"), .init("merchant", "12"), .init("category", "70"),
                .init("product", "351"), .init("ad", "6"), .init("placement", "browse"),
            ])
        for (link, code) in [
            ("https://rzlv.co.evil.example/2/12/70", "lookalike_host"),
            ("https://a.example/", "custom_url"), ("app://x", "custom_url"),
        ] {
            let custom = LaunchCheck(of: Array(link.utf8), as: .rezolveTrigger)
            #expect(custom.diagnostics.map(\.code) == [code])
            #expect(custom.reaction.kind == .browser)
        }
        let wrong = LaunchCheck(of: Array("/emulate/rezolve/1/2/3/4/5".utf8), as: .rezolveTrigger)
        #expect(wrong.diagnostics.map(\.code) == ["bad_trigger"])
    }

    @Test("show a credential nowhere, and keep it for the launch")
    func credentials() throws {
        let link = Self.ailet + "method=sync&login=ana&password=se%zzcret&back_url_scheme=app"
        let broken = LaunchCheck(of: Array(link.utf8))
        let right = LaunchCheck(of: Array(link.filter { $0 != "%" }.utf8))
        #expect(broken.diagnostics.contains { $0.code == "broken_percent_encoding" })
        #expect(right.launch?.value(of: "password") == "sezzcret")
        for check in [broken, right] {
            #expect(check.parameters.first { $0.name == "login" }?.value == Redaction.mark)
            let text = written(check)
            #expect(!text.contains("ana") && !text.contains("cret"), "\(text)")
        }
        let inCallback = LaunchCheck(
            of: Array((Self.flux + "flowName=a&callback=app://x?access_token=12345%26o=1").utf8))
        #expect(!written(inCallback).contains("12345"))
        #expect(inCallback.callback?.description == "app://x?access_token=12345&o=1")
    }

    @Test("are written as one object")
    func document() throws {
        let check = LaunchCheck(of: Array((Self.flux + "callback=app://x&code=1").utf8))
        let root = try JSONDocument(parsing: Array(written(check).utf8)).root
        #expect(
            root.members.map { $0.name.string } == [
                "vendor", "contract", "ok", "parameters", "callback", "diagnostics", "reaction",
            ])
        #expect(root["vendor"]?.string == "dimmy")
        #expect(root["contract"]?.string == "flux")
        #expect(root["parameters"]?["callback"]?.string == "app://x")
        #expect(root["callback"]?.string == "app://x")
        #expect(root["diagnostics"]?[0]?["code"]?.string == "missing_parameter")
        #expect(root["reaction"]?["query"]?.string == "status=error&error=invalid_request")
    }

    private func written(_ check: LaunchCheck) -> String {
        var json = JSONWriter()
        check.write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
