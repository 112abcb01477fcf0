// The item of a finished flow (vendor document 1.3): open JSON in two spellings.
//
// Invariant: nothing in an item makes it undecodable, and nothing of it is lost: only members that
// repeat stand elsewhere. Beside it stands what partners look for: box, bar codes, photos, times.
// Left out: the rest of the schema, which isn't public.

import JSONText
import PositionedJSON

/// A scanned item, or an array of them, of which the first one is looked into.
struct DimmyItem {
    /// How the item's members are called.
    enum Spelling {
        /// As REST and webhooks have them.
        case snakeCase
        /// As Flux's link has them.
        case camelCase
    }

    /// The item's JSON, in which no member repeats.
    let payload: Payload
    private let root: JSONNode
    private let first: JSONNode

    /// How the item's members are called; nil when nothing tells.
    let spelling: Spelling?

    /// Takes an item; of members that repeat the first counts, with a warning.
    init(_ payload: Payload, findings: inout Findings) {
        var payload = payload
        payload.keepFirstMembers(&findings)
        self.payload = payload
        root = payload.document.root
        first = root.elements.first { $0.kind == .object } ?? root
        spelling = Self.spelling(of: first)
    }

    private static let snakeNames = [
        "started_at", "ended_at", "_id", "flow_id", "created_at", "owner_id",
        "scanner_account_id", "barcode_scanning", "custom_inputs",
    ]

    private static let camelNames = ["startedAt", "endedAt", "barcodeScanning", "customInputs"]

    /// Whether a JSON body is an item, or an array of them, and not an object of parameters.
    static func isItem(_ root: JSONNode) -> Bool {
        if root.kind == .array { return isArrayOfItems(root) }
        guard root["response"] == nil else { return false }
        return spelling(of: root) != nil || root["dimensioning"] != nil
            || root["photographing"] != nil
    }

    /// Whether a value is an array with an object in it.
    static func isArrayOfItems(_ root: JSONNode) -> Bool {
        root.elements.contains { $0.kind == .object }
    }

    /// How the members of `item` are called; nil when nothing tells.
    static func spelling(of item: JSONNode) -> Spelling? {
        if camelNames.contains(where: { item[$0] != nil }) { return .camelCase }
        return snakeNames.contains { item[$0] != nil } ? .snakeCase : nil
    }

    /// The length of the item's JSON in bytes.
    var size: Int { payload.document.bytes.count }

    /// Writes `item`, and what is taken out of it.
    ///
    /// - Parameter usual: the spelling of an item that doesn't tell its own.
    func write(to json: inout JSONWriter, usually usual: Spelling, findings: inout Findings) {
        if root.kind == .array {
            payload.add(
                .warning, "array_instead_of_object", about: root, expected: "one item",
                to: &findings)
        }
        let spelling = spelling ?? usual
        check(spelling, &findings)
        json.key("item")
        json.raw(root.compactText)
        json.key("first_box")
        writeFirstBox(to: &json)
        json.key("barcodes")
        json.array { json in writeBarcodes(to: &json) }
        json.key("photo_urls")
        json.array { json in writePhotoURLs(to: &json) }
        let isCamel = spelling == .camelCase
        for (name, camel) in [("started_at", "startedAt"), ("ended_at", "endedAt")] {
            json.key(name)
            Self.write(first[isCamel ? camel : name], if: .string, to: &json)
        }
    }

    private func check(_ spelling: Spelling, _ findings: inout Findings) {
        let schema = spelling == .camelCase ? Schema.fluxItem : .dimmyItem
        var check = SchemaCheck(schema, payload.document)
        if root.kind == .array {
            for item in root.elements { check.check(item) }
        } else {
            check.check(root)
        }
        check.report(payload, &findings)
    }

    // MARK: Excerpts

    /// Writes the first `dimensions` object of the item, or null; a step that was skipped has none.
    private func writeFirstBox(to json: inout JSONWriter) {
        guard let steps = first["dimensioning"] else { return json.null() }
        for step in steps.elements {
            guard let box = step["dimensions"], box.kind == .object else { continue }
            json.beginObject()
            for name in ["width", "height", "depth"] {
                json.key(name)
                let number = box[name].flatMap { JSONNumber.isFinite($0.text) ? $0 : nil }
                Self.write(number, if: .number, to: &json)
            }
            json.key("unit")
            Self.write(box["unit"], if: .string, to: &json)
            return json.endObject()
        }
        json.null()
    }

    /// Writes the links of photos; Flux's are strings, Dimmy's objects with `url`.
    private func writePhotoURLs(to json: inout JSONWriter) {
        guard let steps = first["photographing"] else { return }
        // On the tape itself: an item has more photos than all else.
        let document = payload.document
        let (tape, text) = (document.tape.span, document.bytes.span)
        for index in steps.index..<Int(tape[steps.index].next) where tape[index].tag == .name {
            let value = tape[index + 1]
            let (start, end) = (Int(tape[index].start) + 1, Int(tape[index].end) - 1)
            if value.tag == .string, text.isText("url", from: start, to: end) {
                json.raw(document.bytes[value.byteRange])
            } else if value.tag == .array, text.isText("photos", from: start, to: end) {
                var photo = index + 2
                while photo < Int(value.next) {
                    if tape[photo].tag == .string {
                        json.raw(document.bytes[tape[photo].byteRange])
                    }
                    photo = Int(tape[photo].next)
                }
            }
        }
    }

    /// Writes every string that is named like a bar code, at any depth.
    private func writeBarcodes(to json: inout JSONWriter) {
        let document = payload.document
        let (tape, text) = (document.tape.span, document.bytes.span)
        for index in first.index..<Int(tape[first.index].next) where tape[index].tag == .name {
            let end = Int(tape[index].end) - 1
            // Most names are of something else, and few letters tell.
            guard Self.mayEndBarcode(text, from: Int(tape[index].start) + 1, to: end),
                Self.isBarcode(document.bytes[Int(tape[index].start) + 1..<end])
            else { continue }
            Self.writeTexts(of: document.node(at: index + 1), to: &json)
        }
    }

    /// Whether a name is long enough and ends as `barcode`, `barcodes` or `Scanning` do.
    @inline(__always)
    private static func mayEndBarcode(_ text: Span<UInt8>, from start: Int, to end: Int) -> Bool {
        guard end - start >= 7 else { return false }
        // Not of `dimensioning` and `photographing`, which every item has.
        switch text[end - 1] | 0x20 {
        case UInt8(ascii: "e"): return text[end - 4] | 0x20 == UInt8(ascii: "c")
        case UInt8(ascii: "s"): return text[end - 5] | 0x20 == UInt8(ascii: "c")
        case UInt8(ascii: "g"): return text[end - 5] | 0x20 == UInt8(ascii: "n")
        default: return false
        }
    }

    /// Whether a member's name ends as `barcode`, `barcodes` or a step that scans them do.
    private static func isBarcode(_ name: ArraySlice<UInt8>) -> Bool {
        barcodeNames.contains { ending in
            ending.count <= name.count
                && zip(name.suffix(ending.count), ending).allSatisfy { $0 | 0x20 == $1 | 0x20 }
        }
    }

    private static let barcodeNames = [
        "barcode", "barcodes", "barcodescanning", "barcode_scanning",
    ].map { Array($0.utf8) }

    /// Writes a string, those in an array, and those of objects in it that hold a code's text.
    private static func writeTexts(of node: JSONNode, to json: inout JSONWriter) {
        switch node.kind {
        case .string: json.raw(node.text)
        case .array: for element in node.elements { writeTexts(of: element, to: &json) }
        case .object:
            for name in ["value", "code", "data", "text"] {
                if let text = node[name], text.kind == .string { json.raw(text.text) }
            }
        case .number, .boolean, .null: break
        }
    }

    /// Writes a value as it was written, or null when it is missing or of another kind.
    private static func write(
        _ value: JSONNode?, if kind: JSONNode.Kind, to json: inout JSONWriter
    ) {
        guard let value, value.kind == kind else { return json.null() }
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
