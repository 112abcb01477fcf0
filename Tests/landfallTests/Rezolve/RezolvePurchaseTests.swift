// What a purchase may choose, and how a cart, its checkouts and their orders hang together (vendor
// document 4.6 and 4.7).

import JSON
import Testing

@testable import RezolveSandbox

@Suite struct RezolvePurchaseTests {
    private let sandbox = Sandbox()

    private static let option = "5f0d1c52-9a39-4c0e-8a55-3f1f6f0a2520"
    private static let shop = ["merchant": "252", "option": option]
    private static let tickets = [
        "merchant": "253", "option": "5f0d1c52-9a39-4c0e-8a55-3f1f6f0a2530",
    ]

    /// Puts a product without options into the cart; its id.
    private func add(_ product: Int, _ quantity: Int = 1) throws -> String {
        let answer = try sandbox.answer(
            .carts,
            Sandbox.call(
                .post, Self.shop, #"{"product_id":\#(product),"quantity":\#(quantity)}"#))
        return try #require(answer.body?["id"]?.string)
    }

    private func checkOut(_ cart: String) throws -> [String: String] {
        let answer = try sandbox.answer(
            .checkout, Sandbox.call(.post, Self.shop, #"{"cart_id":"\#(cart)"}"#))
        return ["merchant": "252", "order": try #require(answer.body?["id"]?.string)]
    }

    private func lines(of cart: String) throws -> [Int?] {
        let path = Self.shop.merging(["cart": cart]) { own, _ in own }
        let body = try sandbox.answer(.cart, Sandbox.call(.get, path)).body
        return body?.elements(of: "products").map { $0["id"]?.int } ?? []
    }

    @Test func whatIsAddedAfterTheCheckoutStaysInTheCart() throws {
        let cart = try add(1042, 2)
        let order = try checkOut(cart)
        _ = try add(1050)
        _ = try add(1042)
        #expect(try sandbox.answer(.purchase, Sandbox.call(.post, order)).status == 201)
        #expect(try lines(of: cart) == [1042, 1050])
    }

    @Test func aSecondCheckoutOfACartThatWasBoughtIsRefused() throws {
        let cart = try add(1042)
        let (first, second) = (try checkOut(cart), try checkOut(cart))
        #expect(try sandbox.answer(.purchase, Sandbox.call(.post, first)).status == 201)
        let refused = try sandbox.answer(.purchase, Sandbox.call(.post, second))
        #expect(refused.status == 400 && refused.body?["code"]?.string == "6")
        #expect(refused.note?.reason == "cart_gone")
        // Who sends the same purchase again gets the same answer.
        #expect(try sandbox.answer(.purchase, Sandbox.call(.post, first)).status == 201)
    }

    @Test func anOrderOfACartThatWasThrownAwayIsRefused() throws {
        let cart = try add(1042)
        let order = try checkOut(cart)
        let path = Self.shop.merging(["cart": cart]) { own, _ in own }
        #expect(try sandbox.answer(.cart, Sandbox.call(.delete, path)).status == 204)
        #expect(
            try sandbox.answer(.purchase, Sandbox.call(.post, order)).note?.reason == "cart_gone")
    }

    @Test func aCartTakesNoMoreThanItMayHold() throws {
        let cart = try add(1042, 3)
        let full = try sandbox.answer(
            .carts, Sandbox.call(.post, Self.shop, #"{"product_id":1042,"quantity":999}"#))
        #expect(full.status == 400 && full.note?.reason == "cart_full")
        #expect(try lines(of: cart) == [1042])
    }

    @Test(
        arguments: [
            (#""product_id":1041"#, "required_option_missing", "3"),
            (#""product_id":1041,"options":[]"#, "required_option_missing", "3"),
            (
                #""product_id":1041,"options":[{"code":"grind","value":"moon"}]"#, "invalid_option",
                "5"
            ),
            (
                #""product_id":1041,"options":[{"code":"size","value":"beans"}]"#, "unknown_option",
                "5"
            ),
            (
                #""product_id":1041,"options":[{"code":"grind","value":"beans","x":1}]"#,
                "unknown_member", "5"
            ),
            (
                #""product_id":1041,"options":[{"code":"grind","value":"beans"},"#
                    + #"{"code":"grind","value":"filter"}]"#, "duplicate_option", "5"
            ),
            (
                #""product_id":1042,"options":[{"code":"grind","value":"beans"}]"#,
                "unknown_option", "5"
            ),
            (#""product_id":1042,"options":"beans""#, "wrong_type", "5"),
            (#""product_id":1042,"quanity":5"#, "unknown_member", "5"),
            (#""product_id":1042,"payment_method":{"type":"gold"}"#, "unknown_payment_method", "5"),
            (#""product_id":1042,"shipping_method":"drone""#, "unknown_shipping_method", "5"),
            (#""product_id":1042,"quantity":1000"#, "invalid_quantity", "5"),
            (#""cart_id":"CART","product_id":99999"#, "unknown_member", "5"),
            (#""cart_id":"CART","quantity":1"#, "unknown_member", "5"),
        ])
    func whatTheFixturesDontHaveIsRefused(members: String, reason: String, code: String) throws {
        let cart = try add(1050)
        let body = "{\(members.replacing("CART", with: cart))}"
        let (status, answer, note) = try sandbox.answer(
            .checkout, Sandbox.call(.post, Self.shop, body))
        #expect(status == 400 && answer?["code"]?.string == code)
        #expect(note?.reason == reason)
        #expect(note?.diagnostics.first?.part == .body && note?.diagnostics.first?.offset != nil)
    }

    @Test func aTypoIsToldWhatItMayMean() throws {
        let note = try sandbox.answer(
            .checkout, Sandbox.call(.post, Self.shop, #"{"product_id":1042,"quanity":5}"#)
        ).note
        #expect(note?.diagnostics.first?.hint == "did you mean quantity?")
    }

    @Test func aTicketNeedsItsName() throws {
        let without = try sandbox.answer(
            .checkout, Sandbox.call(.post, Self.tickets, #"{"product_id":2001}"#))
        #expect(
            without.body?["message"]?.string
                == "Missing required parameters in request body. Required: custom_options.1")
        let blank = #"{"product_id":2001,"custom_options":[{"option_id":1,"value":" "}]}"#
        #expect(
            try sandbox.answer(.checkout, Sandbox.call(.post, Self.tickets, blank)).note?.reason
                == "invalid_option")
        let named =
            #"{"product_id":2001,"custom_options":[{"option_id":1,"value":"Ada"}],"#
            + #""payment_method":{"type":"card"},"shipping_method":"flatrate"}"#
        let answer = try sandbox.answer(.checkout, Sandbox.call(.post, Self.tickets, named))
        #expect(answer.status == 201 && answer.body?["final_price"]?.double == 25)
    }

    @Test func choicesOfOneProductAreLinesOfTheirOwn() throws {
        var cart: JSONNode?
        for grind in ["beans", "filter", "beans"] {
            let body = #"{"product_id":1041,"options":[{"code":"grind","value":"\#(grind)"}]}"#
            cart = try sandbox.answer(.carts, Sandbox.call(.post, Self.shop, body)).body
        }
        let lines = cart?.elements(of: "products") ?? []
        #expect(lines.map { $0["quantity"]?.int } == [2, 1])
        #expect(lines.first?["options"]?[0]?["value"]?.string == "beans")
    }
}
