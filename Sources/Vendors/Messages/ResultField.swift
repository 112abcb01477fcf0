// What of a decoded value is worth asking for: members of one type in one place, and text that a
// person would search. Data, next to the decoders that write these values.
//
// Invariant: fields of one name are of one kind, whichever vendors declare them.

/// A member of decoded values that queries may name.
public struct ResultField: Sendable, Hashable {
    /// What the values are.
    public enum Kind: String, Sendable {
        case number
        case text
        case flag
    }

    /// The name by which it is asked for: the member's own, or its path with dots.
    public let name: String

    /// What the values are.
    public let kind: Kind

    /// Whether single values are asked for among many: ids, and the first of the measurements.
    public let isKey: Bool

    /// Where it stands, as members from the root of the value, or elements from 0; the first path
    /// that exists counts.
    public let paths: [[String]]

    init(_ name: String, _ kind: Kind, isKey: Bool = false, _ paths: [String]...) {
        self.name = name
        self.kind = kind
        self.isKey = isKey
        self.paths = paths.isEmpty ? [name.split(separator: ".").map(String.init)] : paths
    }
}

extension Vendor {
    /// The members of this vendor's values that queries may name.
    public var resultFields: [ResultField] {
        switch self {
        case .welltory:
            [
                ResultField("stress", .number, isKey: true), ResultField("energy", .number),
                ResultField("productivity", .number), ResultField("rmssd", .number),
                ResultField("sdnn", .number), ResultField("power", .number),
                ResultField("measurement_quality", .number), ResultField("stress_c", .text),
                ResultField("energy_c", .text), ResultField("productivity_c", .text),
                ResultField("token", .text, isKey: true), ResultField("is_stage_server", .flag),
            ]
        case .dimmy:
            [
                ResultField("error", .text),
                ResultField("item_id", .text, isKey: true, ["item", "_id"]),
                ResultField("flow_id", .text, ["item", "flow_id"]),
                ResultField("width", .number, ["first_box", "width"]),
                ResultField("height", .number, ["first_box", "height"]),
                ResultField("depth", .number, ["first_box", "depth"]),
                ResultField("barcode", .text, isKey: true, ["barcodes", "0"]),
                ResultField("started_at", .text), ResultField("ended_at", .text),
            ]
        case .ailet:
            [
                ResultField("status", .text), ResultField("status_code", .number),
                ResultField("visit_id", .text, isKey: true),
                ResultField("task_id", .text, isKey: true),
                ResultField("store_id", .text, isKey: true),
                ResultField(
                    "internal_visit_id", .text, isKey: true, ["internal_visit_id"],
                    ["report", "result", "internal_visit_id"]),
                ResultField("scenesCounter", .number), ResultField("photosCounter", .number),
            ]
        case .rezolve:
            [
                ResultField("kind", .text), ResultField("partner_id", .number),
                ResultField("merchant_id", .number), ResultField("category_id", .number),
                ResultField("product_id", .number, isKey: true), ResultField("ad_id", .text),
                ResultField("placement_id", .text),
                ResultField("engagement_id", .text, isKey: true),
                ResultField("act_id", .text, isKey: true),
                ResultField("entity_id", .text, isKey: true, ["entity_id"], ["entityId"]),
                ResultField("scan_id", .text, ["scanId"]), ResultField("reason", .text),
            ]
        case .raw: []
        }
    }

    /// Where in this vendor's values text stands that a person would search.
    ///
    /// That is ids, codes, bar codes and names. Members from the root of the value; `*` is every
    /// element or member.
    public var searchedPaths: [[String]] {
        switch self {
        case .welltory: [["token"], ["parameters", "*"]]
        case .dimmy:
            [
                ["error"], ["context", "*"], ["item", "_id"], ["item", "flow_id"],
                ["item", "code"], ["barcodes", "*"],
                ["item", "barcodeScanning", "*", "*"], ["item", "barcode_scanning", "*", "*"],
                ["item", "customInputs", "*", "*"], ["item", "custom_inputs", "*", "*"],
            ]
        case .ailet:
            [
                ["status"], ["visit_id"], ["internal_visit_id"], ["task_id"], ["store_id"],
                ["user_id"], ["report", "result", "internal_visit_id"],
                ["report", "assortment_achievement", "*", "name"],
                ["report", "assortment_achievement", "*", "external_id"],
                ["report", "photos", "*", "products", "*", "name"],
                ["report", "photos", "*", "products", "*", "external_id"],
                ["parameters", "*"],
            ]
        case .rezolve:
            [
                ["engagement_id"], ["act_id"], ["entity_id"], ["entityId"], ["scanId"],
                ["userName"], ["email"], ["answers", "*", "answer"], ["url"], ["reason"],
                ["parameters", "*"],
            ]
        case .raw: []
        }
    }
}
