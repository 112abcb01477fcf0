// Purchases (vendor document 4.6 and 4.7): payment options, checkout and buy, for one product or
// for a cart.
//
// Prices are counted in hundredths, so that sums are exact. Left out: reading the choices in a
// body, which `RezolveSandbox+Choices.swift` does.

import Clocks
import JSON
import Vendors

extension RezolveSandbox {
    func buying(
        _ call: RezolveCall, _ request: RezolveRequest, _ fixtures: RezolveFixtures,
        _ partner: Partner
    ) throws(RezolveRefusal) -> RezolveResponse {
        if call == .orders { return try listOrders(request, fixtures, partner) }
        if call == .customersCarts {
            let carts = orders.carts(of: request.path["entity"] ?? "", of: partner.id)
            return RezolveResponse(body: Self.array(carts.map { Self.json(of: $0, fixtures) }))
        }
        _ = try merchant(request, fixtures)
        let owner = RezolveOrders.Owner(
            partner: partner.id, entity: request.path["entity"] ?? "",
            merchant: request.path["merchant"] ?? "")
        switch call {
        case .productOptions:
            _ = try product(request.path["product"], request, fixtures)
            return options(of: owner, fixtures)
        case .carts where request.method == .post: return try addToCart(request, owner, fixtures)
        case .carts:
            let carts = orders.cart(nil, of: owner).map { [$0] } ?? []
            return RezolveResponse(body: Self.array(carts.map { Self.json(of: $0, fixtures) }))
        case .cart, .cartOptions:
            let cart = try cart(request.path["cart"], of: owner)
            if call == .cartOptions { return options(of: owner, fixtures) }
            guard request.method == .delete else {
                return RezolveResponse(body: Self.json(of: cart, fixtures))
            }
            _ = orders.remove(cart.id, of: owner)
            return RezolveResponse(status: .noContent)
        case .checkout: return try checkOut(request, owner, fixtures)
        case .purchase: return try buy(request, owner, fixtures, partner)
        default: throw Self.unknownPath
        }
    }

    private func cart(
        _ id: String?, of owner: RezolveOrders.Owner
    ) throws(RezolveRefusal) -> RezolveOrders.Cart {
        if let id, let cart = orders.cart(id, of: owner) { return cart }
        throw .notFound(
            "The cart",
            expected: "the id of this customer's cart at this merchant, or the merchant's",
            found: id)
    }

    /// A merchant's payment and shipping options.
    private func options(
        of owner: RezolveOrders.Owner, _ fixtures: RezolveFixtures
    ) -> RezolveResponse {
        let rows = fixtures.paymentOptions.rows.filter {
            FixtureTable.id($0["merchant_id"]) == owner.merchant
        }
        return RezolveResponse(
            body: Self.array(
                rows.map { row in
                    var json = JSONWriter(reservingCapacity: 1024)
                    json.object { json in
                        // The merchant id is our own member; the vendor's JSON doesn't have it.
                        for member in row.members where member.name.string != "merchant_id" {
                            json.member(member.name.string ?? "", raw: member.value.compactText)
                        }
                    }
                    return json.bytes
                }))
    }

    private func addToCart(
        _ request: RezolveRequest, _ owner: RezolveOrders.Owner, _ fixtures: RezolveFixtures
    ) throws(RezolveRefusal) -> RezolveResponse {
        let body = try request.jsonObject()
        try Self.refuseMembers(of: body, but: Self.lineMembers(of: body))
        guard let cart = orders.add(try line(body, request, fixtures), for: owner) else {
            throw .system(
                "The cart is full.",
                .body(
                    "cart_full", about: body["quantity"] ?? body,
                    expected: "a cart of at most \(RezolveOrders.mostLines) lines with "
                        + "\(RezolveOrders.mostPieces) pieces each",
                    found: "more, including its current content"))
        }
        return RezolveResponse(status: .created, body: Self.json(of: cart, fixtures))
    }

    /// `POST …/checkout/{option}`: computes the price.
    private func checkOut(
        _ request: RezolveRequest, _ owner: RezolveOrders.Owner, _ fixtures: RezolveFixtures
    ) throws(RezolveRefusal) -> RezolveResponse {
        guard let option = fixtures.paymentOptions[request.path["option"]],
            FixtureTable.id(option["merchant_id"]) == owner.merchant
        else {
            throw .notFound(
                "The payment option", expected: "the id of a payment option of this merchant",
                found: request.path["option"])
        }
        let body = try request.jsonObject()
        let lines: [RezolveOrders.Line]
        var cart: RezolveOrders.Cart?
        if let id = request.path["cart"] ?? FixtureTable.id(body["cart_id"]) {
            // A cart together with a product would make two orders.
            let names = request.path["cart"] == nil ? ["cart_id"] : []
            try Self.refuseMembers(of: body, but: names + Self.deliveryMembers)
            let found = try self.cart(id, of: owner)
            (cart, lines) = (found, found.lines)
        } else if body.member("product_id") != nil || body.member("product") != nil {
            let names = Self.lineMembers(of: body)
            try Self.refuseMembers(of: body, but: names + Self.deliveryMembers)
            lines = [try line(body, request, fixtures)]
        } else {
            throw .missing(["cart_id", "product_id"], in: body)
        }
        let delivery = try delivery(body, option, owner)
        let price = Self.price(of: lines, fixtures)
        let order = orders.order(
            lines, from: cart?.id, for: owner, by: request.path["option"] ?? "", delivery,
            price: price, at: request.now)
        let content = JSONWriter.object { json in
            json.member("id", order.id)
            Self.writePrice(price, to: &json)
        }
        return RezolveResponse(body: content)
    }

    /// `POST …/buy/{order}`: the order is received, not yet confirmed.
    ///
    /// What a body chooses replaces the choice of the checkout; the result is checked as there.
    private func buy(
        _ request: RezolveRequest, _ owner: RezolveOrders.Owner, _ fixtures: RezolveFixtures,
        _ partner: Partner
    ) throws(RezolveRefusal) -> RezolveResponse {
        let id = request.path["order"]
        var chosen: RezolveOrders.Delivery?
        if !request.body.isEmpty, let order = orders.order(id, of: owner),
            let option = fixtures.paymentOptions[order.option]
        {
            let body = try request.jsonObject()
            try Self.refuseMembers(of: body, but: Self.deliveryMembers)
            chosen = try delivery(body, option, owner, changing: order.delivery)
        }
        let order: RezolveOrders.Order
        switch orders.buy(id, for: owner, chosen) {
        case .received(let found): order = found
        case .unknown:
            throw .notFound(
                "The order", expected: "the id of this customer's checkout at this merchant",
                found: id)
        case .cartGone:
            throw .system(
                "The cart of this order has gone.",
                .target(
                    "cart_gone", expected: "an order whose cart still has its lines",
                    found: "a cart that was bought or deleted since the checkout"))
        }
        let content = JSONWriter.object { json in
            json.member("order_id", order.id)
            json.member("partner_id", partner.id)
            json.member("partner_name", partner.name)
            json.object("data") { $0.member("status", "received") }
        }
        return RezolveResponse(body: content)
    }

    /// `GET …/order?from=&to=`: purchases in a period, newest first.
    private func listOrders(
        _ request: RezolveRequest, _ fixtures: RezolveFixtures, _ partner: Partner
    ) throws(RezolveRefusal) -> RezolveResponse {
        let page = try RezolvePage(request)
        let from = try Self.time("from", request) ?? -.infinity
        let to = try Self.time("to", request, endOfDay: true) ?? .infinity
        let found = orders.bought(by: request.path["entity"] ?? "", of: partner.id)
            .filter { from...max(from, to) ~= $0.createdAt }
        return page.answer(
            found.map { order in
                return JSONWriter.object { json in
                    json.member("order_id", order.id)
                    json.member("merchant_id", raw: Self.id(of: order.owner, fixtures))
                    json.member("status", "received")
                    json.member(
                        "created_at",
                        Timestamp(unixMilliseconds: Int64(order.createdAt * 1000)).description)
                    Self.writePrice(order.price, to: &json)
                    let delivery = order.delivery
                    for (name, value) in [
                        ("shipping_method", delivery.shipping), ("pickup_store", delivery.store),
                        ("payment_method", delivery.payment), ("address_id", delivery.address),
                        ("phone_id", delivery.phone),
                    ] {
                        json.member(name, value)
                    }
                }
            })
    }

    /// A time in the query: seconds since 1970, RFC 3339, or a day in UTC without time.
    ///
    /// - Parameter endOfDay: whether a day means its end.
    private static func time(
        _ name: String, _ request: RezolveRequest, endOfDay: Bool = false
    ) throws(RezolveRefusal) -> Double? {
        guard let text = request[name], !text.isEmpty else { return nil }
        if let time = Timestamp(text.utf8) { return Double(time.unixMilliseconds) / 1000 }
        let clock = endOfDay ? "23:59:59.999" : "00:00:00"
        if let time = Timestamp("\(text)T\(clock)Z".utf8) {
            return Double(time.unixMilliseconds) / 1000
        }
        if let seconds = Double(text), seconds.isFinite { return seconds }
        throw .malformed(
            .target(
                "invalid_time",
                expected: "\(name): a day or time such as 2026-11-21 or 2026-11-21T06:13:00Z",
                found: Excerpt.quoted(Array(text.utf8)[...])))
    }

    // MARK: Prices

    /// In hundredths.
    private static func price(
        of lines: [RezolveOrders.Line], _ fixtures: RezolveFixtures
    ) -> Int {
        lines.reduce(0) { $0 + unitPrice(of: $1.choice.product, fixtures) * $1.quantity }
    }

    private static func unitPrice(of product: String, _ fixtures: RezolveFixtures) -> Int {
        let price = fixtures.products[product]?["price"].flatMap(RezolveFixtures.hundredths)
        return price ?? 0
    }

    private static func writePrice(_ price: Int, to json: inout JSONWriter) {
        json.member("final_price", Double(price) / 100)
        json.array("breakdowns") { json in
            for (type, amount) in [("unit", price), ("shipping", 0), ("tax", 0)] {
                json.object { json in
                    json.member("type", type)
                    json.member("amount", Double(amount) / 100)
                }
            }
        }
    }

    private static func json(
        of cart: RezolveOrders.Cart, _ fixtures: RezolveFixtures
    ) -> [UInt8] {
        JSONWriter.object { json in
            json.member("id", cart.id)
            json.member("merchant_id", raw: id(of: cart.owner, fixtures))
            json.objects("products", of: cart.lines) { json, line in
                write(line, fixtures, to: &json)
            }
            json.member("final_price", Double(price(of: cart.lines, fixtures)) / 100)
        }
    }

    private static func write(
        _ line: RezolveOrders.Line, _ fixtures: RezolveFixtures, to json: inout JSONWriter
    ) {
        let choice = line.choice
        let product = fixtures.products[choice.product]
        json.member("id", raw: product?["id"]?.compactText ?? Array("null".utf8))
        json.member("title", product?["title"]?.string)
        json.member("quantity", line.quantity)
        json.member("price", Double(unitPrice(of: choice.product, fixtures)) / 100)
        for (name, id, chosen) in [
            ("options", "code", choice.options),
            ("custom_options", "option_id", choice.customOptions),
        ] {
            json.array(name) { json in
                for (key, value) in chosen.sorted(by: { $0.key < $1.key }) {
                    json.object { json in
                        json.member(id, key)
                        json.member("value", value)
                    }
                }
            }
        }
    }

    /// The merchant's id as its fixture has it: a number or a text.
    private static func id(
        of owner: RezolveOrders.Owner, _ fixtures: RezolveFixtures
    ) -> [UInt8] {
        fixtures.merchants[owner.merchant]?["id"]?.compactText ?? Array("null".utf8)
    }

    /// A JSON array of items, each as JSON text.
    package static func array(_ items: [[UInt8]]) -> [UInt8] {
        var json = JSONWriter()
        json.array { json in
            for item in items { json.raw(item) }
        }
        return json.bytes
    }
}
