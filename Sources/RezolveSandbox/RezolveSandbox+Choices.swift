// The choices in the body of a purchase: a product with options, shipping and payment, all checked
// against the fixtures.
//
// The vendor's bodies are not published; these are ours, with names from the vendor's models. So
// unknown members are refused, and nothing is ordered by mistake.

import AppLinks
import JSON
import Vendors

extension RezolveSandbox {
    /// The members that choose a product.
    package static let lineMembers = ["product_id", "quantity", "options", "custom_options"]

    /// `product_id`, `quantity`, `options` and `custom_options` of a body.
    package func line(
        _ body: JSONNode, _ request: RezolveRequest, _ fixtures: RezolveFixtures
    ) throws(RezolveRefusal) -> RezolveOrders.Line {
        guard let id = FixtureTable.id(body["product_id"]) else {
            throw .missing(["product_id"], in: body)
        }
        let product = try product(id, request, fixtures)
        var quantity = 1
        if let node = body["quantity"] {
            guard let count = node.int, 1...RezolveOrders.mostPieces ~= count else {
                throw .malformed(
                    .body(
                        "invalid_quantity", about: node,
                        expected: "a whole number from 1 to \(RezolveOrders.mostPieces)"))
            }
            quantity = count
        }
        let options = try OptionList.options.read(body, of: product)
        try Self.checkVariant(options, of: product, body)
        let choice = RezolveOrders.Choice(
            product: id, options: options,
            customOptions: try OptionList.customOptions.read(body, of: product))
        return RezolveOrders.Line(choice: choice, quantity: quantity)
    }

    /// Refuses a combination of options that isn't sold.
    private static func checkVariant(
        _ options: [String: String], of product: JSONNode, _ body: JSONNode
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
                "unavailable_variant", about: body["options"] ?? body,
                expected: "one of the available_variants"))
    }

    /// Refuses unknown members.
    package static func refuseMembers(
        of object: JSONNode, but known: [String]
    ) throws(RezolveRefusal) {
        for member in object.members {
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

    /// Checks `shipping_method` and `payment_method`, if given, against a payment option.
    package static func checkMethods(_ body: JSONNode, _ option: JSONNode) throws(RezolveRefusal) {
        let methods = option.elements(of: "supported_shipping_methods")
        let shipping = try chosen(
            body["shipping_method"], by: "method_code",
            of: methods.compactMap { $0["execute"]?["method_code"]?.string },
            "unknown_shipping_method")
        let payments = option.elements(of: "supported_payment_methods")
        let payment = try chosen(
            body["payment_method"], by: "type", of: payments.compactMap { $0["type"]?.string },
            "unknown_payment_method")
        guard let shipping, let payment, let node = body["payment_method"] else { return }
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
        _ node: JSONNode?, by member: String, of known: [String], _ code: String
    ) throws(RezolveRefusal) -> String? {
        guard let node, node.kind != .null else { return nil }
        if let name = node.string ?? node[member]?.string, known.contains(name) { return name }
        throw .malformed(
            .body(
                code, about: node[member] ?? node,
                expected: "\(member): \(known.joined(separator: " or "))"))
    }
}

/// One of a product's two lists of options, from which a body chooses.
private struct OptionList {
    /// The member's name in the product and in the body.
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
    func read(_ body: JSONNode, of product: JSONNode) throws(RezolveRefusal) -> [String: String] {
        let options = product.elements(of: name)
        if let list = body[name], list.kind != .array, list.kind != .null {
            throw .malformed(
                .body("wrong_type", about: list, expected: "an array of {\(idName), value}"))
        }
        var chosen: [String: String] = [:]
        for choice in body.elements(of: name) {
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
                missing.map { "\(name).\($0)" }, in: body, code: "required_option_missing")
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
