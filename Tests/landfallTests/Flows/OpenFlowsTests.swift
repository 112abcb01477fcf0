// Callbacks, and the launches that they answer: by name, by place, by key, or none.

import Clocks
import JSON
import LinkPatterns
import ResultStore
import Testing
import Vendors

@testable import LinkHosting
@testable import ResultAPI
@testable import Server

@Suite struct OpenFlowsTests {
    private static func launch(
        _ flow: String, _ contract: Contract = .ailetDeeplink, keys: [String: String] = [:],
        callback: String? = nil, inbox: String = "default"
    ) -> OpenFlows.Launch {
        OpenFlows.Launch(
            flow: flow, contract: contract, inbox: inbox, keys: keys,
            callback: callback.flatMap { OpenFlows.place(of: LinkURL($0)) })
    }

    @Test func aLaunchFromWhichNoAppComesBackIsNotLostAndMatchesLast() {
        var screen = Self.launch("screen", keys: ["visit_id": "v1"])
        screen.comesBack = false
        let alone = Self.flows([screen])
        let value = #"{"visit_id":"v1"}"#
        #expect(Self.take(alone, naming: "screen", seconds: 1000) == .of("screen"))
        let both = Self.flows([screen, Self.launch("report", keys: ["visit_id": "v1"])])
        #expect(Self.take(both, value: value) == .of("report"))
        #expect(Self.take(Self.flows([screen]), value: value) == .of("screen"))
        #expect(Self.take(Self.flows([screen]), value: value, seconds: 61) == .none)
    }

    @Test func erasedRecordsNameTheFlowsThatTheyMayHaveDecided() {
        let flows = Self.flows([Self.launch("a"), Self.launch("b")])
        let ids = (0..<4).map { _ in RecordID(at: .now) }
        flows.noteRead(ids[0], of: "a", isEnd: false)
        #expect(flows.flows(of: [ids[0]]) == ["a"])
        // It may be the launch of the flow of which no record was read.
        #expect(flows.flows(of: [ids[1]]) == ["b"])
        flows.noteRead(ids[1], of: "b", isEnd: false)
        #expect(flows.flows(of: [ids[2]]).isEmpty)
        #expect(Self.take(flows, naming: "a") == .of("a"))
        #expect(flows.flows(of: [ids[1], ids[2]]) == ["a", "b"])
        flows.noteRead(ids[2], of: "a", isEnd: true)
        #expect(flows.flows(of: [ids[2]]) == ["a"])
        #expect(flows.flows(of: [ids[3]]).isEmpty)
        #expect(flows.flows(of: []).isEmpty)
    }

    @Test func whatWaitsForTheDatabaseIsKeptWhenTheStoreIsReadAgain() {
        let flows = Self.flows(["a", "b", "c", "d"].map { Self.launch($0) })
        let launch = Receipt(id: RecordID(at: .now), sequence: 0)
        let end = Receipt(id: RecordID(at: .now), sequence: 0)
        flows.noteSpooled(launch, of: "a")
        flows.noteSpooled(Receipt(id: RecordID(at: .now), sequence: 7), of: "b")
        flows.noteRead(RecordID(at: .now), of: "c", isEnd: false)
        #expect(Self.take(flows, naming: "c", body: "1") == .of("c"))
        flows.noteSpooled(end, of: "c", endingBy: Self.request(body: "1"))
        // A report of progress, which ends nothing.
        flows.noteSpooled(end, of: "d", endingBy: Self.request(body: "2"))
        #expect(flows.flows(of: [RecordID(at: .now)]) == ["b", "d"])
        flows.forgetStored()
        #expect(["a", "b", "c", "d"].filter { flows.inbox(of: $0) != nil } == ["a", "c"])
        #expect(Self.take(flows, naming: "c", body: "2") == .ended("c"))
        // Once it is in the store, it is read from there.
        flows.noteRead(launch.id, of: "a", isEnd: false)
        flows.forgetStored(of: "a")
        #expect(flows.inbox(of: "a") == nil)
        #expect(flows.flows(of: [end.id]) == ["c"])
        flows.forgetStored(of: "c")
        #expect(flows.inbox(of: "c") == nil)
    }

    @Test func anEndThatIsNoLongerStoredIsDroppedWhileTheLaunchWaitsForTheDatabase() {
        let flows = Self.flows([Self.launch("a")])
        flows.noteSpooled(Receipt(id: RecordID(at: .now), sequence: 0), of: "a")
        #expect(Self.take(flows, naming: "a", body: "1") == .of("a"))
        #expect(Self.take(flows, naming: "a", body: "2") == .ended("a"))
        flows.forgetStored(of: "a")
        #expect(Self.take(flows, naming: "a", body: "2") == .of("a"))
    }

    @Test func recordsOfLaunchesSayWhetherTheAppComesBack() {
        let record = { (contract: String, result: String) in
            Array(
                #"{"flow":"f","inbox":"i","contract":"\#(contract)","result":\#(result)}"#.utf8)
        }
        let comesBack = { OpenFlows.launch(in: record($0, $1))?.comesBack }
        let visit = #"{"parameters":{"method":"visit","back_url_scheme":"a"},"callback":"a:"}"#
        let screen = visit.replacing("visit", with: "summaryReport")
        #expect(comesBack("ailet-deeplink", visit) == true)
        #expect(comesBack("ailet-deeplink", screen) == false)
        #expect(comesBack("ailet-deeplink", #"{"parameters":{"method":"sync"}}"#) == false)
        #expect(comesBack("flux", #"{"parameters":{"flowName":"a"},"callback":null}"#) == false)
        #expect(comesBack("flux", #"{"parameters":{"callback":"https://a.example/"}}"#) == true)
        #expect(comesBack("flux", #"{"parameters":{},"reaction":"nothing"}"#) == false)
        let failed = screen.replacing(#""callback""#, with: #""reaction":"returns","callback""#)
        #expect(comesBack("ailet-deeplink", failed) == true)
    }

    @Test(arguments: [
        ("null", nil, true), (#""returns""#, nil, true), (#""nothing""#, nil, false),
        (#""error_page""#, nil, false), ("null", "insecure_callback", true),
        ("null", "callback_not_allowed", false), ("null", "too_many_deliveries", false),
        (#""returns""#, "callback_not_allowed", false),
    ])
    func recordsOfLaunchesSayWhetherTheyWereRefused(
        reaction: String, code: String?, isOpen: Bool
    ) throws {
        let diagnostics = code.map { #"[{"code":"no_user_id"},{"code":"\#($0)"}]"# } ?? "[]"
        let record = #"""
            {"flow":"f","inbox":"i","contract":"flux","result":{"parameters":{},\#
            "reaction":\#(reaction)},"diagnostics":\#(diagnostics)}
            """#
        let launch = try #require(OpenFlows.launch(in: Array(record.utf8)))
        #expect(launch.isOpen == isOpen)
    }

    private static func moment(_ seconds: Int64) -> Timestamp {
        Timestamp(unixMilliseconds: 1_795_241_580_000 + seconds * 1000)
    }

    /// Launches that were opened at the beginning, with a patience of a minute.
    private static func flows(_ launches: [OpenFlows.Launch]) -> OpenFlows {
        let flows = OpenFlows(patience: .seconds(60))
        for launch in launches { flows.add(launch, at: moment(0)) }
        return flows
    }

    private static func request(
        at url: String = "http://localhost/x", body: String
    ) -> RecordRequest {
        RecordRequest(
            method: "POST", scheme: "http", host: "localhost", target: Array(url.utf8),
            version: "1.1", peer: "", fields: [], body: .init(Array(body.utf8)))
    }

    private static func take(
        _ flows: OpenFlows, _ vendor: Vendor = .ailet, inbox: String = "default",
        naming flow: String? = nil, at url: String = "http://localhost/x", value: String = "{}",
        isFinal: Bool = true, body: String = "null", seconds: Int64 = 1
    ) -> FlowMembership {
        flows.take(
            OpenFlows.Arrival(
                vendor: vendor, inbox: inbox, flow: flow, place: OpenFlows.place(of: LinkURL(url)),
                value: try? JSONDocument(parsing: Array(value.utf8)), isFinal: isFinal,
                request: request(at: url, body: body)),
            at: moment(seconds))
    }

    @Test(arguments: [
        (#"{"visit_id":"v1","task_id":"t1"}"#, FlowMembership.of("a")),
        (#"{"visit_id":"v1","task_id":"t2"}"#, .of("b")),
        (#"{"visit_id":"v1"}"#, .severalFit(["a", "b"])),
        (#"{"visit_id":"v2","task_id":"t1"}"#, .none), (#"{"status":"IR_ERROR"}"#, .none),
        ("[]", .none),
    ])
    func theVendorsKeysTellTheOneLaunchThatFits(value: String, expected: FlowMembership) {
        let flows = Self.flows([
            Self.launch("a", keys: ["visit_id": "v1", "task_id": "t1"]),
            Self.launch("b", keys: ["visit_id": "v1", "task_id": "t2"]),
        ])
        #expect(Self.take(flows, value: value) == expected)
    }

    @Test(arguments: [
        ("https://shop.example/done?order=7&status=completed", "a"),
        ("http://shop.example/done?order=7", "a"),
        ("https://SHOP.example/done?order=7?status=completed", "a"),
        ("https://shop.example/done?order=71&status=completed", nil),
        ("https://shop.example/done", nil), ("https://shop.example/other?order=7", nil),
        ("https://shop.example.evil.example/done?order=7", nil),
        ("https://shop.example:8443/done?order=7", nil),
    ])
    func theCallbacksOwnURLTellsTheLaunch(url: String, expected: String?) {
        let flows = Self.flows([
            Self.launch("a", .flux, callback: "https://shop.example/done?order=7")
        ])
        #expect(Self.take(flows, .dimmy, at: url).flow == expected)
    }

    @Test(arguments: [
        ("https://a.example/r?a=1&", "https://a.example/r?a=1&stress=0.3", true),
        ("https://a.example/r?a=1&", "https://a.example/r?a=1", true),
        ("https://a.example/r?a=1&", "https://a.example/r?a=12&stress=0.3", false),
        ("https://a.example/r?&", "https://a.example/r?stress=0.3", true),
        ("https://a.example:443/r", "https://a.example/r?stress=0.3", true),
        ("https://a.example/r", "HTTPS://a.example:443/r?stress=0.3", true),
        ("http://a.example:80/r", "http://a.example/r?stress=0.3", true),
        ("https://a.example:80/r", "https://a.example/r?stress=0.3", false),
        ("http://a.example:443/r", "http://a.example/r?stress=0.3", false),
    ])
    func equalURLsAreTakenForTheSame(callback: String, url: String, isSame: Bool) {
        let flows = Self.flows([Self.launch("a", .flux, callback: callback)])
        #expect(Self.take(flows, .dimmy, at: url).flow == (isSame ? "a" : nil))
    }

    @Test(arguments: [
        // The place and the code; the place alone, which both have; a code that contradicts.
        ("https://a.example/r?status=completed", #"{"item":{"code":"7"}}"#, FlowMembership.of("a")),
        ("https://a.example/r?status=completed", #"{"item":{"code":"8"}}"#, .of("b")),
        ("https://a.example/r?status=cancelled", "{}", .severalFit(["a", "b"])),
        ("https://forwarded.example/x", #"{"item":{"code":"7"}}"#, .of("a")),
        ("https://forwarded.example/x", #"{"item":[{"code":"8"},{"code":"7"}]}"#, .of("b")),
        ("https://a.example/r", #"{"item":{"code":"9"}}"#, .none),
        ("https://forwarded.example/x", #"{"code":"7"}"#, .of("a")),
        ("https://forwarded.example/x", "{}", .none),
    ])
    func theCodeTellsTheLaunchWhereverTheCallbackCame(
        url: String, value: String, expected: FlowMembership
    ) {
        let flows = Self.flows([
            Self.launch("a", .flux, keys: ["code": "7"], callback: "https://a.example/r"),
            Self.launch("b", .flux, keys: ["code": "8"], callback: "https://a.example/r"),
        ])
        #expect(Self.take(flows, .dimmy, at: url, value: value) == expected)
    }

    @Test func aFlowIsAnsweredInItsOwnInboxOnly() {
        let flows = Self.flows([
            Self.launch("a", keys: ["visit_id": "v1"], inbox: "team-a"),
            Self.launch("b", keys: ["visit_id": "v1"], inbox: "team-b"),
        ])
        let value = #"{"visit_id":"v1"}"#
        #expect(Self.take(flows, inbox: "team-c", value: value) == .none)
        #expect(Self.take(flows, inbox: "team-b", naming: "a", value: value) == .elsewhere("a"))
        #expect(Self.take(flows, inbox: "team-b", value: value) == .of("b"))
        #expect(Self.take(flows, inbox: "team-a", value: value) == .of("a"))
    }

    @Test func whatHasEndedTakesNothingButTheSameAgainAndReportsOfProgress() {
        let value = #"{"visit_id":"v1"}"#
        let flows = Self.flows([Self.launch("a", keys: ["visit_id": "v1"])])
        #expect(Self.take(flows, value: value, isFinal: false) == .of("a"))
        #expect(Self.take(flows, value: value, body: "1") == .of("a"))
        #expect(Self.take(flows, value: value, body: "1") == .of("a"))
        #expect(Self.take(flows, value: value, body: "2") == .none)
        #expect(Self.take(flows, naming: "a", value: value, body: "1") == .of("a"))
        #expect(Self.take(flows, naming: "a", value: value, body: "2") == .ended("a"))
        #expect(Self.take(flows, naming: "a", value: value, isFinal: false, body: "2") == .of("a"))
        #expect(Self.take(flows, value: value, isFinal: false, body: "2") == .of("a"))
        // A launch that follows takes what fits, also the very same text.
        flows.add(Self.launch("b", keys: ["visit_id": "v1"]), at: Self.moment(2))
        #expect(Self.take(flows, value: value, body: "1", seconds: 3) == .of("b"))
    }

    @Test func whatWasLostTakesNothingUntilItIsOpenedAgain() {
        let value = #"{"visit_id":"v1"}"#
        let flows = Self.flows([Self.launch("a", keys: ["visit_id": "v1"])])
        #expect(Self.take(flows, value: value, seconds: 61) == .none)
        #expect(Self.take(flows, naming: "a", value: value, seconds: 61) == .lost("a"))
        flows.add(Self.launch("a", keys: ["visit_id": "v1"]), at: Self.moment(70))
        #expect(Self.take(flows, value: value, seconds: 71) == .of("a"))
    }

    @Test func aFlowThatNobodyKnowsIsBelieved() {
        #expect(Self.take(Self.flows([]), naming: "f") == .of("f"))
    }

    @Test(
        arguments: [
            (-1000, false), (0, false), (299, false), (301, true), (1_000_000, true),
        ] as [(Int64, Bool)])
    func anUnknownFlowOfTheFutureIsNotBelievedAndAKnownOneIs(seconds: Int64, isFuture: Bool) {
        let flow = RecordID(at: Self.moment(seconds)).description
        let expected = isFuture ? FlowMembership.ofTheFuture(flow) : .of(flow)
        #expect(Self.take(Self.flows([]), naming: flow, seconds: 0) == expected)
        #expect(Self.take(Self.flows([Self.launch("a")]), naming: flow, seconds: 0) == expected)
        #expect(Self.take(Self.flows([Self.launch(flow)]), naming: flow, seconds: 0) == .of(flow))
        let latest = "ffffffff-ffff-7fff-bfff-000000000001"
        #expect(Self.take(Self.flows([]), naming: latest) == .ofTheFuture(latest))
    }

    @Test func theFormerLaunchIsOneOfTheSameContractAndInboxThatHasEnded() {
        let flows = Self.flows([
            Self.launch("a", .flux), Self.launch("other contract", .dimmy2024),
            Self.launch("other inbox", .flux, inbox: "qa"), Self.launch("open", .flux),
            Self.launch("b", .flux),
        ])
        func former(_ flow: String, in inbox: String = "default") -> String {
            flows.former(than: flow, of: .flux, in: inbox)
        }
        #expect(FlowID.isValid(former("b").utf8))
        #expect(Self.take(flows, .dimmy, naming: "a") == .of("a"))
        #expect(Self.take(flows, .dimmy, naming: "other contract") == .of("other contract"))
        #expect(former("b") == "a")
        #expect(FlowID.isValid(former("a").utf8))
        #expect(FlowID.isValid(former("other inbox", in: "qa").utf8))
    }

    @Test func vendorsAreKeptApart() {
        let flows = Self.flows([Self.launch("a", keys: ["visit_id": "v1"])])
        #expect(Self.take(flows, .dimmy, value: #"{"visit_id":"v1"}"#) == .none)
    }

    @Test func theLaunchesOfAnInboxThatWasErasedAreForgotten() {
        let flows = Self.flows([
            Self.launch("a", keys: ["visit_id": "v1"], inbox: "ci"),
            Self.launch("b", keys: ["visit_id": "v1"]),
        ])
        flows.forget(inbox: "ci")
        #expect(Self.take(flows, inbox: "ci", value: #"{"visit_id":"v1"}"#) == .none)
        #expect(Self.take(flows, value: #"{"visit_id":"v1"}"#) == .of("b"))
    }

    @Test func theOldestLaunchesAreForgottenFirst() {
        let last = OpenFlows.most
        let flows = Self.flows(
            (0...last).map { Self.launch("\($0)", keys: ["visit_id": "\($0)"]) })
        #expect(Self.take(flows, value: #"{"visit_id":"0"}"#) == .none)
        #expect(Self.take(flows, value: #"{"visit_id":"\#(last)"}"#) == .of("\(last)"))
    }

    @Test func whatBelongsToNoFlowSaysWhyAsAnInfo() throws {
        #expect(FlowMembership.none.diagnostic == nil && FlowMembership.of("a").diagnostic == nil)
        let near: [FlowMembership] = [
            .severalFit(["a", "b"]), .elsewhere("a"), .ended("a"), .lost("a"), .ofTheFuture("a"),
        ]
        for membership in near {
            let diagnostic = try #require(membership.diagnostic)
            #expect(diagnostic.severity == .info && FlowMembership.codes.contains(diagnostic.code))
            #expect(membership.flow == nil)
        }
        #expect(near[0].diagnostic?.found == "2: b, a")
    }

    @Test func aStoredLaunchTakesACallbackWithTheCredentialThatIsNotStored() throws {
        let record = #"""
            {"flow":"f","inbox":"default","contract":"welltory-dds","result":{"parameters":{},\#
            "callback":"https://www.yourapp.com/dds/?session_token=[redacted]"}}
            """#
        let flows = Self.flows([try #require(OpenFlows.launch(in: Array(record.utf8)))])
        let url = "https://www.yourapp.com/dds/?session_token=abc123&stress=0.3"
        #expect(Self.take(flows, .welltory, at: url) == .of("f"))
    }

    @Test func aStoredLaunchIsRecalledAndACallbackIsNone() throws {
        let record = #"""
            {"flow":"f","inbox":"qa","vendor":"ailet","contract":"ailet-deeplink",\#
            "result":{"parameters":{"visit_id":"v1","task_id":"t1"},"callback":"app:"}}
            """#
        let launch = try #require(OpenFlows.launch(in: Array(record.utf8)))
        #expect(launch.flow == "f")
        #expect(launch.contract == .ailetDeeplink && launch.inbox == "qa")
        #expect(launch.keys == ["visit_id": "v1", "task_id": "t1"])
        #expect(launch.callback == nil)
        #expect(OpenFlows.launch(in: Array(#"{"vendor":"ailet","flow":null}"#.utf8)) == nil)
    }
}
