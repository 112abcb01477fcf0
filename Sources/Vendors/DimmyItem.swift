// The item of a finished flow (vendor document 1.3): open JSON in two spellings.
//
// Invariant: nothing of an item is changed, and nothing in it makes it undecodable.
// Left out: all but the first box; the rest of the schema isn't public.

import JSONText
import PositionedJSON

/// A scanned item.
struct DimmyItem {
    private let payload: Payload
    private let root: JSONNode

    init(_ payload: Payload) {
        self.payload = payload
        root = payload.document.root
    }

    /// Whether a JSON body is an item, or an array of them, and not an object of parameters.
    static func isItem(_ root: JSONNode) -> Bool {
        if root.kind == .array { return true }
        let names = [
            "started_at", "ended_at", "startedAt", "endedAt", "dimensioning", "photographing",
            "flow_id", "_id",
        ]
        return root["response"] == nil && names.contains { root[$0] != nil }
    }

    /// Whether the item has Flux's spelling.
    var isCamelCase: Bool {
        let item = firstItem
        return ["startedAt", "endedAt", "barcodeScanning", "customInputs"].contains {
            item[$0] != nil
        }
    }

    /// Writes `item` and `first_box`.
    func write(to json: inout JSONWriter, findings: inout Findings) {
        if root.kind == .array {
            payload.add(
                .warning, "array_instead_of_object", about: root, expected: "one item",
                to: &findings)
        }
        json.key("item")
        json.raw(compact(root))
        json.key("first_box")
        guard let box = firstBox else { return json.null() }
        json.beginObject()
        for name in ["width", "height", "depth"] {
            write(name, of: box, if: .number, to: &json, findings: &findings)
        }
        write("unit", of: box, if: .string, to: &json, findings: &findings)
        json.endObject()
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
        _ name: String, of box: JSONNode, if kind: JSONNode.Kind, to json: inout JSONWriter,
        findings: inout Findings
    ) {
        json.key(name)
        guard let value = box[name], value.kind != .null else { return json.null() }
        if value.kind == kind { return json.raw(value.text) }
        payload.add(
            .warning, "wrong_type", about: value, expected: "a \(kind.rawValue)", to: &findings)
        json.null()
    }

    private func compact(_ node: JSONNode) -> [UInt8] {
        var text: [UInt8] = []
        node.appendCompact(to: &text)
        return text
    }
}
