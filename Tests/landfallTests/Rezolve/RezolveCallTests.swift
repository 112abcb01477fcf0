// Calls of an app: logging in, what login tokens are held to, and the two ways to buy (vendor
// document 4.5 to 4.7).

import HTTP1
import JSON
import Testing
import Vendors

@testable import LinkHosting
@testable import ResultAPI
@testable import RezolveSandbox

@Suite struct RezolveCallTests {
    private let sandbox = Sandbox()

    private static let option = "5f0d1c52-9a39-4c0e-8a55-3f1f6f0a2520"
    private static let beans = #""options":[{"code":"grind","value":"beans"}]"#

    @Test func loggingInGivesATokenThatCallsAreAnsweredWith() throws {
        var login = RezolveRequest(method: .post, contentType: "application/json", now: Sandbox.now)
        login.body = Array(
            #"{"username":"ada@example.com","password":"p","deviceId":"d-9"}"#.utf8)
        let answer = try sandbox.sandbox.answer(.login, login)
        let body = try JSONDocument(parsing: answer.body).root
        #expect(answer.status == .ok && body["id"]?.int != nil)
        let token = try #require(answer.fields.first { $0.name == "authorization" }?.value)
        let entity = try #require(body["sdkEntity"]?.string)
        let registered = try sandbox.answer(.registration, Sandbox.registration())
        #expect(registered.body?["entity_id"]?.string == entity)

        var call = Sandbox.call(.get, ["entity": entity])
        call.authorization = "Bearer \(token)"
        call.deviceID = "d-9"
        #expect(try sandbox.answer(.merchants, call).status == 200)
        call.authorization = token
        #expect(try sandbox.answer(.merchants, call).status == 200)
        let fresh = try sandbox.answer(.ping, call)
        #expect(fresh.status == 200)
        call.authorization = "Bearer \(try #require(fresh.body?["accessToken"]?.string))"
        #expect(try sandbox.answer(.merchants, call).status == 200)
        call.now += 1801
        #expect(try sandbox.answer(.ping, call).status == 401)
    }

    @Test(
        arguments: [
            (.login, #"{"username":"a","password":""}"#, "password, deviceId"),
            (.accountRegistration, "{}", "phone, password"),
            (.clientToken, #"{"clientId":"a"}"#, "clientSecret, apiAudience"),
        ] as [(RezolveCall, String, String)])
    func whatIsMissingIsNamed(call: RezolveCall, body: String, message: String) throws {
        var request = RezolveRequest(method: .post, contentType: "application/json")
        request.body = Array(body.utf8)
        let answer = try sandbox.answer(call, request)
        let sentence = "Missing required parameters in request body. Required: \(message)"
        #expect(answer.status == 400 && answer.body?["message"]?.string == sentence)
    }

    @Test(arguments: [
        RezolveRegistrationTests.Wrong("invalid_api_key", 403, "1") { $0.apiKey = nil },
        .init("wrong_partner", 403, "1") { $0.path["partner"] = "9" },
        .init("token_not_found", 403, "1") { $0.authorization = nil },
        .init("device_id_mismatch", 403, "1") { $0.deviceID = "" },
        .init("device_id_mismatch", 403, "1") { $0.deviceID = "D-1" },
        .init("wrong_entity_id", 403, "1") { $0.path["entity"] = Sandbox.other },
        .init("wrong_kind", 403, token: Sandbox.token()),
        .init("expired", 401, token: Sandbox.token(.entity(Sandbox.entity, device: "d-1"), in: 0)),
        .init("unknown_entity", 403, token: Sandbox.token(.entity("ghost", device: "d-1"))),
        .init("partner_without_auth_key", 403, "1") {
            $0.apiKey = "keyless"
            $0.path["partner"] = "13"
        },
    ])
    func tokensOfOthersAreRefused(wrong: RezolveRegistrationTests.Wrong) throws {
        var request = Sandbox.call()
        wrong.change(&request)
        let (status, body, note) = try sandbox.answer(.merchants, request)
        #expect(status == wrong.status && body?["code"]?.string == wrong.code)
        #expect(note?.reason == wrong.reason)
    }

    @Test func aScannedProductIsBoughtAtOnce() throws {
        let shop = ["merchant": "252", "product": "1041", "option": Self.option]
        let product = try sandbox.answer(
            .product, Sandbox.call(.get, shop, query: [("ad_id", "3")]))
        #expect(product.body?["price"]?.double == 7.5)
        #expect(product.body?["placement"]?["ad_id"]?.string == "3")
        let options = try sandbox.answer(.productOptions, Sandbox.call(.get, shop))
        #expect(options.body?[0]?["id"]?.string == Self.option)
        let checkout = try sandbox.answer(
            .checkout,
            Sandbox.call(.post, shop, #"{"product_id":1041,"quantity":3,\#(Self.beans)}"#))
        #expect(checkout.status == 200 && checkout.body?["final_price"]?.double == 22.5)
        let order = try #require(checkout.body?["id"]?.string)
        let buy = Sandbox.call(.post, ["merchant": "252", "order": order])
        #expect(try sandbox.answer(.orders, Sandbox.call()).body?["total"]?.int == 0)
        #expect(try sandbox.answer(.purchase, buy).status == 200)
        #expect(try sandbox.answer(.purchase, buy).body?["order_id"]?.string == order)
        let orders = try sandbox.answer(.orders, Sandbox.call()).body
        #expect(orders?["total"]?.int == 1)
        #expect(orders?["items"]?[0]?["order_id"]?.string == order)
    }

    @Test func aCartIsBoughtAndGone() throws {
        let shop = ["merchant": "252", "option": Self.option]
        for body in [
            #"{"product_id":1041,\#(Self.beans)}"#, #"{"product_id":1050,"quantity":2}"#,
            #"{"product_id":"1041",\#(Self.beans)}"#,
        ] {
            #expect(try sandbox.answer(.carts, Sandbox.call(.post, shop, body)).status == 201)
        }
        let cart = try #require(try sandbox.answer(.carts, Sandbox.call(.get, shop)).body?[0])
        #expect(cart["products"]?.count == 2 && cart["final_price"]?.double == 23.1)
        let id = try #require(cart["id"]?.string)
        let path = shop.merging(["cart": id]) { own, _ in own }
        #expect(try sandbox.answer(.cartOptions, Sandbox.call(.get, path)).body?.count == 1)
        let checkout = try sandbox.answer(
            .checkout,
            Sandbox.call(
                .post, shop, #"{"cart_id":"\#(id)","shipping_method":{"method_code":"flatrate"}}"#))
        #expect(checkout.body?["final_price"]?.double == 23.1)
        let order = try #require(checkout.body?["id"]?.string)
        let buy = Sandbox.call(.post, ["merchant": "252", "order": order])
        #expect(try sandbox.answer(.purchase, buy).status == 200)
        #expect(try sandbox.answer(.carts, Sandbox.call(.get, shop)).body?.count == 0)
    }

    @Test func aCartIsItsOwnersAndCanBeThrownAway() throws {
        let shop = ["merchant": "252"]
        let cart = try sandbox.answer(
            .carts, Sandbox.call(.post, shop, #"{"product_id":1042}"#)
        ).body
        let path = ["merchant": "252", "cart": try #require(cart?["id"]?.string)]
        var other = Sandbox.call(.get, path)
        other.path["entity"] = Sandbox.other
        other.authorization = "Bearer \(Sandbox.token(.entity(Sandbox.other, device: "d-1")))"
        #expect(try sandbox.answer(.cart, other).status == 404)
        #expect(try sandbox.answer(.cart, Sandbox.call(.get, path)).status == 200)
        #expect(try sandbox.answer(.cart, Sandbox.call(.delete, path)).status == 204)
        #expect(try sandbox.answer(.cart, Sandbox.call(.delete, path)).status == 404)
    }

    @Test(
        arguments: [
            (.product, ["merchant": "253", "product": "1041"], "", 404),
            (.product, ["merchant": "252", "category": "8", "product": "1041"], "", 404),
            (.category, ["merchant": "253", "category": "7"], "", 404),
            (.rootCategory, ["merchant": "9"], "", 404),
            (.checkout, ["merchant": "252", "option": "x"], #"{"product_id":1042}"#, 404),
            (.checkout, ["merchant": "252", "option": option], "{}", 400),
            (.checkout, ["merchant": "252", "option": option], "", 400),
            (.checkout, ["merchant": "252", "option": option], #"{"product_id":9}"#, 404),
            (
                .checkout, ["merchant": "252", "option": option],
                #"{"product_id":1041,"quantity":0}"#, 400
            ),
            (
                .checkout, ["merchant": "252", "option": option],
                #"{"product_id":1041,"quantity":99999999999999999999}"#, 400
            ),
            (
                .checkout, ["merchant": "252", "option": option],
                #"{"product_id":1041,"shipping_method":"drone"}"#, 400
            ),
            (.purchase, ["merchant": "252", "order": "1"], "", 404),
        ] as [(RezolveCall, [String: String], String, Int)])
    func whatIsNotThereIsNotSold(
        call: RezolveCall, path: [String: String], body: String, status: Int
    ) throws {
        let answer = try sandbox.answer(call, Sandbox.call(.post, path, body))
        #expect(answer.status == status && answer.body?["errors"]?.count == 1)
    }

    @Test(
        arguments: [
            (#"{"id":1}"#, false), (#"{"id":1,"options":[{"code":"a"}]}"#, true),
            (#"{"id":1,"options":[{"code":"a","required":false}]}"#, false),
            (#"{"id":1,"custom_options":[{"option_id":1,"required":false}]}"#, false),
            (#"{"id":1,"custom_options":[{"option_id":1,"required":true}]}"#, true),
        ] as [(String, Bool)])
    func aProductSaysWhetherOptionsHaveToBeChosen(product: String, isRequired: Bool) throws {
        let row = try JSONDocument(parsing: Array(product.utf8)).root
        let text = RezolveSandbox.displayProduct(row, try sandbox.sandbox.fixtures())
        let shown = try JSONDocument(parsing: text).root
        #expect(shown["has_required_options"]?.bool == isRequired)
    }

    @Test func listsComeInPages() throws {
        let root = try sandbox.answer(
            .rootCategory,
            Sandbox.call(.get, ["merchant": "252"], query: [("categories_limit", "1")])
        ).body
        #expect(root?["has_categories"]?.bool == true && root?["has_products"]?.bool == false)
        #expect(root?["categories"]?["count"]?.int == 1)
        #expect(root?["categories"]?["total"]?.int == 2)
        let found = try sandbox.answer(
            .search, Sandbox.call(query: [("q", "THE"), ("offset", "1"), ("limit", "1")])
        ).body
        #expect(found?["total"]?.int == 2 || (found?["total"]?.int ?? 0) > 0)
        #expect(found?["links"]?["prev"]?.string == "?q=THE&offset=0&limit=1")
        for query in [[("limit", "0")], [("offset", "-1")], [("limit", "x")], [("from", "soon")]] {
            #expect(try sandbox.answer(.orders, Sandbox.call(query: query)).status == 400)
        }
        let both = Sandbox.call(.get, ["merchant": "252"], query: [("limit", "1")])
        #expect(try sandbox.answer(.rootCategory, both).status == 400)
        #expect(try sandbox.answer(.search, Sandbox.call()).status == 400)
    }

    @Test func linksOfListsAskTheSameQuestion() throws {
        let found = try sandbox.answer(
            .search, Sandbox.call(query: [("q", "e"), ("merchant_id", "252"), ("limit", "1")])
        ).body
        #expect(found?["links"]?["next"]?.string == "?q=e&merchant_id=252&offset=1&limit=1")
        let root = try sandbox.answer(
            .rootCategory,
            Sandbox.call(
                .get, ["merchant": "252"], query: [("ad_id", "3"), ("categories_limit", "1")])
        ).body
        #expect(
            root?["categories"]?["links"]?["next"]?.string
                == "?ad_id=3&categories_offset=1&categories_limit=1")
        #expect(root?["products"]?["links"]?["next"]?.kind == .null)
    }
}
