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
        #expect(try sandbox.answer(.purchase, Sandbox.call(.post, order)).status == 200)
        #expect(try lines(of: cart) == [1042, 1050])
    }

    @Test func aSecondCheckoutOfACartThatWasBoughtIsRefused() throws {
        let cart = try add(1042)
        let (first, second) = (try checkOut(cart), try checkOut(cart))
        #expect(try sandbox.answer(.purchase, Sandbox.call(.post, first)).status == 200)
        let refused = try sandbox.answer(.purchase, Sandbox.call(.post, second))
        #expect(refused.status == 400 && refused.body?["code"]?.string == "6")
        #expect(refused.note?.reason == "cart_gone")
        // Who sends the same purchase again gets the same answer.
        #expect(try sandbox.answer(.purchase, Sandbox.call(.post, first)).status == 200)
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
            (#""product":{"id":1042},"product_id":1042"#, "unknown_member", "5"),
            (#""product":{"id":1042,"quantity":2}"#, "unknown_member", "5"),
            (#""product":{"id":1042,"qty":0}"#, "invalid_quantity", "5"),
            (#""product":{"qty":1}"#, "missing_parameters", "3"),
            (#""product":1042"#, "wrong_type", "5"),
            (#""product":{"id":1041,"configurable_options":[]}"#, "required_option_missing", "3"),
            (
                #""product_id":1042,"shipping_method":{"type":"flatrate","address_id":"9"}"#,
                "unknown_address_id", "5"
            ),
            (
                #""product_id":1042,"payment_method":{"type":"free","phone_id":"9"}"#,
                "unknown_phone_id", "5"
            ),
            (
                #""product_id":1042,"payment_method":{"type":"free","phoneid":"1"}"#,
                "unknown_member", "5"
            ),
            (
                #""product_id":1042,"shipping_method":{"type":"flatrate","adress_id":"1"}"#,
                "unknown_member", "5"
            ),
            (
                #""product_id":1042,"shipping_method":{"type":"flatrate","#
                    + #""extension_attributes":[{"code":"shop","value":"2"}]}"#,
                "unknown_attribute", "5"
            ),
            (
                #""product_id":1042,"shipping_method":{"type":"storepickup","#
                    + #""extension_attributes":[{"code":"pickup_store","value":"2","shop":1}]}"#,
                "unknown_member", "5"
            ),
            (#""product_id":1042,"address_id":"9""#, "unknown_address_id", "5"),
            (
                #""product_id":1042,"location":{"latitude":91,"longitude":0}"#, "invalid_location",
                "5"
            ),
            (#""product_id":1042,"location":"here""#, "invalid_location", "5"),
            (#""product_id":1042,"shipping_method":"storepickup""#, "missing_parameters", "3"),
            (
                #""product_id":1042,"shipping_method":{"type":"storepickup","pickup_store":9}"#,
                "unknown_pickup_store", "5"
            ),
            (
                #""product_id":1042,"shipping_method":{"type":"flatrate","pickup_store":2}"#,
                "unknown_pickup_store", "5"
            ),
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

    @Test(arguments: [
        #""product":null,"product_id":1042,"quantity":null,"cart_id":null"#,
        #""product":{"id":1042,"qty":null},"product_id":null,"options":null"#,
        #""product_id":1042,"shipping_method":null,"payment_method":null,"location":null"#,
    ])
    func aNullMemberIsLikeNone(members: String) throws {
        let answer = try sandbox.answer(
            .checkout, Sandbox.call(.post, Self.shop, "{\(members)}"))
        #expect(answer.status == 200)
    }

    @Test func aNullMemberHidesNoOtherPlaceOfItsChoice() throws {
        let body =
            #"{"product_id":1042,"address_id":"1","phone_id":"1","pickup_store":2,"#
            + #""shipping_method":{"type":null,"method_code":"storepickup","address_id":null,"#
            + #""pickup_store":null},"payment_method":{"type":"free","phone_id":null}}"#
        let checkout = try sandbox.answer(.checkout, Sandbox.call(.post, Self.shop, body))
        let id = try #require(checkout.body?["id"]?.string)
        let order = try bought(["merchant": "252", "order": id])
        for (name, value) in [
            ("address_id", "1"), ("phone_id", "1"), ("pickup_store", "2"),
            ("shipping_method", "storepickup"),
        ] {
            #expect(order?[name]?.string == value, "\(name)")
        }
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
        #expect(answer.status == 200 && answer.body?["final_price"]?.double == 25)
    }

    /// The last order of the customer.
    private func bought(_ order: [String: String]) throws -> JSONNode? {
        #expect(try sandbox.answer(.purchase, Sandbox.call(.post, order)).status == 200)
        return try sandbox.answer(.orders, Sandbox.call()).body?["items"]?[0]
    }

    @Test(arguments: [
        #"{"type":"storepickup","pickup_store":1,"address_id":""}"#,
        #"{"type":"storepickup","pickup_store":"1"}"#,
        #"{"method_code":"storepickup","carrier_code":"storepickup","#
            + #""extension_attributes":[{"code":"pickup_store","value":"1"}]}"#,
    ])
    func clickAndCollectNamesItsStore(method: String) throws {
        let path = ["merchant": "2", "option": "aa665b54-7166-4a53-a275-9b4f693770dc"]
        let body =
            #"{"product":{"id":"4","qty":2},"payment_method":{"type":"union_pay","phone_id":1},"#
            + #""location":{"latitude":15.8,"longitude":74.5},"shipping_method":\#(method)}"#
        let checkout = try sandbox.answer(.checkout, Sandbox.call(.post, path, body))
        #expect(checkout.status == 200 && checkout.body?["final_price"]?.double == 118)
        let id = try #require(checkout.body?["id"]?.string)
        let order = try bought(["merchant": "2", "order": id])
        #expect(order?["shipping_method"]?.string == "storepickup")
        #expect(order?["pickup_store"]?.string == "1" && order?["address_id"]?.kind == .null)
        #expect(
            order?["payment_method"]?.string == "union_pay" && order?["phone_id"]?.string == "1")
    }

    @Test func aCartIsAlsoNamedByItsMerchant() throws {
        let body =
            #"{"product":{"id":"1041","qty":2,"configurable_options":[{"code":"grind","#
            + #""value":"beans"}],"custom_options":[]}}"#
        let added = try sandbox.answer(.carts, Sandbox.call(.post, Self.shop, body))
        #expect(added.status == 201 && added.body?["final_price"]?.double == 15)
        let id = try #require(added.body?["id"]?.string)
        let path = Self.shop.merging(["cart": "252"]) { own, _ in own }
        #expect(try sandbox.answer(.cart, Sandbox.call(.get, path)).body?["id"]?.string == id)
        #expect(try sandbox.answer(.cartOptions, Sandbox.call(.post, path)).body?.count == 1)
        let carts = try sandbox.answer(.customersCarts, Sandbox.call())
        #expect(carts.body?.elements.map { $0["id"]?.string } == [id])
        #expect(
            try sandbox.answer(
                .checkout, Sandbox.call(.post, path, #"{"cart_id":"\#(id)"}"#)
            ).note?.reason == "unknown_member")
        let checkout = try sandbox.answer(
            .checkout, Sandbox.call(.post, path, #"{"payment_method":{"type":"free"}}"#))
        let order = try #require(checkout.body?["id"]?.string)
        #expect(
            try bought(["merchant": "252", "order": order])?["payment_method"]?.string == "free")
        #expect(try sandbox.answer(.customersCarts, Sandbox.call()).body?.count == 0)
        #expect(try sandbox.answer(.cart, Sandbox.call(.get, path)).status == 404)
        let others = Self.shop.merging(["cart": "253"]) { own, _ in own }
        _ = try add(1042)
        #expect(try sandbox.answer(.cart, Sandbox.call(.get, others)).status == 404)
    }

    @Test(arguments: [
        (#"{"payment_method":{"type":"gold"}}"#, "unknown_payment_method"),
        (#"{"payment_method":{"type":"free","phone_id":"9"}}"#, "unknown_phone_id"),
        (#"{"location":{}}"#, "invalid_location"), (#"{"price":0}"#, "unknown_member"),
        ("{", "broken_json"),
    ])
    func aWrongPurchaseBuysNothing(body: String, reason: String) throws {
        let order = try checkOut(try add(1042))
        let refused = try sandbox.answer(.purchase, Sandbox.call(.post, order, body))
        #expect(refused.status == 400 && refused.note?.reason == reason)
        #expect(try sandbox.answer(.orders, Sandbox.call()).body?["total"]?.int == 0)
        #expect(try bought(order) != nil)
    }

    @Test func aPurchaseMayStillChooseDeliveryAndPayment() throws {
        let path = ["merchant": "2", "option": "aa665b54-7166-4a53-a275-9b4f693770dc"]
        let checkout = try sandbox.answer(
            .checkout,
            Sandbox.call(
                .post, path,
                #"{"product":{"id":"4","qty":1},"payment_method":{"type":"union_pay"},"#
                    + #""shipping_method":{"type":"storepickup","pickup_store":1}}"#))
        let order = ["merchant": "2", "order": try #require(checkout.body?["id"]?.string)]
        for phone in [#","phone_id":"1""#, ""] {
            let body = #"{"payment_method":{"type":"union_pay"\#(phone)}}"#
            let answer = try sandbox.answer(.purchase, Sandbox.call(.post, order, body))
            #expect(answer.status == 200)
        }
        let cart = try checkOut(try add(1042))
        for type in ["free", "card"] {
            let body = #"{"payment_method":{"type":"\#(type)"}}"#
            #expect(try sandbox.answer(.purchase, Sandbox.call(.post, cart, body)).status == 200)
        }
        let items = try sandbox.answer(.orders, Sandbox.call()).body?["items"]
        // Nothing that a repeated purchase chooses counts.
        #expect(items?[0]?["payment_method"]?.string == "free")
        #expect(items?[1]?["phone_id"]?.string == "1")
        #expect(items?[1]?["pickup_store"]?.string == "1")
    }

    @Test func aPurchaseMayNameItsStoreAlone() throws {
        let path = ["merchant": "2", "option": "aa665b54-7166-4a53-a275-9b4f693770dc"]
        for (store, taken) in [("1", "1"), ("2", "2"), ("9", nil)] as [(String, String?)] {
            let checkout = try sandbox.answer(
                .checkout,
                Sandbox.call(
                    .post, path,
                    #"{"product":{"id":"4"},"shipping_method":"storepickup","pickup_store":2}"#))
            let order = ["merchant": "2", "order": try #require(checkout.body?["id"]?.string)]
            let body = #"{"pickup_store":\#(store)}"#
            let answer = try sandbox.answer(.purchase, Sandbox.call(.post, order, body))
            #expect(answer.status == (taken == nil ? 400 : 200))
            if taken == nil { #expect(answer.note?.reason == "unknown_pickup_store") }
            let last = try bought(order)
            #expect(last?["pickup_store"]?.string == taken ?? "2")
        }
    }

    /// A choice is checked together with what it leaves as it was.
    @Test(
        arguments: [
            (#"{"payment_method":{"type":"free"}}"#, "payment_without_shipping", "/payment_method"),
            (
                #"{"shipping_method":"storepickup","pickup_store":1}"#, "payment_without_shipping",
                "/shipping_method"
            ),
            (#"{"pickup_store":1}"#, "unknown_pickup_store", "/pickup_store"),
            (
                #"{"payment_method":"free","shipping_method":"storepickup","pickup_store":1}"#,
                nil, nil
            ),
            (#"{"address_id":"1"}"#, nil, nil),
        ] as [(String, String?, String?)])
    func aPurchaseIsCheckedTogetherWithItsCheckout(
        body: String, reason: String?, pointer: String?
    ) throws {
        let option = try JSONDocument(
            parsing: Array(
                #"""
                {"supported_shipping_methods":[{"execute":{"method_code":"flatrate"}},
                {"execute":{"method_code":"storepickup"},
                "details":{"store_details":{"pickup_store":1}}}],
                "supported_payment_methods":[
                {"type":"card","data":{"supported_shipping":["flatrate"]}},
                {"type":"free","data":{"supported_shipping":["storepickup"]}}]}
                """#.utf8)
        ).root
        let body = try JSONDocument(parsing: Array(body.utf8)).root
        let owner = RezolveOrders.Owner(partner: "12", entity: Sandbox.entity, merchant: "252")
        let former = RezolveOrders.Delivery(shipping: "flatrate", payment: "card")
        do throws(RezolveRefusal) {
            _ = try sandbox.sandbox.delivery(body, option, owner, changing: former)
            #expect(reason == nil)
        } catch {
            #expect(error.reasons.first?.code == reason)
            #expect(error.reasons.first?.pointer == pointer)
        }
    }

    @Test func ordersThatWereNotBoughtAreDroppedFirst() {
        let orders = RezolveOrders()
        let owner = RezolveOrders.Owner(partner: "12", entity: "e", merchant: "252")
        func checkOut() -> String {
            let delivery = RezolveOrders.Delivery()
            return orders.order([], from: nil, for: owner, by: "o", delivery, price: 1, at: 0).id
        }
        let (first, second) = (checkOut(), checkOut())
        _ = orders.buy(first, for: owner, nil)
        let others = (1..<RezolveOrders.mostKept).map { _ in checkOut() }
        #expect(orders.order(first, of: owner) != nil && orders.order(second, of: owner) == nil)
        for id in others { _ = orders.buy(id, for: owner, nil) }
        let last = checkOut()
        #expect(orders.order(first, of: owner) == nil)
        let newest = checkOut()
        #expect(orders.order(last, of: owner) != nil && orders.order(newest, of: owner) != nil)
    }

    @Test func ordersAreListedByDay() throws {
        // The sandbox's clock stands at 2023-11-14T22:13:20Z.
        _ = try bought(try checkOut(try add(1042)))
        for (from, to, count) in [
            ("2023-11-14", "2023-11-14", 1), ("2023-11-15", "2023-11-16", 0),
            ("2023-11-01", "2023-11-13", 0), ("2021-09-01", "2100-10-30", 1),
        ] {
            let call = Sandbox.call(query: [("from", from), ("to", to)])
            #expect(try sandbox.answer(.orders, call).body?["total"]?.int == count)
        }
        for day in ["2023-11-31", "2023-1-1", "2023-11", "2023-11-14T"] {
            let call = Sandbox.call(query: [("from", day)])
            #expect(try sandbox.answer(.orders, call).note?.reason == "invalid_time", "\(day)")
        }
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
