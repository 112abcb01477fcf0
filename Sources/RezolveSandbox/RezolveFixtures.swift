// The sandbox's goods, acts and payment options: `Config/rezolve/*.json`, read at first use.
//
// Invariant: every id that a row refers to exists.

import Files
import JSON

/// All fixtures.
package struct RezolveFixtures: Sendable {
    package let merchants: FixtureTable
    let categories: FixtureTable
    package let products: FixtureTable
    package let acts: FixtureTable
    let engagements: FixtureTable
    package let paymentOptions: FixtureTable

    /// Reads and checks the files of a folder.
    ///
    /// Throws the first error.
    package init(folder: String) throws(FixtureError) {
        func table(_ name: String) throws(FixtureError) -> FixtureTable {
            let path = "\(folder)/\(name).json"
            let content: [UInt8]
            do throws(FileError) {
                content = try Folder.content(of: path)
            } catch {
                throw FixtureError(description: "\(error)")
            }
            return try FixtureTable(content, path: path)
        }
        merchants = try table("merchants")
        categories = try table("categories")
        products = try table("products")
        acts = try table("acts")
        engagements = try table("engagements")
        paymentOptions = try table("payment-options")
        try check()
    }

    /// The category of a merchant that has no parent.
    package func rootCategory(of merchant: String) -> JSONNode? {
        categories.rows.first {
            FixtureTable.id($0["merchant_id"]) == merchant
                && FixtureTable.id($0["parent_id"]) == nil
        }
    }

    private func check() throws(FixtureError) {
        for row in merchants.rows { try require(row, "name", .string, merchants) }
        for row in categories.rows {
            try require(row, "name", .string, categories)
            try refer(row, "merchant_id", to: merchants, from: categories)
            try checkParents(of: row)
        }
        for row in products.rows {
            try require(row, "title", .string, products)
            try require(row, "price", .number, products)
            if let price = row["price"], Self.hundredths(of: price) == nil {
                throw products.error(
                    price, "price must be a number from 0 to 1e9 with at most two decimals")
            }
            try check(optionsOf: row)
            try refer(row, "merchant_id", to: merchants, from: products)
            try refer(row, "category_id", to: categories, from: products)
            let category = categories[FixtureTable.id(row["category_id"])]
            if FixtureTable.id(category?["merchant_id"]) != FixtureTable.id(row["merchant_id"]) {
                throw products.error(
                    row["category_id"] ?? row, "the category belongs to another merchant")
            }
        }
        for row in acts.rows { try check(act: row) }
        for row in engagements.rows {
            let targets = [("act", acts), ("product", products), ("category", categories)]
                .filter { row[$0.0] != nil }
            guard targets.count == 1, let target = targets.first else {
                throw engagements.error(row, "an engagement has one of act, product and category")
            }
            try refer(row, target.0, to: target.1, from: engagements)
        }
        for row in paymentOptions.rows {
            try refer(row, "merchant_id", to: merchants, from: paymentOptions)
            try check(paymentOption: row)
        }
    }

    /// Checks the chain of parents: all of one merchant, without a cycle.
    private func checkParents(of row: JSONNode) throws(FixtureError) {
        let merchant = FixtureTable.id(row["merchant_id"])
        var next = row
        for _ in 0...categories.rows.count {
            guard let parent = FixtureTable.id(next["parent_id"]) else { return }
            try refer(next, "parent_id", to: categories, from: categories)
            guard let category = categories[parent] else { return }
            if FixtureTable.id(category["merchant_id"]) != merchant {
                throw categories.error(
                    next["parent_id"] ?? next, "the parent belongs to another merchant")
            }
            next = category
        }
        throw categories.error(row["parent_id"] ?? row, "the parents form a cycle")
    }

    /// A price in hundredths; nil if it is invalid.
    static func hundredths(of price: JSONNode) -> Int? {
        guard let value = price.double, 0...1e9 ~= value else { return nil }
        let hundredths = (value * 100).rounded()
        return hundredths / 100 == value ? Int(hundredths) : nil
    }

    private func check(optionsOf row: JSONNode) throws(FixtureError) {
        for (name, id, value) in [
            ("options", "code", "value"), ("custom_options", "option_id", "value_id"),
        ] {
            for option in row.elements(of: name) {
                guard FixtureTable.id(option[id]) != nil else {
                    throw products.error(option, "each of \(name) needs its \(id)")
                }
                if name == "custom_options" { try require(option, "required", .boolean, products) }
                for choice in option.elements(of: "values")
                where FixtureTable.id(choice[value]) == nil {
                    throw products.error(choice, "each value needs its \(value)")
                }
            }
        }
    }

    private func check(act row: JSONNode) throws(FixtureError) {
        try require(row, "act", .object, acts)
        guard let act = row["act"] else { return }
        for name in ["isInformationPage", "isBuy"] { try require(act, name, .boolean, acts) }
        try require(act, "pageBuildingBlocks", .array, acts)
        var ids: Set<String> = []
        for block in act.elements(of: "pageBuildingBlocks") {
            guard let id = FixtureTable.id(block["id"]), ids.insert(id).inserted else {
                throw acts.error(block, "each block needs an id of its own")
            }
            try require(block, "type", .string, acts)
            try require(block, "required", .boolean, acts)
        }
        for question in act.elements(of: "questions") {
            guard let id = FixtureTable.id(question["id"]), ids.contains(id) else {
                throw acts.error(question, "a question has the id of a block")
            }
        }
    }

    /// Checks that the store for pickup is the one in the adjacent details.
    private func check(paymentOption row: JSONNode) throws(FixtureError) {
        try require(row, "supported_shipping_methods", .array, paymentOptions)
        try require(row, "supported_payment_methods", .array, paymentOptions)
        for method in row.elements(of: "supported_shipping_methods") {
            guard let execute = method["execute"], execute["method_code"]?.string != nil else {
                throw paymentOptions.error(method, "execute.method_code must be a text")
            }
            for store in execute.elements(of: "extension_attributes")
            where store["code"]?.string == "pickup_store" {
                // The vendor writes the id as a string in one place and as a number in the other.
                let details = method["details"]?["store_details"]?["pickup_store"]
                if FixtureTable.id(store["value"]) != FixtureTable.id(details) {
                    throw paymentOptions.error(
                        store, "details.store_details.pickup_store must be the same store")
                }
            }
        }
    }

    private func require(
        _ row: JSONNode, _ name: String, _ kind: JSONNode.Kind, _ table: FixtureTable
    ) throws(FixtureError) {
        guard row[name]?.kind == kind else {
            throw table.error(row[name] ?? row, "\(name) must be of type \(kind.rawValue)")
        }
    }

    private func refer(
        _ row: JSONNode, _ name: String, to other: FixtureTable, from table: FixtureTable
    ) throws(FixtureError) {
        guard let id = FixtureTable.id(row[name]) else {
            throw table.error(row[name] ?? row, "\(name) must be an id")
        }
        if other[id] == nil {
            throw table.error(
                row[name] ?? row, "\(name) is \(id), which \(other.path) doesn't have")
        }
    }
}
