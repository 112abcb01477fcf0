// Which contract a message is of, and what is said when the receiver is to get another one.
// Left out: what each contract holds, which the vendors' own tests have.

import Testing

@testable import Vendors

@Suite("Contracts")
struct ContractTests {
    private static let snake = #"{"_id":"1","started_at":"2026-03-09T13:02:11Z"}"#
    private static let camel = #"{"startedAt":"2026-03-09T13:02:11Z"}"#

    private func post(_ json: String, webhookID: String? = nil) -> Callback {
        Callback(
            target: Array("/x?order=1".utf8), body: .json(Array(json.utf8)), webhookID: webhookID)
    }

    @Test("each has a vendor, and a name that never changes")
    func vendors() {
        #expect(
            Contract.allCases.map(\.vendor) == [
                .dimmy, .dimmy, .dimmy, .welltory, .ailet, .rezolve, .rezolve,
                .xCallbackURL,
            ])
        #expect(Contract(rawValue: "flux-webhook") == .fluxWebhook)
    }

    @Test(
        "of Dimmy are told by status, item_ids, delivery id and spelling",
        arguments: [
            (#"{"item_ids":["a"]}"#, nil, .fluxWebhook), (snake, nil, .dimmy2024),
            (snake, "msg_1", .fluxWebhook), (camel, nil, .flux), (camel, "msg_1", .fluxWebhook),
            ("[\(snake)]", "msg_1", .fluxWebhook), ("{", "msg_1", .fluxWebhook),
            (#"{"status":"cancelled"}"#, nil, .flux), (#"{"response":"e30"}"#, nil, .dimmy2024),
            (#"{"status":"completed","response":\#(snake)}"#, nil, .flux),
        ] as [(String, String?, Contract)])
    func detection(json: String, webhookID: String?, contract: Contract) {
        #expect(Decoding(of: post(json, webhookID: webhookID), from: .dimmy).contract == contract)
    }

    @Test(
        "of Dimmy in a query are told by status and by the item's spelling",
        arguments: [
            // The three items are `{}`, `{"startedAt":"…"}` and `{"started_at":"…"}`, with a date.
            ("response=e30", .dimmy2024, ["nonstandard_base64"]), ("response=e30=", .dimmy2024, []),
            (
                "response=eyJzdGFydGVkQXQiOiIyMDI2LTAzLTA5VDEzOjAyOjExWiJ9", .flux,
                ["missing_parameter"]
            ),
            ("response=eyJzdGFydGVkX2F0IjoiMjAyNi0wMy0wOVQxMzowMjoxMVoifQ==", .dimmy2024, []),
            (
                "status=completed&response=eyJzdGFydGVkX2F0IjoiMjAyNi0wMy0wOVQxMzowMjoxMVoifQ",
                .flux,
                ["snake_case_item"]
            ),
            (
                "status=completed&response=eyJzdGFydGVkQXQiOiIyMDI2LTAzLTA5VDEzOjAyOjExWiJ9", .flux,
                []
            ),
            ("status=completed&response=eyJjb2RlIjoiPz8/In0=", .flux, ["standard_base64"]),
            ("status=completed&response=e30=", .flux, []),
            ("status=completed&response=e30", .flux, []),
        ] as [(String, Contract, [String])])
    func detection(query: String, contract: Contract, codes: [String]) {
        let decoding = Decoding(url: "/?" + query, from: .dimmy)
        #expect(decoding.contract == contract)
        #expect(decoding.codesOfItem == codes)
    }

    @Test("of Flux require the item's times in either spelling")
    func timesOfFlux() {
        // `{"flow_id":"x","dimensioning":[]}`
        let item = "eyJmbG93X2lkIjoieCIsImRpbWVuc2lvbmluZyI6W119"
        let flux = Decoding(url: "/?status=completed&response=\(item)", from: .dimmy)
        #expect(flux.codes.sorted() == ["missing_member", "missing_member", "snake_case_item"])
        let former = Decoding(url: "/?response=\(item)", from: .dimmy)
        #expect(former.contract == .dimmy2024 && former.codes == [])
    }

    @Test(
        "decide by the pinned one where a message doesn't tell",
        arguments: [
            (#"{"response":{}}"#, .flux, .flux), (#"{"response":{}}"#, .dimmy2024, .dimmy2024),
            (snake, .fluxWebhook, .fluxWebhook), (snake, .dimmy2024, .dimmy2024),
        ] as [(String, Contract, Contract)])
    func pinned(json: String, pinned: Contract, contract: Contract) {
        let decoding = Decoding(of: post(json), from: .dimmy, contract: pinned)
        #expect(decoding.contract == contract)
        #expect(decoding.codesOfItem == [])
    }

    @Test(
        "say which one a message looks like when it isn't of the pinned one",
        arguments: [
            (#"{"item_ids":["a"]}"#, Vendor.dimmy, Contract.flux, Contract.fluxWebhook),
            (camel, .dimmy, .dimmy2024, .flux), (camel, .dimmy, .fluxWebhook, .flux),
            (#"{"status":"cancelled"}"#, .dimmy, .fluxWebhook, .flux),
            (#"{"stress":1}"#, .welltory, .ailetDeeplink, .welltoryDDS),
        ])
    func other(json: String, vendor: Vendor, pinned: Contract, contract: Contract) {
        let decoding = Decoding(of: post(json), from: vendor, contract: pinned)
        let finding = decoding.diagnostic("other_contract")
        #expect(decoding.contract == contract)
        #expect(decoding.verdict == .decodedWithWarnings)
        #expect(finding?.severity == .warning)
        #expect(finding?.expected == "a message of \(pinned.rawValue)")
        #expect(finding?.found == "one of \(contract.rawValue)")
        #expect(finding?.hint != nil)
    }

    @Test(
        "say whose a message looks like when it came to another vendor's receiver",
        arguments: [
            ("/?stress=0.3&energy=1", Vendor.ailet, Vendor.welltory),
            ("/?result=%7B%7D", .dimmy, .ailet), ("/?status=cancelled", .welltory, .dimmy),
            ("intelligenceretail:?method=sync&login=a", .dimmy, .ailet),
        ])
    func otherVendor(url: String, vendor: Vendor, other: Vendor) {
        let decoding = Decoding(url: url, from: vendor)
        #expect(decoding.verdict == .undecodable)
        #expect(decoding.codes.last == "other_contract")
        #expect(
            decoding.diagnostics.last?.hint == "send it to a receiver of \(other.rawValue)")
    }

    // MARK: Flux's webhook

    @Test("of webhooks keep the ids, the partner's parameters and what is unknown")
    func ids() {
        let decoding = Decoding(
            of: post(#"{ "item_ids" : ["a", "b"], "more" : 1 }"#, webhookID: "m"), from: .dimmy)
        #expect(decoding.outcome == .completed)
        #expect(decoding.verdict == .decoded)
        #expect(decoding.codes == ["unknown_member"])
        #expect(
            decoding.text == #"{"item_ids":["a","b"],"more":1,"context":{"order":"1"}}"#)
    }

    @Test("of webhooks keep a whole item with its first box, and miss its times")
    func item() {
        let item =
            #"{"_id":"1","dimensioning":[{"dimensions":{"width":1,"height":2,"depth":3}}]}"#
        let decoding = Decoding(of: post(item, webhookID: "m"), from: .dimmy)
        #expect(decoding.codes == ["missing_member", "missing_member"])
        #expect(
            decoding.diagnostics.map(\.expected) == [
                "the member started_at", "the member ended_at",
            ])
        let whole = #"{"started_at":"2026-03-09T13:02:11Z","ended_at":"2026-03-09T13:03:47Z"}"#
        #expect(Decoding(of: post(whole, webhookID: "m"), from: .dimmy).verdict == .decoded)
        #expect(Decoding(json: #"{"_id":"1"}"#, from: .dimmy).verdict == .decoded)
        #expect(
            decoding.text
                == "{\"item\":\(item),\"first_box\":{\"width\":1,\"height\":2,\"depth\":3,"
                + "\"unit\":null},\"barcodes\":[],\"photo_urls\":[],\"started_at\":null,"
                + "\"ended_at\":null,\"context\":{\"order\":\"1\"}}")
    }

    @Test(
        "of webhooks keep what is wrong, with a finding about it",
        arguments: [
            (#"{"item_ids":[]}"#, "empty_list", "/item_ids", Outcome.empty),
            (#"{"item_ids":"a"}"#, "wrong_type", "/item_ids", .completed),
            (#"{"item_ids":["a",1]}"#, "wrong_type", "/item_ids/1", .completed),
            (#"{"test":2432232314}"#, "not_an_item", "", .completed),
        ])
    func slips(json: String, code: String, pointer: String, outcome: Outcome) {
        let decoding = Decoding(of: post(json, webhookID: "m"), from: .dimmy)
        #expect(decoding.contract == .fluxWebhook)
        #expect(decoding.outcome == outcome)
        #expect(decoding.verdict == .decodedWithWarnings)
        #expect(decoding.diagnostics.first?.code == code)
        #expect(decoding.diagnostics.first?.pointer == pointer)
    }

    @Test(
        "of webhooks are undecodable without an object",
        arguments: [("1", "not_an_object"), ("{", "broken_json"), ("", "missing_body")])
    func undecodable(json: String, code: String) {
        let decoding = Decoding(of: post(json, webhookID: "m"), from: .dimmy)
        #expect(decoding.contract == .fluxWebhook)
        #expect(decoding.verdict == .undecodable)
        #expect(decoding.diagnostics.first?.code == code)
    }
}
