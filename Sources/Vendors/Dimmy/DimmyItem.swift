// The item of a finished flow (vendor document 1.3): open JSON in two spellings.
//
// Invariant: nothing in an item makes it undecodable, and nothing of it is lost: only repeated
// members are moved. The members that partners look for (box, bar codes, photos, times) are
// extracted next to it. Left out: the rest of the schema, which isn't public.

import JSON
import Text

/// A scanned item, or an array of items, of which the first is inspected.
struct DimmyItem {
    /// The spelling of the item's members.
    enum Spelling {
        /// As in REST and webhooks.
        case snakeCase
        /// As in Flux's link.
        case camelCase
    }

    /// The item's JSON, without repeated members.
    let payload: Payload
    /// The tape index of the item, or of the first one of an array.
    private let first: Int

    /// The spelling of the item's members; nil if ambiguous.
    let spelling: Spelling?

    /// Takes an item; of repeated members the first is used, with a warning.
    init(_ payload: Payload, findings: inout Findings) {
        var payload = payload
        payload.keepMembers(.first, &findings)
        self.payload = payload
        let root = payload.document.root
        let item = root.elements.first { $0.kind == .object } ?? root
        first = item.index
        spelling = Self.spelling(of: item)
    }

    private var root: JSONNode { payload.document.root }

    private static let snakeNames = [
        "started_at", "ended_at", "_id", "flow_id", "created_at", "owner_id",
        "scanner_account_id", "barcode_scanning", "custom_inputs",
    ]

    private static let camelNames = ["startedAt", "endedAt", "barcodeScanning", "customInputs"]

    /// Whether a JSON body is an item or an array of items rather than an object of parameters.
    static func isItem(_ root: JSONNode) -> Bool {
        if root.kind == .array { return isArrayOfItems(root) }
        guard root["response"] == nil else { return false }
        return spelling(of: root) != nil || root["dimensioning"] != nil
            || root["photographing"] != nil
    }

    /// Whether a value is an array that contains an object.
    static func isArrayOfItems(_ root: JSONNode) -> Bool {
        root.elements.contains { $0.kind == .object }
    }

    /// The spelling of the members of `item`; nil if ambiguous.
    static func spelling(of item: JSONNode) -> Spelling? {
        if camelNames.contains(where: { item[$0] != nil }) { return .camelCase }
        return snakeNames.contains { item[$0] != nil } ? .snakeCase : nil
    }

    /// The length of the item's JSON in bytes.
    var size: Int { payload.document.bytes.count }

    /// Writes `item` and the members extracted from it.
    ///
    /// - Parameters:
    ///   - usual: the spelling to assume if the item is ambiguous.
    ///   - isOfWebhook: whether it must have the times that a webhook's item has.
    func write(
        to json: inout JSONWriter, usually usual: Spelling, isOfWebhook: Bool = false,
        findings: inout Findings
    ) {
        if root.kind == .array {
            payload.add(
                .warning, "array_instead_of_object", about: root, expected: "one item",
                to: &findings)
        }
        let spelling = spelling ?? usual
        let isOfFlux = isOfWebhook || usual == .camelCase
        let schema: Schema =
            isOfFlux && spelling == .snakeCase
            ? .webhookItem : spelling == .camelCase ? .fluxItem : .dimmyItem
        check(schema, &findings)
        json.key("item")
        json.value(root)
        json.key("first_box")
        writeFirstBox(to: &json)
        json.key("barcodes")
        json.array { json in writeBarcodes(in: first, to: &json) }
        json.key("photo_urls")
        json.array { json in writePhotoURLs(to: &json) }
        let isCamel = spelling == .camelCase
        for (name, camel) in [("started_at", "startedAt"), ("ended_at", "endedAt")] {
            json.key(name)
            let time = payload.document.value(of: isCamel ? camel : name, in: first)
            writeText(at: time, to: &json)
        }
    }

    /// Warns of an item in the spelling of 2024, which Flux doesn't send.
    func warnOfSnakeCase(_ findings: inout Findings) {
        guard spelling == .snakeCase else { return }
        payload.add(
            .warning, "snake_case_item", about: payload.document.node(at: first),
            expected: "members in camelCase, such as startedAt", found: "members in snake_case",
            hint: "Flux's callbacks have camelCase; snake_case is for webhooks and REST",
            to: &findings)
    }

    private func check(_ schema: Schema, _ findings: inout Findings) {
        var check = SchemaCheck(schema, payload.document)
        if root.kind == .array {
            for item in root.elements { check.check(item) }
        } else {
            check.check(root)
        }
        check.report(payload, &findings)
        payload.addSwappedCoordinates(to: &findings)
    }

    // MARK: Excerpts

    // Reads the tape directly: an item is small, and making nodes would cost more than reading it.

    /// Writes the first `dimensions` object of the item, or null; a skipped step has none.
    private func writeFirstBox(to json: inout JSONWriter) {
        guard let box = firstBox else { return json.null() }
        let document = payload.document
        json.beginObject()
        for name in ["width", "height", "depth"] {
            json.key(name)
            writeNumber(at: document.value(of: name, in: box), to: &json)
        }
        json.key("unit")
        writeText(at: document.value(of: "unit", in: box), to: &json)
        json.endObject()
    }

    /// The tape index of the first box.
    private var firstBox: Int? {
        let document = payload.document
        guard let steps = document.value(of: "dimensioning", in: first),
            case .array = document.tape[steps].tag
        else { return nil }
        var step = steps + 1
        while step < Int(document.tape[steps].next) {
            if let box = document.value(of: "dimensions", in: step),
                case .object = document.tape[box].tag
            {
                return box
            }
            step = Int(document.tape[step].next)
        }
        return nil
    }

    /// Writes the links of photos; Flux's are strings, Dimmy's objects with `url`.
    private func writePhotoURLs(to json: inout JSONWriter) {
        let document = payload.document
        guard let steps = document.value(of: "photographing", in: first) else { return }
        let (tape, text) = (document.tape.span, document.bytes.span)
        for index in steps..<Int(tape[steps].next) {
            guard case .name = tape[index].tag else { continue }
            let value = tape[index + 1]
            let (start, end) = (Int(tape[index].start) + 1, Int(tape[index].end) - 1)
            if case .string = value.tag, text.isText("url", from: start, to: end) {
                json.value(at: index + 1, of: document)
            } else if case .array = value.tag, text.isText("photos", from: start, to: end) {
                var photo = index + 2
                while photo < Int(value.next) {
                    if case .string = tape[photo].tag {
                        json.value(at: photo, of: document)
                    }
                    photo = Int(tape[photo].next)
                }
            }
        }
    }

    /// Writes every string whose name is that of a bar code, at any depth, in document order.
    private func writeBarcodes(in value: Int, to json: inout JSONWriter) {
        let document = payload.document
        let (tape, text) = (document.tape.span, document.bytes.span)
        var index = value
        let end = Int(tape[value].next)
        while index < end {
            if Self.isBarcode(at: index, tape, text) {
                writeCodes(at: index + 1, to: &json)
                index = Int(tape[index + 1].next)
            } else {
                index += 1
            }
        }
    }

    /// Whether an entry of the tape is the name of a bar code.
    @inline(__always)
    private static func isBarcode(
        at index: Int, _ tape: Span<TapeEntry>, _ text: Span<UInt8>
    ) -> Bool {
        guard case .name = tape[index].tag else { return false }
        let (start, end) = (Int(tape[index].start) + 1, Int(tape[index].end) - 1)
        return isBarcode(text, from: start, to: end)
    }

    /// Whether a member's name ends like `barcode`, `barcodes` or a step that scans them.
    @inline(__always)
    private static func isBarcode(_ text: Span<UInt8>, from start: Int, to end: Int) -> Bool {
        guard end - start >= 7 else { return false }
        // A quick filter on a few letters, which rejects most names, among them `dimensioning` and
        // `photographing`, which every item has.
        let hint =
            switch text[end - 1] | 0x20 {
            case UInt8(ascii: "e"): text[end - 4] | 0x20 == UInt8(ascii: "c")
            case UInt8(ascii: "s"): text[end - 5] | 0x20 == UInt8(ascii: "c")
            case UInt8(ascii: "g"): text[end - 5] | 0x20 == UInt8(ascii: "n")
            default: false
            }
        return hint && barcodeNames.contains { ends(text, from: start, to: end, with: $0) }
    }

    private static func ends(
        _ text: Span<UInt8>, from start: Int, to end: Int, with ending: [UInt8]
    ) -> Bool {
        guard end - start >= ending.count else { return false }
        for index in ending.indices
        where text[end - ending.count + index] | 0x20 != ending[index] | 0x20 {
            return false
        }
        return true
    }

    private static let barcodeNames = [
        "barcode", "barcodes", "barcodescanning", "barcode_scanning",
    ].map { Array($0.utf8) }

    /// Writes a string, the strings in an array, and of each object the one that holds its code's
    /// text.
    private func writeCodes(at index: Int, to json: inout JSONWriter) {
        let document = payload.document
        let entry = document.tape[index]
        switch entry.tag {
        case .string: json.value(at: index, of: document)
        case .array:
            var element = index + 1
            while element < Int(entry.next) {
                writeCodes(at: element, to: &json)
                element = Int(document.tape[element].next)
            }
        case .object:
            let text = ["value", "code", "data", "text"].lazy
                .compactMap { document.value(of: $0, in: index) }
                .first { document.tape[$0].tag == .string }
            var name = index + 1
            while name < Int(entry.next) {
                if name + 1 == text
                    || Self.isBarcode(at: name, document.tape.span, document.bytes.span)
                {
                    writeCodes(at: name + 1, to: &json)
                } else {
                    writeBarcodes(in: name + 1, to: &json)
                }
                name = Int(document.tape[name + 1].next)
            }
        case .name, .number, .yes, .no, .null: break
        }
    }

    /// Writes the string at `index` of the tape, or null if it is missing or of another type.
    private func writeText(at index: Int?, to json: inout JSONWriter) {
        guard let index, case .string = payload.document.tape[index].tag else {
            return json.null()
        }
        json.value(at: index, of: payload.document)
    }

    /// Writes the number at `index` of the tape, or null if it is missing, of another type, or
    /// outside the range of common programs.
    private func writeNumber(at index: Int?, to json: inout JSONWriter) {
        guard let index, case .number = payload.document.tape[index].tag else {
            return json.null()
        }
        let text = payload.document.bytes[payload.document.tape[index].byteRange]
        if JSONNumber.isFinite(text) {
            json.value(at: index, of: payload.document)
        } else {
            json.null()
        }
    }
}

extension Schema {
    /// Dimmy's item (1.3).
    fileprivate static let dimmyItem = Schema(Contract.dimmy2024.fields, of: "response")

    /// The same with the times that Flux's webhooks have.
    fileprivate static let webhookItem = Schema(Contract.webhookItemFields, of: "response")

    /// The same in Flux's spelling.
    fileprivate static let fluxItem = Schema(Contract.flux.fields, of: "response")
}
