// What real clients leave out or say in another way, and what is still refused: tokens without
// `Bearer`, calls without device, tokens of servers, searches, engagements, and times without clock.

import HTTP1
import JSON
import Testing
import Vendors

@testable import RezolveSandbox

@Suite struct RezolveClientTests {
    private let sandbox = Sandbox()

    private static let answers =
        #"{"entityId":"ENTITY","answers":[{"question_id":"q-name","answer":"Ada"},"#
        + #"{"question_id":"q-drink","answer":"2"},"#
        + #"{"question_id":"q-when","answer":"24/12/2026 18:30"}]}"#

    @Test func whatIsLeftOutIsRemarkedOn() throws {
        var call = Sandbox.call()
        #expect(try sandbox.sandbox.answer(.merchants, call).remarks.isEmpty)
        call.deviceID = nil
        call.authorization = call.authorization.map { String($0.dropFirst(7)) }
        let answer = try sandbox.sandbox.answer(.merchants, call)
        #expect(answer.status == .ok && answer.note == nil)
        #expect(answer.remarks.map(\.code) == ["token_without_bearer", "missing_device_id"])
        #expect(answer.remarks.allSatisfy { $0.severity == .info })
        for wrong in ["Basic \(call.authorization ?? "")", "Bearer", "x", ""] {
            call.authorization = wrong
            #expect(try sandbox.answer(.merchants, call).status == 403)
        }
    }

    @Test func whatIsLeftOutOfATokenForActsIsRemarkedOn() throws {
        var call = Sandbox.call(.get, ["act": "act-tasting"])
        call.deviceID = nil
        call.authorization = call.authorization.map { String($0.dropFirst(7)) }
        let answer = try sandbox.sandbox.answer(.act, call)
        #expect(answer.remarks.map(\.code) == ["token_without_bearer", "missing_device_id"])
        // Without a token, or with a server's, there is no device.
        call.authorization = nil
        #expect(try sandbox.sandbox.answer(.act, call).remarks.isEmpty)
        let server = try ofServer(.get, ["act": "act-tasting"])
        #expect(try sandbox.sandbox.answer(.act, server).remarks.isEmpty)
    }

    @Test func registrationStillNeedsBearer() throws {
        var request = Sandbox.registration()
        request.authorization = Sandbox.token()
        #expect(try sandbox.answer(.registration, request).note?.reason == "token_not_found")
    }

    /// A request with the token of `OAuthProxy/token`, without API key and device.
    private func ofServer(
        _ method: Request.Method, _ path: [String: String] = [:], _ body: String = "",
        token: String? = nil
    ) throws -> RezolveRequest {
        var request = RezolveRequest(
            method: .post, contentType: "application/json", now: Sandbox.now)
        request.body = Array(#"{"clientId":"c","clientSecret":"s","apiAudience":"a"}"#.utf8)
        let bearer = try sandbox.answer(.clientToken, request).body?["bearerToken"]?.string
        request.authorization = "Bearer \(try #require(token ?? bearer))"
        (request.method, request.path, request.body) = (method, path, Array(body.utf8))
        return request
    }

    @Test func aServersTokenOpensActsAndEngagementsOnly() throws {
        let nearby = try sandbox.answer(.nearbyEngagements, try ofServer(.get))
        let ids = nearby.body?["engagements"]?.elements(of: "data").map { $0["id"]?.string } ?? []
        #expect(nearby.status == 200 && ids.contains("e-tasting"))
        let payoff = try sandbox.answer(
            .payoff, try ofServer(.post, ["engagement": "e-tasting"], "{}"))
        let act = payoff.body?["rezolveCustomPayload"]?["act"]
        #expect(payoff.status == 200 && act?["id"]?.string == "act-tasting")
        #expect(act?["act"]?.elements(of: "pageBuildingBlocks").isEmpty == false)
        let answered = try sandbox.answer(
            .answers, try ofServer(.post, ["act": "act-tasting"], Self.answers))
        #expect(answered.status == 201)
        var call = try ofServer(.get, ["partner": "12", "entity": Sandbox.entity])
        call.apiKey = "api"
        #expect(try sandbox.answer(.merchants, call).note?.reason == "wrong_kind")
    }

    @Test func aServersTokenIsCheckedToo() throws {
        for (token, status) in [
            (Sandbox.token(key: "another key"), 403), (Sandbox.token(in: -1), 401), ("x", 403),
        ] {
            let request = try ofServer(.get, token: token)
            #expect(try sandbox.answer(.nearbyEngagements, request).status == status)
            let payoff = try ofServer(.post, ["engagement": "e-tasting"], "{}", token: token)
            #expect(try sandbox.answer(.payoff, payoff).status == status)
        }
    }

    @Test func nobodyAnswersForAnotherEntity() throws {
        for (entity, status) in [(Sandbox.entity, 201), (Sandbox.other, 403)] {
            let body = Self.answers.replacing("ENTITY", with: entity)
            var call = Sandbox.call(.post, ["act": "act-tasting"], body)
            call.path = ["act": "act-tasting"]
            #expect(try sandbox.answer(.answers, call).status == status)
        }
    }

    @Test(arguments: [
        [("area.center.latitude", "91")], [("area.center.longitude", "x")], [("limit", "0")],
    ])
    func wrongPlacesAreRefused(query: [(String, String)]) throws {
        var request = RezolveRequest()
        request.query = query.map { ($0.0, $0.1) }
        #expect(try sandbox.answer(.nearbyEngagements, request).status == 400)
    }

    @Test func anUnknownEngagementLeadsNowhere() throws {
        var request = RezolveRequest(method: .post)
        request.path["engagement"] = "e-nothing"
        let (status, body, _) = try sandbox.answer(.payoff, request)
        #expect(status == 404 && body?["code"]?.string == "4")
        request.path["engagement"] = "e-tasting"
        request.body = Array("{".utf8)
        request.contentType = "application/json"
        #expect(try sandbox.answer(.payoff, request).status == 400)
    }

    @Test func anAccountIsTheSameAtRegistrationAndLogin() throws {
        var request = RezolveRequest(
            method: .post, contentType: "application/json", now: Sandbox.now)
        request.body = Array(#"{"phone":"+233","password":"p"}"#.utf8)
        let registered = try sandbox.answer(.accountRegistration, request)
        request.body = Array(#"{"username":"+233","password":"p","deviceId":"d"}"#.utf8)
        let login = try sandbox.answer(.login, request)
        #expect(registered.status == 201 && registered.body?.compactText == login.body?.compactText)
        for name in ["id", "username", "sdkEntity", "partnerId"] {
            #expect(registered.body?[name] != nil)
        }
    }

    @Test func anAppAsksForItsVersion() throws {
        let body = #"{"platform":"android","package_name":"a","device_id":"other"}"#
        var call = Sandbox.call(.post, [:], body)
        call.path = [:]
        #expect(
            try sandbox.answer(.appVersion, call).body?["update_required"]?.bool == false)
        call.body = Array(#"{"platform":"android"}"#.utf8)
        #expect(try sandbox.answer(.appVersion, call).body?["code"]?.string == "3")
        call.deviceID = "d-2"
        #expect(try sandbox.answer(.appVersion, call).note?.reason == "device_id_mismatch")
        call.apiKey = nil
        #expect(try sandbox.answer(.appVersion, call).note?.reason == "invalid_api_key")
    }

    @Test func merchantsAndProductsAreSearched() throws {
        func found(
            _ call: RezolveCall, _ body: String, _ query: [(String, String)] = []
        ) throws -> [Int?] {
            let name = call == .merchantSearch ? "merchants" : "products"
            let answer = try sandbox.answer(call, Sandbox.call(.post, query: query, body))
            return answer.body?.elements(of: name).map { $0["id"]?.int } ?? []
        }
        let all = try found(.merchantSearch, #"{"order_by":"location"}"#)
        #expect(all.contains(252) && all.contains(2))
        let second = try found(.merchantSearch, "{}", [("page", "2"), ("limit", "1")])
        #expect(second == [all[1]])
        #expect(try found(.merchantSearch, #"{"query":"TICKETS"}"#) == [253])
        #expect(try found(.productSearch, #"{"query":"sourdough"}"#) == [1050])
        #expect(try found(.productSearch, #"{"query":"sourdough","merchant_id":253}"#) == [])
        let query = Sandbox.call(query: [("query", "sourdough")])
        #expect(try sandbox.answer(.search, query).body?["total"]?.int == 1)
        for body in [
            "[]", #"{"location":{"latitude":1}}"#, #"{"location":{"latitude":91,"longitude":1}}"#,
        ] {
            let call = Sandbox.call(.post, [:], body)
            #expect(try sandbox.answer(.merchantSearch, call).status == 400)
        }
        #expect(try sandbox.answer(.productSearch, Sandbox.call(.post, [:], "{}")).status == 400)
        var other = Sandbox.call(.post, [:], "{}")
        other.path["entity"] = Sandbox.other
        #expect(try sandbox.answer(.merchantSearch, other).status == 403)
    }

    @Test func everyMerchantsRootIsTheVendorsSecondCategory() throws {
        for merchant in ["2", "3", "252", "253"] {
            let path = ["merchant": merchant]
            let root = try sandbox.answer(.rootCategory, Sandbox.call(.get, path)).body
            let second = path.merging(["category": "2"]) { own, _ in own }
            let found = try sandbox.answer(.category, Sandbox.call(.get, second)).body
            #expect(found?["id"]?.int == root?["id"]?.int && found?["id"] != nil)
        }
        let paged = Sandbox.call(
            .get, ["merchant": "252"],
            query: [("category_items_per_page", "1"), ("category_page_number", "2")])
        let list = try sandbox.answer(.rootCategory, paged).body?["categories"]
        #expect(list?.elements(of: "items").map { $0["id"]?.int } == [8])
        #expect(list?["links"]?["prev"]?.string == "?categories_offset=0&categories_limit=1")
    }
}
