// The item of a finished Dimmy or Flux flow as a typed value (vendor document 1.3).
//
// Invariant: a written item is read back unchanged, in either spelling. The schema is only partly
// public: members marked as inferred may have other names. Left out: unknown members; the decoded
// value keeps them.

import JSON

/// What a person scanned in a flow: photos, boxes, bar codes.
///
/// Dates are ISO 8601 text as the vendor writes them, with or without time zone.
public struct ScannedItem: Sendable, Equatable {
    /// The vendor's id, 24 hexadecimal digits; absent by design from a Flux callback.
    public var id: String?
    /// When the vendor stored the item.
    public var createdAt: String?
    /// When the vendor last changed the item.
    public var updatedAt: String?
    /// The account that owns the item.
    public var ownerID: String?
    /// The account that scanned it.
    public var scannerAccountID: String?
    /// The flow; absent for the flow of the device.
    public var flowID: String?
    /// The `code` of the launch; its name here is inferred.
    public var code: String?
    /// When the flow began; the vendor requires it.
    public var startedAt: String?
    /// When the flow ended; the vendor requires it.
    public var endedAt: String?
    /// The steps that took photos.
    public var photographing: [PhotoStep]?
    /// The steps that measured a box.
    public var dimensioning: [BoxStep]?
    /// The steps that read bar codes.
    public var barcodeScanning: [BarcodeStep]?
    /// The steps that weighed.
    public var weighing: [WeighingStep]?
    /// The steps that asked for text, a choice or a signature.
    public var customInputs: [CustomInput]?

    /// Creates an item without any member.
    public init() {}

    /// The box of the first step that has one; a skipped step has none.
    public var firstBox: Box? { dimensioning?.lazy.compactMap(\.box).first }

    /// The texts of all bar codes, in the order of the steps.
    public var barcodes: [String] {
        (barcodeScanning ?? []).flatMap { $0.barcodes ?? [] }.compactMap(\.value)
    }

    /// The URLs of all photos, which may still be uploading.
    public var photoURLs: [String] {
        (photographing ?? []).flatMap { $0.photos ?? [] }.compactMap(\.url)
    }

    /// Reads an item in either spelling; `usual` is assumed if the item is ambiguous.
    init(reading node: JSONNode, usually usual: NameSpelling) {
        let names = ["started_at", "ended_at", "barcode_scanning", "custom_inputs"]
        func uses(_ spelling: NameSpelling) -> Bool {
            names.contains { node[spelling.spelled($0)] != nil }
        }
        let spelling: NameSpelling =
            uses(.camelCase) ? .camelCase : uses(.snakeCase) ? .snakeCase : usual
        self.init(reading: node, as: spelling)
    }
}

extension ScannedItem: JSONModel {
    mutating func map(_ members: inout some JSONModelMap) {
        members.map("created_at", &createdAt)
        members.map("updated_at", &updatedAt)
        members.map("owner_id", &ownerID)
        members.map("_id", &id)
        members.map("scanner_account_id", &scannerAccountID)
        members.map("started_at", &startedAt)
        members.map("ended_at", &endedAt)
        members.map("flow_id", &flowID)
        members.map("code", &code)
        members.map("photographing", &photographing)
        members.map("dimensioning", &dimensioning)
        members.map("barcode_scanning", &barcodeScanning)
        members.map("weighing", &weighing)
        members.map("custom_inputs", &customInputs)
    }
}
