// Merchants, categories, products and search, from the fixtures (vendor document 4.7). Left out: the
// order that a search asks for; lists have the order of the fixtures.

import JSON

extension RezolveSandbox {
    /// Serves the requests of a logged-in customer.
    func goods(
        _ call: RezolveCall, _ request: RezolveRequest, _ fixtures: RezolveFixtures
    ) throws(RezolveRefusal) -> RezolveResponse {
        let partner = try authorize(request)
        switch call {
        case .merchants:
            return try RezolvePage(request).answer(fixtures.merchants.rows.map(\.compactText))
        case .rootCategory, .category: return try category(call, request, fixtures)
        case .product: return try product(request, fixtures)
        case .search:
            let words = request["q"] ?? request["query"]
            return try RezolvePage(request)
                .answer(try search(words, request["merchant_id"], fixtures))
        case .merchantSearch, .productSearch: return try postedSearch(call, request, fixtures)
        case .profile(let block): return try profile(block, request, partner)
        case .profileEntry(let block):
            return try profile(block, request, partner, id: request.path["entry"])
        default: return try buying(call, request, fixtures, partner)
        }
    }

    /// The merchant of the path.
    func merchant(
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
    func product(
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
            call == .rootCategory || Self.isVendorsRoot(request, fixtures)
            ? fixtures.rootCategory(of: merchant) : fixtures.categories[request.path["category"]]
        guard let row, FixtureTable.id(row["merchant_id"]) == merchant else {
            throw .notFound(
                "The category", expected: "the id of a category of this merchant",
                found: request.path["category"])
        }
        let categoryPage = try RezolvePage(
            request, prefix: "categories_", or: ("category_page_number", "category_items_per_page"))
        let productPage = try RezolvePage(
            request, prefix: "products_", or: ("product_page_number", "product_items_per_page"))
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

    /// Whether the path has the vendor's id of every merchant's root, and the merchant has no
    /// category of that id.
    private static func isVendorsRoot(
        _ request: RezolveRequest, _ fixtures: RezolveFixtures
    ) -> Bool {
        request.path["category"] == "2"
            && FixtureTable.id(fixtures.categories["2"]?["merchant_id"]) != request.path["merchant"]
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
            json.member(member.name.string ?? "", raw: member.value.compactText)
        }
        json.member(
            "has_categories",
            fixtures.categories.rows.contains { FixtureTable.id($0["parent_id"]) == id })
        json.member("has_products", !products(in: id, fixtures).isEmpty)
    }

    /// A product as in lists.
    static func displayProduct(_ row: JSONNode, _ fixtures: RezolveFixtures) -> [UInt8] {
        var json = JSONWriter()
        let category = fixtures.categories[FixtureTable.id(row["category_id"])]
        let merchant = fixtures.merchants[FixtureTable.id(row["merchant_id"])]
        let needsOptions = ["options", "custom_options"].contains { name in
            row.elements(of: name).contains { $0["required"]?.bool ?? true }
        }
        json.object { json in
            for (name, node) in [
                ("id", row["id"]), ("name", row["title"]), ("price", row["price"]),
                ("image", row["image"]), ("image_thumbs", row["image_thumbs"]),
                ("category_id", row["category_id"]), ("category_name", category?["name"]),
                ("merchant_id", row["merchant_id"]), ("merchant_name", merchant?["name"]),
                ("is_act", row["is_act"]), ("is_virtual", row["is_virtual"]),
            ] {
                json.member(name, raw: node?.compactText ?? Array("null".utf8))
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
                json.member(member.name.string ?? "", raw: member.value.compactText)
            }
            Self.writePlacement(request, to: &json)
        }
        return RezolveResponse(body: json.bytes)
    }

    /// The placement that the link gave for the customer.
    private static func writePlacement(_ request: RezolveRequest, to json: inout JSONWriter) {
        json.object("placement") { json in
            json.member("ad_id", request["ad_id"])
            json.member("placement_id", request["placement_id"])
        }
    }

    /// The products with all words in title, subtitle or description.
    ///
    /// - Parameter merchant: restricts them to one merchant.
    private func search(
        _ query: String?, _ merchant: String?, _ fixtures: RezolveFixtures
    ) throws(RezolveRefusal) -> [[UInt8]] {
        guard let words = query?.lowercased().split(separator: " "), !words.isEmpty else {
            throw .missing(
                ["query"], .target("missing_parameters", expected: "query: words", found: "none"))
        }
        let found = fixtures.products.rows.filter { row in
            if let merchant, FixtureTable.id(row["merchant_id"]) != merchant { return false }
            return Self.has(words, row, in: ["title", "subtitle", "description"])
        }
        return found.map { Self.displayProduct($0, fixtures) }
    }

    /// `POST /api/v1/search/merchants/{partner}/{entity}`, and `products`: the query is in the body.
    ///
    /// Merchants without a query are all merchants.
    private func postedSearch(
        _ call: RezolveCall, _ request: RezolveRequest, _ fixtures: RezolveFixtures
    ) throws(RezolveRefusal) -> RezolveResponse {
        let body = try request.jsonObject()
        let query = body["query"]?.string ?? request["query"]
        try Self.checkLocation(of: body)
        let page = try RezolvePage(request, or: ("page", "limit"))
        if call == .productSearch {
            let merchant = FixtureTable.id(body["merchant_id"]) ?? request["merchant_id"]
            return page.answer(try search(query, merchant, fixtures), as: "products")
        }
        let words = query?.lowercased().split(separator: " ") ?? []
        let found = fixtures.merchants.rows.filter { Self.has(words, $0, in: ["name", "tagline"]) }
        return page.answer(found.map(\.compactText), as: "merchants")
    }

    private static func has(
        _ words: [Substring], _ row: JSONNode, in names: [String]
    ) -> Bool {
        let text = names.compactMap { row[$0]?.string }.joined(separator: " ").lowercased()
        return words.allSatisfy { text.contains($0) }
    }
}
