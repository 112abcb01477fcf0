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
        ] + itemFields(below: "response.", isCamelCase: true, times: .always)

    /// Section 1.4, V: the ids of items, or one item with the names of the REST interface.
    ///
    /// Nothing is promised, because a webhook has either ids or an item.
    static let fluxWebhookFields: [ContractField] =
        [
            ContractField("item_ids", .array),
            ContractField("item_ids.*", .string, .identifier),
        ] + itemFields(below: "", isCamelCase: false)

    /// The item of a webhook, below `response`; its times are required (1.3).
    static let webhookItemFields: [ContractField] =
        [ContractField("response", .object)]
        + itemFields(below: "response.", isCamelCase: false, times: .always)

    /// Section 1.3.
    ///
    /// - Parameter times: the presence of `started_at` and `ended_at`. V: required; Dimmy of 2024
    ///   sent items without them.
    private static func itemFields(
        below parent: String, isCamelCase: Bool, times: ContractField.Presence = .optional
    ) -> [ContractField] {
        func name(_ snake: String) -> String { parent + (isCamelCase ? camelCase(snake) : snake) }
        func field(
            _ path: String, _ types: WireTypes, _ fieldClass: FieldClass = .plain,
            _ presence: ContractField.Presence = .optional, isOpen: Bool = false
        ) -> ContractField {
            ContractField(name(path), types, fieldClass, presence, isOpen: isOpen)
        }
        func time(
            _ path: String, _ presence: ContractField.Presence = .optional
        ) -> ContractField {
            ContractField(name(path), .string, .plain, presence, isDateTime: true)
        }
        // V (key), I (format); absent from Flux's links by design.
        let identity =
            isCamelCase
            ? []
            : [
                field("_id", .string, .identifier), time("created_at"), time("updated_at"),
                field("owner_id", .string, .identifier),
                field("scanner_account_id", .string, .identifier),
                field("flow_id", .string, .identifier),
            ]
        return identity + [
            time("started_at", times), time("ended_at", times),
            // I: the `code` of the launch.
            field("code", [.string, .null], .identifier),
            // V; the address of a photo: I.
            field("photographing", .array), field("photographing.*", .object),
            field("photographing.*.flow_step_id", .string),
            time("photographing.*.started_at"), time("photographing.*.ended_at"),
            field("photographing.*.photos", .array),
            // V: Flux's are links.
            field("photographing.*.photos.*", isCamelCase ? [.object, .string] : .object),
            time("photographing.*.photos.*.date", .always),
            field("photographing.*.photos.*.url", .string, .identifier, .always),
            // V down to width, I for the rest.
            field("dimensioning", .array), field("dimensioning.*", .object, isOpen: true),
            field("dimensioning.*.flow_step_id", .string),
            time("dimensioning.*.started_at"), time("dimensioning.*.ended_at"),
            field("dimensioning.*.mode", .string),
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
