// Callbacks of launch links: what is one, what vendors append, and the id of a flow in it.

import Testing

@testable import Vendors

@Suite("Callback URLs")
struct LaunchCallbackTests {
    private let flow = "019a9a3c-1d2e-7f30-8a4b-5c6d7e8f9a0b"

    @Test(
        "have a kind, a scheme and a host",
        arguments: [
            ("https://Partner.example:8443/r?a=b#c", .web, "https", "partner.example"),
            ("HTTP://127.0.0.1:8080", .web, "http", "127.0.0.1"),
            ("http://[::1]:80/x", .web, "http", "[::1]"),
            ("https://user@partner.example/", .web, "https", "partner.example"),
            ("partnerapp:", .custom, "partnerapp", nil),
            ("partnerapp://Measurement", .custom, "partnerapp", "measurement"),
            ("com.partner.app:/oauth", .custom, "com.partner.app", nil),
            ("com.partner.app/.Result", .component, nil, nil),
            ("com.partner.app/com.partner.app.Main$Inner", .component, nil, nil),
            ("JavaScript:alert(1)", .refused, "javascript", nil),
            ("data:text/html,x", .refused, "data", nil),
            ("file:///etc/passwd", .refused, "file", ""),
        ] as [(String, CallbackURL.Kind, String?, String?)])
    func kinds(text: String, kind: CallbackURL.Kind, scheme: String?, host: String?) throws {
        let url = try CallbackURL(text)
        #expect(url.kind == kind)
        #expect(url.scheme == scheme)
        #expect(url.host == host)
        #expect(url.description == text)
    }

    @Test(
        "are whole URLs without a character that no URL has",
        arguments: [
            ("", 0), ("partner.example", 0), ("/relative", 0), ("//partner.example", 0),
            ("https:", 6), ("https://", 6), ("https:///x", 6), ("https://?x", 6),
            ("https://a b/", 9), ("https://a/\r\nSet-Cookie:x", 10), ("https://ä.example/", 8),
            ("https://a/%zz", 10), ("https://a/%4", 10), ("https://a\\b/", 9),
            ("https://a:port/", 8), ("https://a:65536/", 8), ("https://a:1:2/", 8),
            ("app/.Activity", 0), ("com.partner/", 0), ("com.partner/a/b", 0), ("1com.x/.A", 0),
        ])
    func invalid(text: String, offset: Int) {
        let fault = #expect(throws: CallbackURL.Fault.self) { try CallbackURL(text) }
        #expect(fault?.offset == offset)
    }

    @Test(
        "keep their query and fragment when something is appended (1.2, 6)",
        arguments: [
            ("https://a.example", "https://a.example?s=1"),
            ("https://a.example/r", "https://a.example/r?s=1"),
            ("https://a.example/r?", "https://a.example/r?s=1"),
            ("https://a.example/r?o=2", "https://a.example/r?o=2&s=1"),
            ("https://a.example/r?o=2&", "https://a.example/r?o=2&s=1"),
            ("https://a.example/r?o=2#top?x", "https://a.example/r?o=2&s=1#top?x"),
            ("https://a.example/r#top", "https://a.example/r?s=1#top"),
            ("https://a.example/#", "https://a.example/?s=1#"),
            ("partnerapp:", "partnerapp:?s=1"),
            ("partnerapp://", "partnerapp://?s=1"),
            ("partnerapp://Measurement", "partnerapp://Measurement?s=1"),
            ("com.partner.app/.Result", nil),
            ("javascript:x", nil),
        ] as [(String, String?)])
    func appending(text: String, expected: String?) throws {
        let url = try CallbackURL(text)
        let appended = url.appending(Array("s=1".utf8))
        #expect(appended.map { String(decoding: $0, as: UTF8.self) } == expected)
        #expect(url.appending([]) == (expected == nil ? nil : Array(text.utf8)))
    }

    @Test(
        "carry a flow where vendors leave it alone",
        arguments: [
            (
                "https://l.example/callbacks/flux", true,
                "https://l.example/callbacks/flux/default/FLOW"
            ),
            (
                "https://l.example/callbacks/ikea", true,
                "https://l.example/callbacks/ikea?landfall_flow=FLOW"
            ),
            (
                "https://l.example/callbacks/dimmy", true,
                "https://l.example/callbacks/dimmy/default/FLOW"
            ),
            (
                "https://l.example/callbacks/dimmy/", true,
                "https://l.example/callbacks/dimmy/default/FLOW"
            ),
            (
                "https://l.example/callbacks/dimmy/qa?o=1#x", true,
                "https://l.example/callbacks/dimmy/qa/FLOW?o=1#x"
            ),
            (
                "https://l.example/callbacks/dimmy/qa/FLOW", true,
                "https://l.example/callbacks/dimmy/qa/FLOW"
            ),
            (
                "https://l.example/callbacks/dimmy/qa/other", true,
                "https://l.example/callbacks/dimmy/qa/other?landfall_flow=FLOW"
            ),
            (
                "https://l.example/callbacks/dimmy/qa", false,
                "https://l.example/callbacks/dimmy/qa?landfall_flow=FLOW"
            ),
            ("https://a.example/r?o=1#x", true, "https://a.example/r?o=1&landfall_flow=FLOW#x"),
            (
                "https://a.example/r?landfall_flow=OLD&o=1", false,
                "https://a.example/r?o=1&landfall_flow=FLOW"
            ),
            (
                "https://a.example/r?landfall%5Fflow=OLD&o=1", false,
                "https://a.example/r?o=1&landfall_flow=FLOW"
            ),
            (
                "https://a.example/r?landfall_flow=OLD#x", false,
                "https://a.example/r?landfall_flow=FLOW#x"
            ),
            ("partnerapp:", false, "partnerapp:?landfall_flow=FLOW"),
            ("partnerapp://x", false, "partnerapp://x?landfall_flow=FLOW"),
            ("com.partner.app/.Result", false, nil),
            ("data:x", false, nil),
        ] as [(String, Bool, String?)])
    func carrying(text: String, isReceiver: Bool, expected: String?) throws {
        func filled(_ text: String) -> String {
            var text = text
            while let range = text.firstRange(of: "FLOW") {
                text.replaceSubrange(range, with: flow)
            }
            return text
        }
        let carrier = try CallbackURL(filled(text)).carrying(flow: flow, isReceiver: isReceiver)
        #expect(carrier?.description == expected.map(filled))
        guard let carrier else { return }
        #expect(carrier.flow == flow)
        let answer = try #require(carrier.appending(Array("landfall_flow=x&status=ok".utf8)))
        #expect(CallbackURL.flow(in: answer) == flow)
    }

    @Test(
        "give back the flow of a received target",
        arguments: [
            ("/callbacks/dimmy/qa/FLOW?status=completed", true),
            ("/callbacks/dimmy/FLOW", false), ("/other/dimmy/qa/FLOW", false),
            ("/callbacks/dimmy/qa/FLOW/x", false),
            ("/x?a=b&landfall_flow=FLOW&c=d", true), ("/x?landfall%5Fflow=FLOW", true),
            ("/x?landfall_flow=FLOW0", false),
            ("/x?xlandfall_flow=FLOW", false), ("/x?landfall_flow=no&landfall_flow=FLOW", true),
            ("/x#landfall_flow=FLOW", false), ("partnerapp:?landfall_flow=FLOW&result=%7B", true),
        ])
    func reading(target: String, isThere: Bool) {
        let target = target.split(separator: "FLOW", omittingEmptySubsequences: false)
            .joined(separator: flow)
        #expect(CallbackURL.flow(in: Array(target.utf8)) == (isThere ? flow : nil))
    }

    @Test(
        "carry a flow that is no parameter of the partner",
        arguments: [
            (Vendor.welltory, "stress=0.5", #"{"stress":0.5}"#),
            (.ailet, "result=%7B%22status%22:%22IR_ERROR%22%7D", #""status":"IR_ERROR""#),
            (.dimmy, "status=cancelled", #"{"context":{}}"#),
        ])
    func ownParameter(vendor: Vendor, query: String, value: String) {
        let decoding = Decoding(url: "/?\(query)&landfall_flow=\(flow)", from: vendor)
        #expect(decoding.flow == flow)
        #expect(!decoding.codes.contains("unknown_parameter"))
        #expect(decoding.text?.contains(value) == true, "\(decoding.text ?? "no value")")
        #expect(decoding.text?.contains(FlowID.parameter) == false)
    }

    @Test(
        "give back the flow of a callback that a back end forwards",
        arguments: [
            (.form(Array("landfall_flow=FLOW&status=cancelled".utf8)), true),
            (.form(Array("status=cancelled&landfall%5fflow=FLOW".utf8)), true),
            (.json(Array(#"{"landfall_flow":"FLOW","status":"cancelled"}"#.utf8)), true),
            (.json(Array(#"{"landfall\u005fflow":"FLOW"}"#.utf8)), true),
            (.json(Array(#"{"landfall_flow":{"id":"FLOW"}}"#.utf8)), false),
            (.json(Array(#"["landfall_flow","FLOW"]"#.utf8)), false),
            (.form(Array("landfall_flow=FLOWx".utf8)), false),
            (.other(contentType: "text/plain", Array("landfall_flow=FLOW".utf8)), false),
        ] as [(Callback.Body, Bool)])
    func forwarded(body: Callback.Body, isThere: Bool) {
        let text = String(decoding: body.bytes, as: UTF8.self)
            .split(separator: "FLOW", omittingEmptySubsequences: false).joined(separator: flow)
        let bytes = Array(text.utf8)
        let filled: Callback.Body =
            switch body {
            case .form: .form(bytes)
            case .json: .json(bytes)
            case .multipart(let boundary, _): .multipart(boundary: boundary, bytes)
            case .other(let type, _): .other(contentType: type, bytes)
            }
        for vendor in Vendor.allCases {
            let decoding = Decoding(of: Callback(target: [], body: filled), from: vendor)
            #expect(decoding.flow == (isThere ? flow : nil))
        }
    }

    @Test(
        "know the id of a flow from other texts",
        arguments: [
            ("019a9a3c-1d2e-7f30-8a4b-5c6d7e8f9a0b", true),
            ("019A9A3C-1D2E-7F30-8A4B-5C6D7E8F9A0B", false),
            ("019a9a3c-1d2e-4f30-8a4b-5c6d7e8f9a0b", false),
            ("019a9a3c-1d2e-7f30-ca4b-5c6d7e8f9a0b", false),
            ("019a9a3c-1d2e-7f30-7a4b-5c6d7e8f9a0b", false),
            ("019a9a3c-1d2e-7f30-8a4b-5c6d7e8f9a0", false), ("", false),
            ("019a9a3c.1d2e-7f30-8a4b-5c6d7e8f9a0b", false),
        ])
    func flowIDs(text: String, isOne: Bool) {
        #expect(FlowID.isValid(text.utf8) == isOne)
    }

    @Test("of Android activities are intents with the result as typed extras")
    func intents() throws {
        let activity = try CallbackURL("com.a.b/.Main$Inner")
        let intent = activity.intent(with: Array("stress=0.3&stress_c=red&ctx=%C3%A4%3B".utf8))
        #expect(
            intent.map { String(decoding: $0, as: UTF8.self) }
                == "intent:#Intent;component=com.a.b/.Main$Inner;"
                + "f.stress=0.3;S.stress_c=red;S.ctx=%C3%A4%3B;end")
        #expect(try CallbackURL("app://x").intent(with: []) == nil)
    }

    @Test("are put into a launch that carries a flow, unless Ailet's scheme can't")
    func launches() throws {
        let flux = try launch(.flux, ["flowName=a", "callback=https://l.example/callbacks/dimmy"])
            .carrying(flow: flow, isReceiver: true)
        #expect(flux.callback == "https://l.example/callbacks/dimmy/default/\(flow)")
        let dimmy = try launch(.dimmy2024, ["flow=a", "callback=app://x?o=1"])
            .carrying(flow: flow, isReceiver: true)
        #expect(dimmy.callback == "app://x?o=1&landfall_flow=\(flow)")
        #expect(LaunchCheck(of: Array(dimmy.url.utf8)).callback?.flow == flow)
        let ailet = try launch(
            .ailetDeeplink, ["method=sync", "login=a", "password=b", "back_url_scheme=app"])
        #expect(ailet.carrying(flow: flow, isReceiver: true) == ailet)
        #expect(try ailet.returning(to: "other://").value(of: "back_url_scheme") == "other")
        let android = try launch(.welltoryDDS, ["source=a", "callback=com.a.b/.Main", "ctx=7"])
            .carrying(flow: flow, isReceiver: true)
        #expect(android.callback == "com.a.b/.Main")
        #expect(android.value(of: FlowID.parameter) == flow)
        #expect(LaunchCheck(of: Array(android.url.utf8)).flow == flow)
        #expect(android.carrying(flow: flow, isReceiver: false) == android)
        let none = try launch(.flux, ["flowName=a"])
        #expect(none.carrying(flow: flow, isReceiver: true) == none)
        #expect(try none.returning(to: "app://x").callback == "app://x")
        let trigger = try launch(.rezolveTrigger, ["partner=1", "merchant=2", "category=3"])
        #expect(throws: LaunchError.self) { try trigger.returning(to: "app://x") }
    }

    @Test(
        "are exposed when they are plain http to another machine",
        arguments: [
            ("http://partner.example/", true), ("https://partner.example/", false),
            ("http://localhost:80/", false), ("http://127.0.0.1/", false),
            ("http://[::1]/", false), ("http://127.0.0.1.evil.example/", true),
            ("http://localhost.evil.example/", true), ("app://x", false),
        ])
    func exposed(text: String, isExposed: Bool) throws {
        #expect(try CallbackURL(text).isExposed == isExposed)
    }
}
