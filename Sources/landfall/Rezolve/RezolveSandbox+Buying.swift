// From goods to an order (vendor document 4.6 and 4.7): payment options, checkout and buy, for one
// product at once or for a cart.
//
// The vendor's bodies are not published: `product_id` with `quantity`, and `cart_id`, are ours. Prices
// are counted in hundredths, so that they add up.

import Clocks
import JSONText
import PositionedJSON

extension RezolveSandbox {
    /// Pieces of one product at the most.
    private static let mostPieces = 999

    func buying(
        _ route: RezolveRoute, _ request: RezolveRequest, _ fixtures: RezolveFixtures,
        _ partner: Partner
    ) throws(RezolveRefusal) -> RezolveAnswer {
        if route == .orders { return try listOrders(request, fixtures, partner) }
        _ = try merchant(request, fixtures)
        let owner = RezolveOrders.Owner(
            partner: partner.id, entity: request.path["entity"] ?? "",
            merchant: request.path["merchant"] ?? "")
        switch route {
        case .productOptions:
            _ = try product(request.path["product"], request, fixtures)
            return options(of: owner, fixtures)
        case .carts where request.method == .post: return try addToCart(request, owner, fixtures)
        case .carts:
            let carts = orders.cart(nil, of: owner).map { [$0] } ?? []
            return RezolveAnswer(body: Self.array(carts.map { Self.json(of: $0, fixtures) }))
        case .cart, .cartOptions:
            guard let id = request.path["cart"], let cart = orders.cart(id, of: owner) else {
                throw .notFound("The cart")
            }
            if route == .cartOptions { return options(of: owner, fixtures) }
            guard request.method == .delete else {
                return RezolveAnswer(body: Self.json(of: cart, fixtures))
            }
            _ = orders.remove(id, of: owner)
            return RezolveAnswer(status: .noContent)
        case .checkout: return try checkOut(request, owner, fixtures)
        case .purchase: return try buy(request, owner, partner)
        default: throw .notFound("The path")
        }
    }

    /// How a merchant's goods are paid for and sent.
    private func options(
        of owner: RezolveOrders.Owner, _ fixtures: RezolveFixtures
    ) -> RezolveAnswer {
        let rows = fixtures.paymentOptions.rows.filter {
            FixtureTable.id($0["merchant_id"]) == owner.merchant
        }
        return RezolveAnswer(
            body: Self.array(
                rows.map { row in
                    var json = JSONWriter(reservingCapacity: 1024)
                    json.object { json in
                        // Whose they are is ours to know; the vendor's JSON doesn't say it.
                        for member in row.members where member.name.string != "merchant_id" {
                            json.key(member.name.string ?? "")
                            json.raw(member.value.compact)
                        }
                    }
                    return json.bytes
                }))
    }

    private func addToCart(
        _ request: RezolveRequest, _ owner: RezolveOrders.Owner, _ fixtures: RezolveFixtures
    ) throws(RezolveRefusal) -> RezolveAnswer {
        let line = try line(try Self.jsonObject(request), request, fixtures)
        let cart = orders.add(line, limit: Self.mostPieces, for: owner)
        return RezolveAnswer(status: .created, body: Self.json(of: cart, fixtures))
    }

    /// `product_id` and `quantity` of a body.
    private func line(
        _ body: JSONNode, _ request: RezolveRequest, _ fixtures: RezolveFixtures
    ) throws(RezolveRefusal) -> RezolveOrders.Line {
        guard let id = FixtureTable.id(body["product_id"]) else { throw .missing(["product_id"]) }
        _ = try product(id, request, fixtures)
        guard let quantity = body["quantity"] else {
            return RezolveOrders.Line(product: id, quantity: 1)
        }
        guard let count = quantity.int, 1...Self.mostPieces ~= count else {
            throw .malformed(
                "invalid_quantity", "quantity must be a whole number from 1 to \(Self.mostPieces).")
        }
        return RezolveOrders.Line(product: id, quantity: count)
    }

    /// `POST …/checkout/{option}`: what it will cost.
    private func checkOut(
        _ request: RezolveRequest, _ owner: RezolveOrders.Owner, _ fixtures: RezolveFixtures
    ) throws(RezolveRefusal) -> RezolveAnswer {
        guard let option = fixtures.paymentOptions[request.path["option"]],
            FixtureTable.id(option["merchant_id"]) == owner.merchant
        else { throw .notFound("The payment option") }
        let body = try Self.jsonObject(request)
        var lines: [RezolveOrders.Line] = []
        let cartID = FixtureTable.id(body["cart_id"])
        if let cartID {
            guard let cart = orders.cart(cartID, of: owner) else { throw .notFound("The cart") }
            lines = cart.lines
        } else if body["product_id"] != nil {
            lines = [try line(body, request, fixtures)]
        } else {
            throw .missing(["cart_id", "product_id"])
        }
        try Self.checkShipping(body, option)
        let price = Self.price(of: lines, fixtures)
        let order = orders.order(for: owner, cart: cartID, price: price, at: request.now)
        var json = JSONWriter()
        json.object { json in
            json.member("id", order.id)
            Self.writePrice(price, to: &json)
        }
        return RezolveAnswer(status: .created, body: json.bytes)
    }

    /// Holds a chosen `shipping_method` against those of the option.
    private static func checkShipping(
        _ body: JSONNode, _ option: JSONNode
    ) throws(RezolveRefusal) {
        guard let chosen = body["shipping_method"] else { return }
        let code = chosen.string ?? chosen["method_code"]?.string
        let known = option["supported_shipping_methods"].map { Array($0.elements) } ?? []
        if known.contains(where: { $0["execute"]?["method_code"]?.string == code }) { return }
        throw .malformed(
            "unknown_shipping_method",
            "shipping_method must be a method_code of the payment option.")
    }

    /// `POST …/buy/{order}`: received, which is not confirmed.
    private func buy(
        _ request: RezolveRequest, _ owner: RezolveOrders.Owner, _ partner: Partner
    ) throws(RezolveRefusal) -> RezolveAnswer {
        guard let order = orders.buy(request.path["order"], for: owner) else {
            throw .notFound("The order")
        }
        var json = JSONWriter()
        json.object { json in
            json.member("order_id", order.id)
            json.member("partner_id", partner.id)
            json.member("partner_name", partner.name)
            json.key("data")
            json.object { $0.member("status", "received") }
        }
        return RezolveAnswer(status: .created, body: json.bytes)
    }

    /// `GET …/order?from=&to=`: what was bought in a span of time, the newest first.
    private func listOrders(
        _ request: RezolveRequest, _ fixtures: RezolveFixtures, _ partner: Partner
    ) throws(RezolveRefusal) -> RezolveAnswer {
        let page = try RezolvePage(request)
        let from = try Self.time("from", request) ?? -.infinity
        let to = try Self.time("to", request) ?? .infinity
        let found = orders.bought(by: request.path["entity"] ?? "", of: partner.id)
            .filter { from...max(from, to) ~= $0.createdAt }
        return page.answer(
            found.map { order in
                var json = JSONWriter()
                json.object { json in
                    json.member("order_id", order.id)
                    json.key("merchant_id")
                    json.raw(Self.id(of: order.owner, fixtures))
                    json.member("status", "received")
                    json.member(
                        "created_at",
                        Timestamp(unixMilliseconds: Int64(order.createdAt * 1000)).description)
                    Self.writePrice(order.price, to: &json)
                }
                return json.bytes
            })
    }

    /// A time of the query, in seconds since 1970 or as RFC 3339 has it.
    private static func time(
        _ name: String, _ request: RezolveRequest
    ) throws(RezolveRefusal) -> Double? {
        guard let text = request[name], !text.isEmpty else { return nil }
        if let time = Timestamp(text.utf8) { return Double(time.unixMilliseconds) / 1000 }
        if let seconds = Double(text), seconds.isFinite { return seconds }
        throw .malformed("invalid_time", "\(name) must be a time such as 2026-11-21T06:13:00Z.")
    }

    // MARK: Prices

    /// In hundredths.
    private static func price(
        of lines: [RezolveOrders.Line], _ fixtures: RezolveFixtures
    ) -> Int {
        lines.reduce(0) { $0 + unitPrice(of: $1.product, fixtures) * $1.quantity }
    }

    private static func unitPrice(of product: String, _ fixtures: RezolveFixtures) -> Int {
        let price = fixtures.products[product]?["price"]?.double ?? 0
        return Int((min(max(price, 0), 1e9) * 100).rounded())
    }

    private static func writePrice(_ price: Int, to json: inout JSONWriter) {
        json.member("final_price", Double(price) / 100)
        json.key("breakdowns")
        json.array { json in
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
        var json = JSONWriter()
        json.object { json in
            json.member("id", cart.id)
            json.key("merchant_id")
            json.raw(id(of: cart.owner, fixtures))
            json.key("products")
            json.array { json in
                for line in cart.lines {
                    json.object { json in
                        json.key("id")
                        json.raw(fixtures.products[line.product]?["id"]?.compact ?? [0x30])
                        json.member("title", fixtures.products[line.product]?["title"]?.string)
                        json.member("quantity", line.quantity)
                        json.member("price", Double(unitPrice(of: line.product, fixtures)) / 100)
                    }
                }
            }
            json.member("final_price", Double(price(of: cart.lines, fixtures)) / 100)
        }
        return json.bytes
    }

    /// The merchant's id as its fixture has it: a number or a text.
    private static func id(
        of owner: RezolveOrders.Owner, _ fixtures: RezolveFixtures
    ) -> [UInt8] {
        fixtures.merchants[owner.merchant]?["id"]?.compact ?? Array("null".utf8)
    }

    private static func array(_ items: [[UInt8]]) -> [UInt8] {
        var json = JSONWriter()
        json.array { json in
            for item in items { json.raw(item) }
        }
        return json.bytes
    }
}
