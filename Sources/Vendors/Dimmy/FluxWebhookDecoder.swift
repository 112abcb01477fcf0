// Decodes Flux's webhook: the ids of scanned items, or one whole item, posted as JSON (vendor
// document 1.4).
//
// Invariant: `item_ids`, the delivery's id or the receiver's expected contract distinguishes it
// from a posted item. Left out: the signature, which covers the bytes of the body and needs a key.

import JSON

/// The decoder of the `flux-webhook` contract.
enum FluxWebhookDecoder {
    /// Whether a message is a webhook delivery.
    static func applies(to message: Message, _ pinned: Contract?) -> Bool {
        if message.has("response") || message.has("status") { return false }
        guard let root = message.body?.document.root else { return message.webhookID != nil }
        if root["item_ids"] != nil || message.webhookID != nil { return true }
        guard pinned == .fluxWebhook, root["response"] == nil, root["status"] == nil else {
            return false
        }
        return DimmyItem.spelling(of: root[0] ?? root) != .camelCase
    }

    /// Decodes a message.
    static func decode(_ message: inout Message) -> Decoding {
        message.resolveDuplicates(keeping: .first)
        guard var body = message.body else {
            if !message.hasLostBody {
                message.findings.add(
                    .error, .body, "missing_body", in: .body, at: 0,
                    expected: "JSON: item_ids, or an item", found: "no content",
                    hint: "the webhook is a POST with a JSON body")
            }
            return decoding(nil, nil, message)
        }
        let root = body.document.root
        guard DimmyItem.isArrayOfItems(root) || body.requireObject(&message.findings) else {
            return decoding(nil, nil, message)
        }
        var json = JSONWriter(ofDocument: body.document.bytes.count + 256)
        json.beginObject()
        var outcome = Outcome.completed
        if let ids = root["item_ids"] {
            check(ids, body, &message.findings)
            if ids.kind == .array, ids.count == 0 { outcome = .empty }
            body.keepMembers(.first, &message.findings)
            body.addSwappedCoordinates(to: &message.findings)
            writeMembers(of: body, to: &json, &message.findings)
        } else {
            if !DimmyItem.isItem(root) {
                body.add(
                    .warning, "not_an_item", about: root,
                    expected: "item_ids, or an item with started_at and ended_at",
                    to: &message.findings)
            }
            let item = DimmyItem(body, findings: &message.findings)
            let isOfWebhook = DimmyItem.isItem(root) && item.spelling != .camelCase
            item.write(
                to: &json, usually: .snakeCase, isOfWebhook: isOfWebhook,
                findings: &message.findings)
            body = item.payload
        }
        DimmyDecoder.writeContext(of: &message, and: body, to: &json)
        json.endObject()
        return decoding(outcome, json, message)
    }

    private static func decoding(
        _ outcome: Outcome?, _ value: JSONWriter?, _ message: Message
    ) -> Decoding {
        Decoding(
            contract: .fluxWebhook, outcome: outcome, value: value, findings: message.findings)
    }

    /// Warns if `ids` isn't a list of at least one string.
    private static func check(_ ids: JSONNode, _ body: Payload, _ findings: inout Findings) {
        guard ids.kind == .array, ids.count > 0 else {
            return body.add(
                .warning, ids.kind == .array ? "empty_list" : "wrong_type", about: ids,
                expected: "an array of at least one id",
                found: ids.kind == .array ? "an empty array" : nil, to: &findings)
        }
        for id in ids.elements where id.kind != .string {
            return body.add(
                .warning, "wrong_type", about: id, expected: "an id as a string", to: &findings)
        }
    }

    /// Writes the body's members unchanged, except those that are written separately.
    private static func writeMembers(
        of body: Payload, to json: inout JSONWriter, _ findings: inout Findings
    ) {
        for member in body.document.root.members {
            let name = member.name.string ?? ""
            if name != "item_ids" {
                body.add(
                    .info, "unknown_member", about: member.value, expected: "item_ids alone",
                    found: Excerpt.quoted(Array(name.utf8)[...]), to: &findings)
            }
            if name == "context" || name == "duplicates" { continue }
            json.key(name)
            json.value(member.value)
        }
    }
}
