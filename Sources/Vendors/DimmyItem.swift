// The item of a finished flow (vendor document 1.3): open JSON in two spellings.
//
// Invariant: nothing of an item is changed, and nothing in it makes it undecodable.
// Left out: all but the first box; the rest of the schema isn't public.

import JSONText
import PositionedJSON

/// A scanned item.
struct DimmyItem {
    /// How the item's members are called.
    enum Spelling {
        /// As REST and webhooks have them.
        case snakeCase
        /// As Flux's link has them.
        case camelCase
    }

    private let payload: Payload
    private let root: JSONNode

    init(_ payload: Payload) {
        self.payload = payload
        root = payload.document.root
    }

    private static let snakeNames = [
        "started_at", "ended_at", "_id", "flow_id", "created_at", "owner_id",
        "scanner_account_id", "barcode_scanning", "custom_inputs",
    ]

    private static let camelNames = ["startedAt", "endedAt", "barcodeScanning", "customInputs"]

    /// Whether a JSON body is an item, or an array of them, and not an object of parameters.
    static func isItem(_ root: JSONNode) -> Bool {
        if root.kind == .array { return true }
        guard root["response"] == nil else { return false }
        return spelling(of: root) != nil || root["dimensioning"] != nil
            || root["photographing"] != nil
    }

    /// How the members of `item` are called; nil when nothing tells.
    static func spelling(of item: JSONNode) -> Spelling? {
        if camelNames.contains(where: { item[$0] != nil }) { return .camelCase }
        return snakeNames.contains { item[$0] != nil } ? .snakeCase : nil
    }

    /// How the item's members are called; nil when nothing tells.
    var spelling: Spelling? { Self.spelling(of: firstItem) }

    /// The length of the item's JSON in bytes.
    var size: Int { payload.document.bytes.count }

    /// Writes `item` and `first_box`.
    func write(to json: inout JSONWriter, findings: inout Findings) {
        if root.kind == .array {
            payload.add(
                .warning, "array_instead_of_object", about: root, expected: "one item",
                to: &findings)
        }
        check(&findings)
        json.key("item")
        json.raw(root.compactText)
        json.key("first_box")
        guard let box = firstBox else { return json.null() }
        json.beginObject()
        for name in ["width", "height", "depth"] { write(name, of: box, if: .number, to: &json) }
        write("unit", of: box, if: .string, to: &json)
        json.endObject()
    }

    private func check(_ findings: inout Findings) {
        var check = SchemaCheck(.item, payload.document)
        if root.kind == .array {
            for item in root.elements { check.check(item) }
        } else {
            check.check(root)
        }
        check.report(payload, &findings)
    }

    private var firstItem: JSONNode { root[0] ?? root }

    /// The first `dimensions` object of the item; a step that was skipped has none.
    private var firstBox: JSONNode? {
        guard let steps = firstItem["dimensioning"] else { return nil }
        for step in steps.elements {
            if let box = step["dimensions"], box.kind == .object { return box }
        }
        return nil
    }

    /// Writes one member of a box as it was written, or null when it is missing or of another kind.
    private func write(
        _ name: String, of box: JSONNode, if kind: JSONNode.Kind, to json: inout JSONWriter
    ) {
        json.key(name)
        guard let value = box[name], value.kind == kind else { return json.null() }
        json.raw(value.text)
    }
}

extension JSONNode {
    /// The value without whitespace between tokens.
    var compactText: [UInt8] {
        var text: [UInt8] = []
        appendCompact(to: &text)
        return text
    }
}
