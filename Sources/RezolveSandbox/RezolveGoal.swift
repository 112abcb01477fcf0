// What a followed link leads to, resolved as the vendor's engagements are (vendor document 4.5).
//
// Invariant: exactly one of act, product and category isn't null, and every id of the link belongs
// to it. If an id doesn't, there is no goal, and a diagnostic names the id.

import JSON
import Vendors

/// The goal of a trigger.
package struct RezolveGoal {
    /// `resolved` of a response; nil if an id doesn't exist.
    package private(set) var json: [UInt8]?
    /// Problems with the ids; they concern the sandbox only, so none is worse than information.
    package private(set) var diagnostics: [Diagnostic] = []
    /// For people.
    private var sentence = "It leads to nothing in the sandbox’s fixtures."

    /// Looks up a decoded trigger; nil for an invalid one and for a link of another partner.
    ///
    /// - Parameter partners: the ids of the configured partners.
    package init?(of trigger: JSONNode, _ fixtures: RezolveFixtures, partners: [String]) {
        let engagement: JSONNode?
        var (act, product, category): (JSONNode?, JSONNode?, JSONNode?)
        switch trigger["kind"]?.string {
        case "engagement":
            engagement = fixtures.engagements[FixtureTable.id(trigger["engagement_id"])]
            act = fixtures.acts[FixtureTable.id(engagement?["act"])]
            product = fixtures.products[FixtureTable.id(engagement?["product"])]
            category = fixtures.categories[FixtureTable.id(engagement?["category"])]
            if engagement == nil {
                note("unknown_engagement", trigger, "engagement_id", "the id of an engagement")
            }
        case "product", "category":
            engagement = nil
            check(trigger, fixtures, partners)
            product = fixtures.products[FixtureTable.id(trigger["product_id"])]
            if product == nil {
                category = fixtures.categories[FixtureTable.id(trigger["category_id"])]
            }
        default: return nil
        }
        guard diagnostics.isEmpty else { return }
        let custom = act?["act"]?["customUrl"]?.string.map { url in
            (url, Decoding(of: Callback(target: Array(url.utf8)), from: .rezolve).value)
        }
        json = Self.json(engagement, act, product, category, custom?.1)
        if let name = act?["act"]?["name"]?.string {
            sentence = "It leads to the form: \(name)"
            if let url = custom?.0 { sentence += ", which opens \(url) instead" }
        } else if let title = product?["title"]?.string {
            sentence = "It leads to the product: \(title)"
        } else if let name = category?["name"]?.string {
            sentence = "It leads to the category: \(name)"
        }
    }

    /// Records the first id that doesn't match the previous ones.
    private mutating func check(
        _ trigger: JSONNode, _ fixtures: RezolveFixtures, _ partners: [String]
    ) {
        let id = { (name: String) in FixtureTable.id(trigger[name]) }
        // A merchant of the vendor's documents belongs to a partner of the documents.
        let owner = FixtureTable.id(fixtures.merchants[id("merchant_id")]?["partner_id"])
        if let partner = id("partner_id"), partner != owner, !partners.contains(partner) {
            note(
                "unknown_partner", trigger, "partner_id",
                "the id of a configured partner: \(partners.joined(separator: ", "))")
        } else if fixtures.merchants[id("merchant_id")] == nil {
            note("unknown_merchant", trigger, "merchant_id", "the id of a merchant")
        } else if FixtureTable.id(fixtures.categories[id("category_id")]?["merchant_id"])
            != id("merchant_id")
        {
            note("unknown_category", trigger, "category_id", "a category of the merchant")
        } else if trigger["product_id"] != nil {
            let product = fixtures.products[id("product_id")]
            if FixtureTable.id(product?["category_id"]) != id("category_id") {
                note("unknown_product", trigger, "product_id", "a product of the category")
            }
        }
    }

    private mutating func note(
        _ code: String, _ trigger: JSONNode, _ name: String, _ expected: String
    ) {
        diagnostics = [
            Diagnostic(
                severity: .info, layer: .model, code: code, part: .target, pointer: "/\(name)",
                expected: "\(name): \(expected), as in the sandbox’s fixtures",
                found: trigger[name].map(Payload.description) ?? "none")
        ]
    }

    private static func json(
        _ engagement: JSONNode?, _ act: JSONNode?, _ product: JSONNode?, _ category: JSONNode?,
        _ custom: [UInt8]?
    ) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: 1024)
        json.object { json in
            json.member("engagementId", FixtureTable.id(engagement?["id"]))
            json.member("serviceId", engagement?["service_id"]?.string)
            json.member("payloadPath", engagement?["payload_path"]?.string)
            json.member("payoffs", raw: engagement?["payoffs"]?.compactText ?? Array("[]".utf8))
            json.object("rezolveCustomPayload") { json in
                for (name, node) in [("act", act), ("product", product), ("category", category)] {
                    json.member(name, raw: node?.compactText ?? Array("null".utf8))
                }
            }
            if let custom {
                json.member("custom_url", raw: custom)
            }
        }
        return json.bytes
    }

    /// The link's goal in a sentence; nil for an invalid trigger.
    package static func sentence(for trigger: JSONNode?, _ goal: RezolveGoal?) -> String? {
        if trigger?["kind"]?.string == "custom_url" {
            return "This isn’t a link of Rezolve’s: its apps open it in the browser."
        }
        return goal?.sentence
    }
}
