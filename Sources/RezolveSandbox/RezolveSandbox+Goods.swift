// Merchants, categories, products and search, from the fixtures (vendor document 4.7). Left out:
// address book, wallet and everything else that needs cards.

import JSON
import Vendors

extension RezolveSandbox {
    /// Serves the requests of a logged-in customer.
    package func goods(
        _ call: RezolveCall, _ request: RezolveRequest, _ fixtures: RezolveFixtures
    ) throws(RezolveRefusal) -> RezolveResponse {
        let partner = try authorize(request)
        switch call {
        case .merchants:
            return try RezolvePage(request).answer(fixtures.merchants.rows.map(\.compact))
        case .rootCategory, .category: return try category(call, request, fixtures)
        case .product: return try product(request, fixtures)
        case .search: return try search(request, fixtures)
        default: return try buying(call, request, fixtures, partner)
        }
    }

    /// The merchant of the path.
    package func merchant(
        _ request: RezolveRequest, _ fixtures: RezolveFixtures
    ) throws(RezolveRefusal) -> JSONNode {
        guard let row = fixtures.merchants[request.path["merchant"]] else {
            throw .notFound(
                "The merchant", expected: "the id of a merchant of the fixtures",
                found: request.path["merchant"])
        }
        return row
    }

    /// The product with an id, if the merchant of the path sells it.
    package func product(
        _ id: String?, _ request: RezolveRequest, _ fixtures: RezolveFixtures
    ) throws(RezolveRefusal) -> JSONNode {
        guard let row = fixtures.products[id],
            FixtureTable.id(row["merchant_id"]) == request.path["merchant"]
        else { throw Self.noProduct(id) }
        return row
    }

    private static func noProduct(_ id: String?) -> RezolveRefusal {
        .notFound(
            "The product", expected: "the id of a product of this merchant and category", found: id)
    }

    /// A category with its categories and a page of its products.
    private func category(
        _ call: RezolveCall, _ request: RezolveRequest, _ fixtures: RezolveFixtures
    ) throws(RezolveRefusal) -> RezolveResponse {
        _ = try merchant(request, fixtures)
        let merchant = request.path["merchant"] ?? ""
        let row =
            call == .rootCategory
            ? fixtures.rootCategory(of: merchant) : fixtures.categories[request.path["category"]]
        guard let row, FixtureTable.id(row["merchant_id"]) == merchant else {
            throw .notFound(
                "The category", expected: "the id of a category of this merchant",
                found: request.path["category"])
        }
        let categoryPage = try RezolvePage(request, prefix: "categories_")
        let productPage = try RezolvePage(request, prefix: "products_")
        if let name = ["offset", "limit"].first(where: { request[$0] != nil }) {
            throw .malformed(
                .target(
                    "invalid_page", expected: "categories_\(name) or products_\(name)",
                    found: "\(name), which could be either list's"))
        }
        let id = FixtureTable.id(row["id"])
        let categories = fixtures.categories.rows.filter { FixtureTable.id($0["parent_id"]) == id }
        let products = Self.products(in: id, fixtures)
        var json = JSONWriter(reservingCapacity: 1024)
        json.object { json in
            Self.write(category: row, fixtures, to: &json)
            json.key("categories")
            categoryPage.write(
                categories.map { row in
                    var json = JSONWriter()
                    json.object { Self.write(category: row, fixtures, to: &$0) }
                    return json.bytes
                }, to: &json)
            json.key("products")
            productPage.write(products.map { Self.displayProduct($0, fixtures) }, to: &json)
            Self.writePlacement(request, to: &json)
        }
        return RezolveResponse(body: json.bytes)
    }

    private static func products(
        in category: String?, _ fixtures: RezolveFixtures
    ) -> [JSONNode] {
        fixtures.products.rows.filter { FixtureTable.id($0["category_id"]) == category }
    }

    private static func write(
        category row: JSONNode, _ fixtures: RezolveFixtures, to json: inout JSONWriter
    ) {
        let id = FixtureTable.id(row["id"])
        for member in row.members {
            json.key(member.name.string ?? "")
            json.raw(member.value.compact)
        }
        json.member(
            "has_categories",
            fixtures.categories.rows.contains { FixtureTable.id($0["parent_id"]) == id })
        json.member("has_products", !products(in: id, fixtures).isEmpty)
    }

    /// A product as in lists.
    private static func displayProduct(_ row: JSONNode, _ fixtures: RezolveFixtures) -> [UInt8] {
        var json = JSONWriter()
        let category = fixtures.categories[FixtureTable.id(row["category_id"])]
        let merchant = fixtures.merchants[FixtureTable.id(row["merchant_id"])]
        let needsOptions =
            (row["options"]?.count ?? 0) > 0
            || row["custom_options"]?.elements.contains { $0["required"]?.bool == true } == true
        json.object { json in
            for (name, node) in [
                ("id", row["id"]), ("name", row["title"]), ("price", row["price"]),
                ("image", row["image"]), ("image_thumbs", row["image_thumbs"]),
                ("category_id", row["category_id"]), ("category_name", category?["name"]),
                ("merchant_id", row["merchant_id"]), ("merchant_name", merchant?["name"]),
                ("is_act", row["is_act"]), ("is_virtual", row["is_virtual"]),
            ] {
                json.key(name)
                json.raw(node?.compact ?? Array("null".utf8))
            }
            json.member("has_required_options", needsOptions)
        }
        return json.bytes
    }

    private func product(
        _ request: RezolveRequest, _ fixtures: RezolveFixtures
    ) throws(RezolveRefusal) -> RezolveResponse {
        let row = try product(request.path["product"], request, fixtures)
        if let category = request.path["category"],
            FixtureTable.id(row["category_id"]) != category
        {
            throw Self.noProduct(request.path["product"])
        }
        var json = JSONWriter(reservingCapacity: 1024)
        json.object { json in
            for member in row.members {
                json.key(member.name.string ?? "")
                json.raw(member.value.compact)
            }
            Self.writePlacement(request, to: &json)
        }
        return RezolveResponse(body: json.bytes)
    }

    /// The placement that the link gave for the customer.
    private static func writePlacement(_ request: RezolveRequest, to json: inout JSONWriter) {
        json.key("placement")
        json.object { json in
            json.member("ad_id", request["ad_id"])
            json.member("placement_id", request["placement_id"])
        }
    }

    /// The products with the words of `q` in title, subtitle or description; `merchant_id`
    /// restricts them to one merchant.
    private func search(
        _ request: RezolveRequest, _ fixtures: RezolveFixtures
    ) throws(RezolveRefusal) -> RezolveResponse {
        guard let words = request["q"]?.lowercased().split(separator: " "), !words.isEmpty else {
            throw .missing(
                ["q"], .target("missing_parameters", expected: "q: words", found: "none"))
        }
        let page = try RezolvePage(request)
        let merchant = request["merchant_id"]
        let found = fixtures.products.rows.filter { row in
            if let merchant, FixtureTable.id(row["merchant_id"]) != merchant { return false }
            let text = ["title", "subtitle", "description"].compactMap { row[$0]?.string }
                .joined(separator: " ").lowercased()
            return words.allSatisfy { text.contains($0) }
        }
        return page.answer(found.map { Self.displayProduct($0, fixtures) })
    }
}
