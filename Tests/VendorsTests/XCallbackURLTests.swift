// x-callback-url 1.0: the specification's own example, and what it leaves open.

import Testing

@testable import Vendors

@Suite("x-callback-url")
struct XCallbackURLTests {
    private func decoding(_ target: String) -> Decoding {
        Decoding(of: Callback(target: Array(target.utf8)), from: .xCallbackURL)
    }

    private func value(_ decoding: Decoding) -> String? {
        decoding.value.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func theSpecificationsResultIsDecoded() {
        let found = decoding(
            "sourceapp://x-callback-url/acceptTranslation?x-source=TargetApp&word=Hola")
        #expect(found.outcome == .completed)
        #expect(found.verdict == .decoded)
        #expect(value(found) == #"{"x-source":"TargetApp","parameters":{"word":"Hola"}}"#)
    }

    @Test func theSpecificationsErrorIsDecoded() {
        let found = decoding(
            "sourceapp://x-callback-url/translationError?errorCode=1&errorMessage=no%20word")
        #expect(found.outcome == .error)
        #expect(found.verdict == .decoded)
        #expect(value(found) == #"{"errorCode":"1","errorMessage":"no word"}"#)
    }

    @Test(arguments: [
        ("sourceapp://x-callback-url/cancel", Outcome.cancelled),
        ("/x-callback-url/Cancelled?x-source=TargetApp", .cancelled),
        ("/callbacks/x-callback-url/ci?landfall_outcome=cancelled", .cancelled),
        ("/callbacks/x-callback-url/ci?landfall_outcome=error", .error),
        ("/callbacks/x-callback-url/ci?landfall_outcome=nonsense", .completed),
        ("/callbacks/x-callback-url/ci?landfall_outcome=cancelled&errorCode=3", .error),
        ("/callbacks/x-callback-url/ci", .completed),
        ("/callbacks/x-callback-url/ci?cancel=1", .completed),
    ])
    func theEndFollowsFromErrorMarkAndPath(target: String, outcome: Outcome) {
        #expect(decoding(target).outcome == outcome)
    }

    @Test(arguments: [
        "errorcode=404&errormessage=Not%20found", "error-Code=404&error-Message=Not%20found",
        "error_code=404&error_message=Not%20found",
    ])
    func anErrorWithMisspelledNamesIsDecodedWithWarnings(query: String) {
        let found = decoding("/callbacks/x-callback-url/ci?landfall_outcome=error&\(query)")
        #expect(found.outcome == .error)
        #expect(found.verdict == .decodedWithWarnings)
        #expect(found.diagnostics.map(\.code) == ["misspelled_parameter", "misspelled_parameter"])
        #expect(value(found) == #"{"errorCode":"404","errorMessage":"Not found"}"#)
        #expect(decoding("app://x?\(query)").outcome == .error)
    }

    @Test(arguments: ["errorCode", "errorMessage"])
    func anErrorWithoutAPartIsDecodedWithAWarning(name: String) {
        let found = decoding("app://x-callback-url/failed?\(name)=1")
        #expect(found.outcome == .error)
        #expect(found.verdict == .decodedWithWarnings)
        #expect(found.diagnostics.map(\.code) == ["missing_parameter"])
    }

    @Test(arguments: [
        (#"{"errorCode":"1"}"#, Diagnostic.Part.body),
        (#"{"errorCode":"1","errorMessage":""}"#, .body), ("", .target),
    ])
    func whatIsMissingIsLookedForWhereTheErrorIs(body: String, part: Diagnostic.Part) {
        let target = body.isEmpty ? "/?errorCode=1" : "/"
        let callback = Callback(
            target: Array(target.utf8), body: body.isEmpty ? nil : .json(Array(body.utf8)))
        let found = Decoding(of: callback, from: .xCallbackURL)
        let missing = found.diagnostics.filter { $0.code == "missing_parameter" }
        #expect(missing.map(\.part) == [part])
    }

    @Test func aMarkAndAFlowAreNoResult() {
        let flow = "0192e4a1-7c3b-7a11-8d22-0123456789ab"
        let found = decoding("app://x?landfall_outcome=completed&landfall_flow=\(flow)&landfall=1")
        #expect(found.flow == flow)
        #expect(value(found) == #"{"parameters":{"landfall":"1"}}"#)
    }

    @Test func aLaunchLinkIsNoCallback() {
        let found = decoding("targetapp://x-callback-url/translate?x-success=app%3A%2F%2Fdone")
        #expect(found.verdict == .undecodable)
        #expect(found.diagnostics.map(\.code) == ["launch_link"])
    }

    @Test func credentialsInResultsAreHidden() {
        let found = decoding(
            "app://x-callback-url/done?password=hush-hush&errorMessage=x&errorCode=1")
        #expect(value(found)?.contains("hush") == false)
    }

    @Test func anErrorIsRecognisedWithoutItsVendor() {
        let callback = Callback(target: Array("/callbacks?errorCode=1&errorMessage=a".utf8))
        #expect(Vendor(recognizing: callback) == .xCallbackURL)
    }

    // MARK: Launches

    private func check(_ link: String) -> LaunchCheck { LaunchCheck(of: Array(link.utf8)) }

    @Test func theSpecificationsLinkIsValid() throws {
        let found = check(
            "targetapp://x-callback-url/translate?x-success=sourceapp://x-callback-url/acceptTranslation"
                + "&x-source=SourceApp&x-error=sourceapp://x-callback-url/translationError"
                + "&word=Hello&language=Spanish")
        #expect(found.contract == .xCallbackURL)
        #expect(found.isOK)
        #expect(found.diagnostics.isEmpty)
        #expect(
            found.callbacks.map(\.parameter) == ["x-success", "x-error"])
        let launch = try #require(found.launch)
        #expect(launch.value(of: "scheme") == "targetapp")
        #expect(launch.value(of: "action") == "translate")
        #expect(launch.value(of: "word") == "Hello")
        #expect(check(launch.url).launch == launch)
    }

    @Test(arguments: [
        ("app://x-callback-url/", "missing_action"),
        ("app://x-callback-url?x-success=a://b", "missing_action"),
        ("app://x-callback-url/do?x-success=nonsense", "invalid_callback"),
        ("app://x-callback-url/do?x-error=javascript:alert(1)", "refused_callback"),
    ])
    func anInvalidLinkSaysWhy(link: String, code: String) {
        let found = check(link)
        #expect(!found.isOK)
        #expect(found.diagnostics.filter { $0.severity == .error }.map(\.code) == [code])
    }

    @Test(arguments: [
        ("app://x-callback-url/do?X-Success=a://b", "x-success"),
        ("app://x-callback-url/do?x-sucess=a://b", "x-success"),
        ("app://x-callback-url/do?x-cancle=a://b", "x-cancel"),
    ])
    func aMisspelledNameIsPointedOut(link: String, name: String) {
        let hints = check(link).diagnostics.compactMap(\.hint)
        #expect(hints.contains("did you mean \(name)?"))
    }

    @Test func anUnescapedCallbackIsPointedOut() {
        let found = check("app://x-callback-url/do?x-success=a://b?c=1&d=2&x-source=me")
        #expect(found.diagnostics.map(\.hint) == ["if it belongs to the callback, write & as %26"])
        let escaped = check("app://x-callback-url/do?x-success=a://b%3Fc%3D1%26d%3D2&id=2")
        #expect(escaped.diagnostics.isEmpty)
    }

    @Test(arguments: [
        "http://x-callback-url/do", "https://x-callback-url/do", "app://x-callback-urls/do",
    ])
    func otherLinksAreNotOfTheContract(link: String) {
        #expect(check(link).contract == nil)
    }

    @Test(arguments: ["javascript", "data", "https", "9app", "a:b", ""])
    func aSchemeThatNoAppHasIsRefused(scheme: String) {
        #expect(throws: LaunchError.self) {
            try Launch(
                .xCallbackURL,
                [Launch.Parameter("scheme", scheme), Launch.Parameter("action", "do")])
        }
    }

    @Test func everyCallbackCarriesTheFlow() throws {
        let flow = "0192e4a1-7c3b-7a11-8d22-0123456789ab"
        let launch = try Launch.sample(
            .xCallbackURL, callback: "https://www.yourapp.com/done", number: 1
        ).carrying(flow: flow, isReceiver: false)
        for name in ["x-success", "x-error", "x-cancel"] {
            let url = try CallbackURL(try #require(launch.value(of: name)))
            #expect(url.flow == flow, "\(name)")
        }
        #expect(launch.value(of: "x-cancel")?.contains("landfall_outcome=cancelled") == true)
    }

    // MARK: The app

    private func answers(_ scenario: Scenario, without name: String? = nil) throws
        -> [EmulatedAnswer]
    {
        let sample = try Launch.sample(.xCallbackURL, callback: "app://done", number: 1)
        let parameters = sample.parameters.filter { $0.name != name }
        return try VendorApp(
            try Launch(.xCallbackURL, parameters), seed: 7, at: 1_773_061_331
        ).answers(scenario)
    }

    @Test func eachEndHasItsOwnCallback() throws {
        #expect(try answers(.completed).map(\.callbackParameter) == [nil])
        #expect(try answers(.cancelled).map(\.callbackParameter) == ["x-cancel"])
        #expect(try answers(.error(code: "404")).map(\.callbackParameter) == ["x-error"])
        #expect(try answers(.cancelled).allSatisfy(\.query.isEmpty))
    }

    @Test func theAppStaysWhereTheLinkNamesNoCallback() throws {
        #expect(try answers(.completed, without: "x-success").isEmpty)
        #expect(try answers(.cancelled, without: "x-cancel").isEmpty)
        #expect(try answers(.error(code: nil), without: "x-error").isEmpty)
        #expect(try answers(.error(code: nil), without: "x-success").count == 1)
    }
}
