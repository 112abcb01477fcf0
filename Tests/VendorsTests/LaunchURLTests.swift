// The links of every vendor, as its own helper or demo writes them, and what can't be one.
// Left out: reading links, which is in `LaunchCheckTests`.

import Testing

@testable import Vendors

/// A launch of `key=value` texts.
func launch(
    _ contract: Contract, _ pairs: [String], form: Launch.Form = .link
) throws(LaunchError) -> Launch {
    try Launch(
        contract,
        pairs.map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return Launch.Parameter(String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        }, form: form)
}

@Suite("Launch links")
struct LaunchURLTests {
    struct Example: Sendable {
        let contract: Contract
        var form = Launch.Form.link
        let pairs: [String]
        let url: String
        let callback: String?
    }

    static let examples: [Example] = [
        // 1.1: standard Base64 with padding, raw in the query.
        Example(
            contract: .dimmy2024, pairs: ["callback=https://a.example/b?c=~~~", "flow=default"],
            url: "https://dimmy.api.optioryx.com/open?flow=default"
                + "&callback=aHR0cHM6Ly9hLmV4YW1wbGUvYj9jPX5+fg==",
            callback: "https://a.example/b?c=~~~"),
        Example(
            contract: .dimmy2024, pairs: ["flow=65f0", "callback=app://x", "code=a b&c"],
            url: "https://dimmy.api.optioryx.com/open?flow=65f0&callback=YXBwOi8veA=="
                + "&code=a%20b%26c", callback: "app://x"),
        // 1.1: as Foundation encodes a query item, and + as %2B.
        Example(
            contract: .flux,
            pairs: [
                "code=4006381333931", "flowName=Inbound + Pack",
                "callback=https://a.example/r?order=1&b=c+d",
            ],
            url: "https://flux.api.optioryx.com/open?flowName=Inbound%20%2B%20Pack"
                + "&callback=https://a.example/r?order%3D1%26b%3Dc%2Bd&code=4006381333931",
            callback: "https://a.example/r?order=1&b=c+d"),
        Example(
            contract: .flux, pairs: ["flowName=Größe"],
            url: "https://flux.api.optioryx.com/open?flowName=Gr%C3%B6%C3%9Fe", callback: nil),
        // 2.1: the web's form, the Android app's, the Play Store's.
        Example(
            contract: .welltoryDDS, pairs: ["callback=https://a.example/dds/", "source=Partner"],
            url: "https://welltory.com/action/dds/measurement?source=Partner"
                + "&callback=https%3A%2F%2Fa.example%2Fdds%2F",
            callback: "https://a.example/dds/"),
        Example(
            contract: .welltoryDDS, form: .android,
            pairs: ["source=Partner", "callback=com.partner.app/.Result", "user=7"],
            url: "welltory://branch/Measurement/Start/"
                + "source%3DPartner%26callback%3Dcom.partner.app%2F.Result%26user%3D7",
            callback: "com.partner.app/.Result"),
        Example(
            contract: .welltoryDDS, form: .playStore,
            pairs: ["source=Partner", "callback=com.partner.app/.Result"],
            url: "https://play.google.com/store/apps/details?id=com.welltory.client.android"
                + "&referrer=source%3DPartner%26callback%3Dcom.partner.app%2F.Result",
            callback: "com.partner.app/.Result"),
        // 3.1: no slashes, no empty fields.
        Example(
            contract: .ailetDeeplink,
            pairs: [
                "back_url_scheme=partnerapp", "method=visit", "login=ana", "password=a+b&c",
                "store_id=12", "visit_id=v-1", "task_id=",
            ],
            url: "intelligenceretail:?method=visit&login=ana&password=a%2Bb%26c&store_id=12"
                + "&visit_id=v-1&back_url_scheme=partnerapp", callback: "partnerapp:"),
        Example(
            contract: .ailetDeeplink, pairs: ["method=sync", "login=ana", "password=b"],
            url: "intelligenceretail:?method=sync&login=ana&password=b", callback: nil),
        // 4.4.
        Example(
            contract: .rezolveTrigger, pairs: ["partner=2", "merchant=12", "category=70"],
            url: "https://rzlv.co/2/12/70", callback: nil),
        Example(
            contract: .rezolveTrigger,
            pairs: [
                "placement=browse", "partner=2", "merchant=12", "category=70", "product=351",
                "ad=6",
            ], url: "https://rzlv.co/2/12/70/351?ad=6&placement=browse", callback: nil),
        Example(
            contract: .rezolveTrigger, pairs: ["path=2/252/2"],
            url: "http://rzlv.co/instant?path=2/252/2", callback: nil),
        Example(
            contract: .rezolveTrigger, pairs: ["engagementid=e-9", "region=eu"],
            url: "https://instant.eu.rezolve.com/resolve?engagementid=e-9", callback: nil),
    ]

    @Test("are written as the vendors write them (1.1, 2.1, 3.1, 4.4)", arguments: examples)
    func written(example: Example) throws {
        let launch = try launch(example.contract, example.pairs, form: example.form)
        #expect(launch.url == example.url)
        #expect(launch.callback == example.callback)
    }

    @Test("are read again as the same launch", arguments: examples)
    func readAgain(example: Example) throws {
        let launch = try launch(example.contract, example.pairs, form: example.form)
        let check = LaunchCheck(of: Array(launch.url.utf8))
        #expect(check.contract == example.contract)
        #expect(check.vendor == example.contract.vendor)
        #expect(check.launch == launch)
        #expect(check.callback?.description == example.callback)
        #expect(check.isOK && check.reaction.kind == .starts)
        #expect(!check.diagnostics.contains { $0.severity == .warning })
    }

    @Test(
        "are refused with the reason",
        arguments: [
            (.dimmy2024, ["callback=a://b"], "The parameter flow is missing"),
            (.dimmy2024, ["flow=default"], "The parameter callback is missing"),
            (.flux, [], "The parameter flowName is missing"),
            (.flux, ["flowName="], "The parameter flowName is missing"),
            (.flux, ["flowname=a"], "There is no parameter \"flowname\". Did you mean flowName?"),
            (.flux, ["flowName=a", "flowName=b"], "The parameter \"flowName\" is given twice"),
            (.flux, ["flowName=a", "callback=a.example"], "must be a whole URL"),
            (.flux, ["flowName=a", "callback=javascript:alert(1)"], "must be a whole URL"),
            (.flux, ["flowName=a", "callback=com.partner.app/.A"], "must be a whole URL"),
            (.welltoryDDS, ["source=a"], "The parameter callback is missing"),
            (.welltoryDDS, ["source=a", "calback=a://b"], "Did you mean callback?"),
            (.welltoryDDS, ["source=a", "callback=FILE:///etc"], "package/activity"),
            (.ailetDeeplink, ["login=a", "password=b"], "The parameter method is missing"),
            (.ailetDeeplink, ["method=visits"], "must be one of visit, report"),
            (
                .ailetDeeplink, ["method=visit", "login=a", "password=b", "visit_id=1"],
                "The parameter store_id is missing"
            ),
            (
                .ailetDeeplink, ["method=report", "login=a", "password=b", "visit_id=1"],
                "The parameter back_url_scheme is missing"
            ),
            (
                .ailetDeeplink, ["method=sync", "login=a", "password=b", "store_id=1"],
                "There is no parameter \"store_id\""
            ),
            (
                .ailetDeeplink,
                ["method=sync", "login=a", "password=b", "back_url_scheme=javascript"],
                "must be an app's scheme"
            ),
            (.rezolveTrigger, ["partner=1", "merchant=2"], "The parameter category is missing"),
            (.rezolveTrigger, ["partner=1", "merchant=2", "category=x"], "must be digits"),
            (.rezolveTrigger, ["path=2/252"], "numbers between slashes"),
            (.rezolveTrigger, ["path=2/252/1", "ad=1"], "There is no parameter \"ad\""),
            (.rezolveTrigger, ["engagementid=1"], "The parameter region is missing"),
            (.rezolveTrigger, ["engagementid=1", "region=e.u"], "letters and digits"),
            (.fluxWebhook, [], "There are no launch links"),
            (.rezolveAct, [], "There are no launch links"),
        ] as [(Contract, [String], String)])
    func refused(contract: Contract, pairs: [String], reason: String) {
        let error = #expect(throws: LaunchError.self) { try launch(contract, pairs) }
        #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
    }

    @Test("of every method of Ailet need what the method needs", arguments: AiletMethod.allCases)
    func methods(method: AiletMethod) throws {
        let all = method.required + method.optional
        let pairs = ["method=\(method.rawValue)"] + all.map { "\($0)=x" }
        let whole = try launch(.ailetDeeplink, pairs)
        #expect(LaunchCheck(of: Array(whole.url.utf8)).launch == whole)
        for name in method.required {
            let others = pairs.filter { !$0.hasPrefix(name + "=") }
            #expect(throws: LaunchError.missingParameter(name, known: ["method"] + ordered(all))) {
                try launch(.ailetDeeplink, others)
            }
        }
        for name in method.optional {
            #expect(throws: Never.self) {
                try launch(.ailetDeeplink, pairs.filter { !$0.hasPrefix(name + "=") })
            }
        }
    }

    @Test(
        "a sample adds what the kind of link needs that the given parameters make",
        arguments: [
            (.rezolveTrigger, [], ["partner", "merchant", "category", "product"]),
            (.rezolveTrigger, ["partner=1"], ["merchant", "category", "product"]),
            (.rezolveTrigger, ["partner=1", "merchant=2", "category=3"], []),
            (.rezolveTrigger, ["engagementid=e-9"], ["region"]),
            (.rezolveTrigger, ["engagementid=e-9", "region=eu"], []),
            (.rezolveTrigger, ["path=2/252/2"], []),
            (
                .ailetDeeplink, ["store_id=12"],
                ["method", "login", "password", "visit_id", "task_id", "back_url_scheme"]
            ),
            (
                .ailetDeeplink, ["method=report"],
                ["login", "password", "visit_id", "task_id", "back_url_scheme"]
            ),
            (
                .ailetDeeplink, ["method=report", "visit_id=v-1"],
                ["login", "password", "back_url_scheme"]
            ),
            (.ailetDeeplink, ["method=sync"], ["login", "password", "back_url_scheme"]),
            (
                .ailetDeeplink, ["method=showVisitReport"],
                ["login", "password", "visit_id", "task_id"]
            ),
            (.welltoryDDS, ["source=Partner"], ["callback"]),
            (.flux, ["code=1"], ["flowName", "callback"]),
        ] as [(Contract, [String], [String])])
    func besides(contract: Contract, given: [String], added: [String]) {
        let given = given.compactMap { Launch.Parameter(pair: $0) }
        let sample = Launch.sample(contract, callback: "app", number: 1, besides: given)
        #expect(sample.map(\.name) == added)
    }

    private func ordered(_ names: [String]) -> [String] {
        AiletMethod.allParameters.filter(names.contains)
    }

    @Test(
        "are asked for by contract or vendor",
        arguments: [
            ("dimmy", .flux), ("dimmy-2024", .dimmy2024), ("flux", .flux),
            ("welltory", .welltoryDDS), ("welltory-dds", .welltoryDDS), ("ailet", .ailetDeeplink),
            ("rezolve", .rezolveTrigger), ("raw", nil), ("flux-webhook", nil), ("Dimmy", nil),
        ] as [(String, Contract?)])
    func names(name: String, contract: Contract?) {
        #expect(Contract(launching: name) == contract)
    }
}
