// Invented items of Dimmy's and Flux's flows. Invariant: the item was finished before the launch's
// time, and its steps lie within it in order.

import JSON

extension VendorApp {
    /// An item: a bar code, a box in metres and one or two photos.
    ///
    /// Flux's has no id (vendor document 1.3). The launch's `code` is the main bar code of Dimmy,
    /// and fills no bar code step of Flux (1.1). Other bar codes are invented, with the prefix that
    /// GS1 reserves for in-house use.
    public var item: ScannedItem {
        var random = SplitMix64(seed: seed)
        var item = emptyItem(&random)
        let start = time - 240
        let mainBarcode = contract == .flux ? nil : asked["code"]
        item.code = asked["code"]
        item.barcodeScanning = [Self.barcodeStep(mainBarcode ?? Self.barcode(&random))]
        item.dimensioning = [boxStep(at: start + 30, &random)]
        item.photographing = [photoStep(at: start + 80, count: random.integer(in: 1...2), &random)]
        item.weighing = []
        item.customInputs = []
        return item
    }

    /// An item whose steps were all skipped.
    var skippedItem: ScannedItem {
        var random = SplitMix64(seed: seed)
        var item = emptyItem(&random)
        item.photographing = []
        item.dimensioning = []
        item.barcodeScanning = []
        item.weighing = []
        item.customInputs = []
        return item
    }

    /// An item with a signature, as image data in the item itself.
    var signedItem: ScannedItem {
        var random = SplitMix64(seed: seed &+ 1)
        var item = item
        var drawing = "<svg xmlns=\"http://www.w3.org/2000/svg\"><path fill=\"none\" d=\"M0 0"
        for _ in 0..<6000 {
            drawing += "L\(random.integer(in: 100...999)) \(random.integer(in: 100...399))"
        }
        drawing += "\"/></svg>"
        let image = Base64Text.encode(drawing.utf8, urlSafe: false)
        var signature = ScannedItem.CustomInput()
        signature.flowStepID = "step-4"
        signature.name = "Signature"
        signature.value = "data:image/svg+xml;base64," + String(decoding: image, as: UTF8.self)
        item.customInputs = [signature]
        return item
    }

    /// An item with enough photos to make a link long.
    var itemWithManyPhotos: ScannedItem {
        var random = SplitMix64(seed: seed &+ 1)
        var item = item
        item.photographing = [photoStep(at: time - 160, count: 600, &random)]
        return item
    }

    /// Flux's callback.
    func flux(_ result: FluxCallback.Result) -> EmulatedAnswer {
        let outcome: Outcome =
            switch result {
            case .completed: .completed
            case .cancelled: .cancelled
            case .error: .error
            }
        return EmulatedAnswer(query: FluxCallback(result).callbackQuery, outcome: outcome)
    }

    /// The callback of Dimmy before it became Flux.
    func dimmy(_ item: ScannedItem) -> EmulatedAnswer {
        EmulatedAnswer(query: DimmyCallback(item).callbackQuery, outcome: .completed)
    }

    /// The item of the callback that a scenario sends.
    func scannedItem(in scenario: Scenario) -> ScannedItem {
        switch scenario {
        case .empty: skippedItem
        case .huge: contract == .flux ? signedItem : itemWithManyPhotos
        default: item
        }
    }

    /// The item as on the vendor's server: that of the callback, with ids and storage times.
    ///
    /// Dimmy's callback has them too.
    ///
    /// - Parameter edited: the value that a person sends instead; without an item in it, the
    ///   scenario's counts.
    func storedItem(_ scenario: Scenario, edited: [UInt8]? = nil) -> ScannedItem {
        var random = SplitMix64(seed: seed &+ 2)
        var item = edited.flatMap(editedItem) ?? scannedItem(in: scenario)
        if item.id == nil { addIDs(to: &item, &random) }
        return item
    }

    private func editedItem(_ value: [UInt8]) -> ScannedItem? {
        guard let root = try? JSONDocument(parsing: value).root, root.kind == .object else {
            return nil
        }
        return ScannedItem(reading: root, usually: contract == .flux ? .camelCase : .snakeCase)
    }

    /// The webhooks that Flux's server posts for a finished flow.
    public var webhooks: [WebhookMessage] {
        keptItem(.completed).map(WebhookMessage.all(of:)) ?? []
    }

    /// An item without steps: times, and for Dimmy also ids.
    private func emptyItem(_ random: inout SplitMix64) -> ScannedItem {
        var item = ScannedItem()
        item.startedAt = UTCText.zulu(time - 240)
        item.endedAt = UTCText.zulu(time - Int64(random.integer(in: 5...20)))
        if contract != .flux { addIDs(to: &item, &random) }
        return item
    }

    private func addIDs(to item: inout ScannedItem, _ random: inout SplitMix64) {
        item.createdAt = UTCText.microseconds(time - 2, random.integer(in: 0...499_999))
        item.updatedAt = UTCText.microseconds(time - 2, random.integer(in: 500_000...999_999))
        item.ownerID = random.hexadecimal(24)
        item.id = random.hexadecimal(24)
        item.scannerAccountID = random.hexadecimal(24)
        item.flowID = asked["flow"].flatMap { $0 == "default" ? nil : $0 }
    }

    private static func barcodeStep(_ code: String) -> ScannedItem.BarcodeStep {
        var (step, barcode) = (ScannedItem.BarcodeStep(), ScannedItem.Barcode())
        barcode.value = code
        step.flowStepID = "step-1"
        step.barcodes = [barcode]
        return step
    }

    private func boxStep(at start: Int64, _ random: inout SplitMix64) -> ScannedItem.BoxStep {
        var (step, box) = (ScannedItem.BoxStep(), ScannedItem.Box())
        box.width = random.decimal(in: 50...1200, by: 1000)
        box.height = random.decimal(in: 30...800, by: 1000)
        box.depth = random.decimal(in: 50...1000, by: 1000)
        if contract == .flux { box.unit = "m" }
        step.flowStepID = "step-2"
        step.startedAt = UTCText.zulu(start)
        step.endedAt = UTCText.zulu(start + Int64(random.integer(in: 10...45)))
        step.box = box
        return step
    }

    private func photoStep(
        at start: Int64, count: Int, _ random: inout SplitMix64
    ) -> ScannedItem.PhotoStep {
        var step = ScannedItem.PhotoStep()
        step.flowStepID = "step-3"
        step.startedAt = UTCText.zulu(start)
        step.endedAt = UTCText.zulu(start + 120)
        step.photos = (0..<count).map { index in
            var photo = ScannedItem.Photo()
            photo.date = UTCText.zulu(start + 1 + Int64(index % 119))
            photo.url = "https://images.example.com/\(random.hexadecimal(24)).jpg"
            return photo
        }
        return step
    }

    private static func barcode(_ random: inout SplitMix64) -> String {
        barcode((0..<9).map { _ in random.integer(in: 0...9) })
    }

    /// The in-house bar code for a number; numbers with the same last nine digits give the same
    /// code.
    public static func barcode(_ number: UInt64) -> String {
        let digits = String(number % 1_000_000_000).compactMap(\.wholeNumberValue)
        return barcode(Array(repeating: 0, count: 9 - digits.count) + digits)
    }

    /// An EAN-13 with check digit (GS1 General Specifications 7.9), from nine digits after the
    /// prefix.
    private static func barcode(_ nine: [Int]) -> String {
        let digits = [2, 0, 0] + nine
        let sum = digits.enumerated().reduce(0) { $0 + $1.element * ($1.offset % 2 == 0 ? 1 : 3) }
        return (digits + [(10 - sum % 10) % 10]).map(String.init).joined()
    }

    /// An item of which one layer is broken.
    func malformedItem(_ layer: Diagnostic.Layer) -> [UInt8] {
        let isFlux = contract == .flux
        var json = item.json(as: isFlux ? .camelCase : .snakeCase)
        json = Self.malformed(json, layer)
        if layer == .model { json = Self.replacingWidth(in: json) }
        var text = Base64Text.encode(json, urlSafe: isFlux)
        if layer == .base64 {
            // A single Base64 character encodes no byte.
            text.removeLast(text.count - (text.count / 4 - 1) * 4 - 1)
        }
        if layer == .percent { text += Array("%3".utf8) }
        var query = QueryWriter()
        if isFlux { query.add("status", "completed") }
        query.add("response", escaped: text)
        return query.bytes
    }

    /// The item with its width as a text with a decimal comma.
    private static func replacingWidth(in json: [UInt8]) -> [UInt8] {
        let name = Array("\"width\":".utf8)
        let starts = json.indices.first { json[$0...].starts(with: name) }
        guard let start = starts.map({ $0 + name.count }),
            let end = json[start...].firstIndex(of: UInt8(ascii: ","))
        else { return json }
        let number = json[start..<end].map { $0 == UInt8(ascii: ".") ? UInt8(ascii: ",") : $0 }
        let quote = [UInt8(ascii: "\"")]
        return json[..<start] + quote + number + quote + json[end...]
    }
}
