// The choices in the body of a purchase: a product with options, shipping and payment, all checked
// against the fixtures and the customer's profile.
//
// A product is chosen by `product`, as third-party tests of the vendor's servers do, or by flat
// members of our own. Unknown members are refused, so that nothing is ordered by mistake.

import JSON
import Text
import Vendors

extension RezolveSandbox {
    /// The members of a body that choose a product.
    static func lineMembers(of body: JSONNode) -> [String] {
        body.member("product") == nil ? flatNames : ["product"]
    }

    private static let flatNames = ["product_id", "quantity", "options", "custom_options"]
    private static let productNames = ["id", "qty", "configurable_options", "custom_options"]

    /// The members that say how an order is delivered and paid.
    static let deliveryMembers = [
        "shipping_method", "payment_method", "address_id", "phone_id", "pickup_store", "location",
    ]

    /// The members of both methods: those of the payment options, and what a customer chooses.
    private static let shippingNames = [
        "type", "method_code", "carrier_code", "display_name", "manual_payment_label",
        "extension_attributes", "pickup_store", "address_id",
    ]
    private static let paymentNames = ["type", "data", "phone_id"]

    /// The product that a body chooses, with quantity and options.
    func line(
        _ body: JSONNode, _ request: RezolveRequest, _ fixtures: RezolveFixtures
    ) throws(RezolveRefusal) -> RezolveOrders.Line {
        let nested = body.member("product")
        let names = nested == nil ? Self.flatNames : Self.productNames
        let body = nested ?? body
        guard body.kind == .object else {
            throw .malformed(
                .body("wrong_type", about: body, expected: "an object with id and qty"))
        }
        if names == Self.productNames { try Self.refuseMembers(of: body, but: names) }
        guard let id = FixtureTable.id(body[names[0]]) else {
            throw .missing([names[0]], in: body)
        }
        let product = try product(id, request, fixtures)
        var quantity = 1
        if let node = body.member(names[1]) {
            guard let count = node.int, 1...RezolveOrders.mostPieces ~= count else {
                throw .malformed(
                    .body(
                        "invalid_quantity", about: node,
                        expected: "a whole number from 1 to \(RezolveOrders.mostPieces)"))
            }
            quantity = count
        }
        let options = try OptionList.options.read(names[2], in: body, of: product)
        try Self.checkVariant(options, of: product, body[names[2]] ?? body)
        let choice = RezolveOrders.Choice(
            product: id, options: options,
            customOptions: try OptionList.customOptions.read(names[3], in: body, of: product))
        return RezolveOrders.Line(choice: choice, quantity: quantity)
    }

    /// Refuses a combination of options that isn't sold.
    private static func checkVariant(
        _ options: [String: String], of product: JSONNode, _ place: JSONNode
    ) throws(RezolveRefusal) {
        let variants = product.elements(of: "available_variants").map { variant in
            variant.elements(of: "combination").reduce(into: [String: String]()) { found, part in
                if let code = FixtureTable.id(part["code"]) {
                    found[code] = FixtureTable.id(part["value"])
                }
            }
        }
        if variants.isEmpty || variants.contains(options) { return }
        throw .malformed(
            .body(
                "unavailable_variant", about: place,
                expected: "one of the available_variants"))
    }

    /// Refuses unknown members, except null ones.
    static func refuseMembers(
        of object: JSONNode, but known: [String]
    ) throws(RezolveRefusal) {
        for member in object.members where member.value.kind != .null {
            let name = member.name.string ?? ""
            if known.contains(name) { continue }
            throw .malformed(
                .body(
                    "unknown_member", about: member.value,
                    expected: "a member of \(known.joined(separator: ", "))",
                    found: Excerpt.quoted(Array(name.utf8)[...]),
                    hint: Spelling.nearest(to: name, among: known).map { "did you mean \($0)?" }))
        }
    }

    /// How a body wants its order delivered and paid: everything is optional, and checked against
    /// the payment option and the customer's profile.
    ///
    /// - Parameter former: what applies to all that the body doesn't choose.
    func delivery(
        _ body: JSONNode, _ option: JSONNode, _ owner: RezolveOrders.Owner,
        changing former: RezolveOrders.Delivery = RezolveOrders.Delivery()
    ) throws(RezolveRefusal) -> RezolveOrders.Delivery {
        let (shipping, payment) = (body.member("shipping_method"), body.member("payment_method"))
        if let shipping { try Self.refuseMembers(of: shipping, but: Self.shippingNames) }
        if let payment { try Self.refuseMembers(of: payment, but: Self.paymentNames) }
        let methods = option.elements(of: "supported_shipping_methods")
        var delivery = former
        if let method = try Self.chosen(
            shipping, by: ["type", "method_code"],
            of: methods.compactMap({ $0["execute"]?["method_code"]?.string }),
            "unknown_shipping_method")
        {
            // A store belongs to its shipping method.
            (delivery.shipping, delivery.store) = (method, nil)
        }
        let payments = option.elements(of: "supported_payment_methods")
        let type = try Self.chosen(
            payment, by: ["type"], of: payments.compactMap { $0["type"]?.string },
            "unknown_payment_method")
        delivery.payment = type ?? former.payment
        try Self.checkPayment(delivery, payments, payment ?? shipping ?? body)
        delivery.store = try Self.store(
            body, methods.filter { $0["execute"]?["method_code"]?.string == delivery.shipping },
            changing: delivery.store)
        let customer = RezolveProfiles.Owner(partner: owner.partner, entity: owner.entity)
        let address = try reference(
            "address_id", in: shipping?.member("address_id") == nil ? body : shipping, of: customer)
        delivery.address = address ?? former.address
        let phone = try reference(
            "phone_id", in: payment?.member("phone_id") == nil ? body : payment, of: customer)
        delivery.phone = phone ?? former.phone
        try Self.checkLocation(of: body)
        return delivery
    }

    /// The store of Click & Collect, which a shipping method with stores needs.
    ///
    /// It is named as `pickup_store`, or as in the `extension_attributes` of the method.
    ///
    /// - Parameters:
    ///   - methods: those of the chosen code, one for each store.
    ///   - former: the store unless the body names one.
    private static func store(
        _ body: JSONNode, _ methods: [JSONNode], changing former: String?
    ) throws(RezolveRefusal) -> String? {
        let shipping = body.member("shipping_method")
        var attribute: JSONNode?
        for node in shipping?.elements(of: "extension_attributes") ?? [] {
            try refuseMembers(of: node, but: ["code", "value"])
            guard node["code"]?.string == "pickup_store" else {
                throw .malformed(
                    .body(
                        "unknown_attribute", about: node["code"] ?? node,
                        expected: "code: pickup_store"))
            }
            attribute = attribute ?? node
        }
        let node =
            shipping?.member("pickup_store") ?? attribute?.member("value")
            ?? body.member("pickup_store")
        let stores = methods.compactMap {
            FixtureTable.id($0["details"]?["store_details"]?["pickup_store"])
        }
        let id = FixtureTable.id(node)
        if let id, stores.contains(id) { return id }
        guard let node else {
            if stores.isEmpty || former != nil { return former }
            throw .missing(["pickup_store"], in: shipping ?? body)
        }
        throw .malformed(
            .body(
                "unknown_pickup_store", about: node,
                expected: stores.isEmpty
                    ? "no pickup_store: the shipping method has no stores"
                    : "pickup_store: \(stores.joined(separator: " or "))"))
    }

    /// Throws the vendor's error unless the `location`, if given, has both numbers.
    static func checkLocation(of body: JSONNode) throws(RezolveRefusal) {
        guard let place = body.member("location") else { return }
        for (name, limit) in [("latitude", 90.0), ("longitude", 180.0)] {
            if let number = place[name]?.double, abs(number) <= limit { continue }
            throw .malformed(
                .body(
                    "invalid_location", about: place[name] ?? place,
                    expected: "location.\(name): a number from -\(Int(limit)) to \(Int(limit))"))
        }
    }

    /// Refuses a payment method that the shipping method doesn't support.
    private static func checkPayment(
        _ delivery: RezolveOrders.Delivery, _ payments: [JSONNode], _ node: JSONNode
    ) throws(RezolveRefusal) {
        guard let shipping = delivery.shipping, let payment = delivery.payment else { return }
        let supported = payments.first { $0["type"]?.string == payment }?["data"]?
            .elements(of: "supported_shipping").compactMap(\.string)
        if let supported, !supported.contains(shipping) {
            throw .malformed(
                .body(
                    "payment_without_shipping", about: node,
                    expected: "a payment method whose supported_shipping has \(shipping)"))
        }
    }

    /// The name of a chosen method, given as a string or as an object with a name; nil if there is
    /// none.
    private static func chosen(
        _ node: JSONNode?, by members: [String], of known: [String], _ code: String
    ) throws(RezolveRefusal) -> String? {
        guard let node else { return nil }
        let member = members.lazy.compactMap { node.member($0) }.first
        if let name = node.string ?? member?.string, known.contains(name) { return name }
        throw .malformed(
            .body(
                code, about: member ?? node,
                expected: "\(members[0]): \(known.joined(separator: " or "))"))
    }
}

/// One of a product's two lists of options, from which a body chooses.
private struct OptionList {
    /// The member's name in the product.
    let name: String
    /// The member that identifies an option, in both.
    let idName: String
    /// The member that identifies a value, in the product.
    let valueName: String

    static let options = OptionList(name: "options", idName: "code", valueName: "value")
    static let customOptions = OptionList(
        name: "custom_options", idName: "option_id", valueName: "value_id")

    /// Maximum bytes of a text written by a person.
    private static let mostBytes = 500

    /// The chosen values, by the ids of their options.
    ///
    /// Throws the vendor's error for unknown options and values, and for missing required ones.
    ///
    /// - Parameter member: the member's name in the body.
    func read(
        _ member: String, in body: JSONNode, of product: JSONNode
    ) throws(RezolveRefusal) -> [String: String] {
        let options = product.elements(of: name)
        if let list = body.member(member), list.kind != .array {
            throw .malformed(
                .body("wrong_type", about: list, expected: "an array of {\(idName), value}"))
        }
        var chosen: [String: String] = [:]
        for choice in body.elements(of: member) {
            try RezolveSandbox.refuseMembers(of: choice, but: [idName, "value"])
            let id = FixtureTable.id(choice[idName])
            guard let id, let option = options.first(where: { self.id(of: $0) == id }) else {
                let known = options.compactMap(self.id).joined(separator: ", ")
                throw .malformed(
                    .body(
                        "unknown_option", about: choice[idName] ?? choice,
                        expected: known.isEmpty
                            ? "no \(name): the product has none" : "\(idName): \(known)"))
            }
            let value = try value(of: choice, for: option)
            guard chosen.updateValue(value, forKey: id) == nil else {
                throw .malformed(
                    .body("duplicate_option", about: choice, expected: "each option once"))
            }
        }
        // Options are required by default: they select the variant.
        let missing = options.filter { $0["required"]?.bool ?? true }.compactMap(id)
            .filter { chosen[$0] == nil }
        if !missing.isEmpty {
            throw .missing(
                missing.map { "\(member).\($0)" }, in: body, code: "required_option_missing")
        }
        return chosen
    }

    private func id(of option: JSONNode) -> String? { FixtureTable.id(option[idName]) }

    private func value(
        of choice: JSONNode, for option: JSONNode
    ) throws(RezolveRefusal) -> String {
        let known = option.elements(of: "values").compactMap { FixtureTable.id($0[valueName]) }
        let value = FixtureTable.id(choice["value"])
        if let value, known.contains(value) { return value }
        let isText = value?.contains { !$0.isWhitespace } == true
        if let value, known.isEmpty, isText, value.utf8.count <= Self.mostBytes { return value }
        throw .malformed(
            .body(
                "invalid_option", about: choice["value"] ?? choice,
                expected: known.isEmpty
                    ? "a text of at most \(Self.mostBytes) bytes"
                    : known.joined(separator: " or ")))
    }
}
