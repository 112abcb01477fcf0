// The fields of Dimmy and Flux: one item in two spellings (vendor document 1.2 to 1.4). Left out:
// the content of scanned codes, weights and inputs: only their structure is public.

extension Contract {
    /// Section 1.2, S.
    static let dimmyFields: [ContractField] =
        [ContractField("response", .object, .plain, .with(.completed))]
        + itemFields(below: "response.", isCamelCase: false)

    /// Section 1.2, V.
    static let fluxFields: [ContractField] =
        [
            ContractField("status", .string, .plain, .always, values: DimmyDecoder.statuses),
            ContractField(
                "error", .string, .plain, .with(.error), values: DimmyDecoder.reasons),
            ContractField("response", .object, .plain, .with(.completed)),
        ] + itemFields(below: "response.", isCamelCase: true)

    /// Section 1.4, V: the ids of items, or one item with the names of the REST interface.
    static let fluxWebhookFields: [ContractField] =
        [
            ContractField("item_ids", .array),
            ContractField("item_ids.*", .string, .identifier),
        ] + itemFields(below: "", isCamelCase: false)

    /// Section 1.3.
    private static func itemFields(
        below parent: String, isCamelCase: Bool
    ) -> [ContractField] {
        func name(_ snake: String) -> String { parent + (isCamelCase ? camelCase(snake) : snake) }
        func field(
            _ path: String, _ types: WireTypes, _ fieldClass: FieldClass = .plain,
            _ presence: ContractField.Presence = .optional, isOpen: Bool = false
        ) -> ContractField {
            ContractField(name(path), types, fieldClass, presence, isOpen: isOpen)
        }
        // V (key), I (format); absent from Flux's links by design.
        let identity =
            isCamelCase
            ? []
            : [
                field("_id", .string, .identifier), field("created_at", .string),
                field("updated_at", .string), field("owner_id", .string, .identifier),
                field("scanner_account_id", .string, .identifier),
                field("flow_id", .string, .identifier),
            ]
        // V: required; Dimmy of 2024 sent items without them, and webhooks may hold ids alone.
        let presence: ContractField.Presence = isCamelCase ? .always : .optional
        return identity + [
            field("started_at", .string, .plain, presence),
            field("ended_at", .string, .plain, presence),
            // I: the `code` of the launch.
            field("code", [.string, .null], .identifier),
            // V; the address of a photo: I.
            field("photographing", .array), field("photographing.*", .object),
            field("photographing.*.flow_step_id", .string),
            field("photographing.*.started_at", .string),
            field("photographing.*.ended_at", .string),
            field("photographing.*.photos", .array),
            // V: Flux's are links.
            field("photographing.*.photos.*", isCamelCase ? [.object, .string] : .object),
            field("photographing.*.photos.*.date", .string, .plain, .always),
            field("photographing.*.photos.*.url", .string, .identifier, .always),
            // V down to width, I for the rest.
            field("dimensioning", .array), field("dimensioning.*", .object, isOpen: true),
            field("dimensioning.*.flow_step_id", .string),
            field("dimensioning.*.started_at", .string),
            field("dimensioning.*.ended_at", .string), field("dimensioning.*.mode", .string),
            field("dimensioning.*.dimensions", [.object, .null], isOpen: !isCamelCase),
            field("dimensioning.*.dimensions.width", .number),
            field("dimensioning.*.dimensions.height", .number),
            field("dimensioning.*.dimensions.depth", .number),
            field("dimensioning.*.dimensions.unit", .string),
            // V for Flux's names, I for the others.
            field("barcode_scanning", .array, .identifier, isOpen: true),
            field("weighing", .array, isOpen: true),
            // Signatures come here as images.
            field("custom_inputs", .array, .identifier, isOpen: true),
        ]
    }

    /// `started_at` as `startedAt`; dots stay.
    private static func camelCase(_ name: String) -> String {
        var text = ""
        var isNext = false
        for character in name {
            if character == "_" {
                isNext = true
            } else {
                text += isNext ? character.uppercased() : String(character)
                isNext = false
            }
        }
        return text
    }
}
