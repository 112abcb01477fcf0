// Recognises callbacks between servers by their content (vendor document 1.4).

import JSON

extension Callback {
    /// Whether the body is a delivery of Flux's webhook: the ids of items, or an item itself; or
    /// whether it is a list with such an element.
    ///
    /// Apps send neither: a link carries an item in Base64. O(length).
    public var holdsDelivery: Bool {
        guard let body, BodyKind.isJSON(body),
            let root = try? JSONDocument(parsing: body.bytes).root
        else { return false }
        return Self.isDelivery(root) || root.elements.contains(where: Self.isDelivery)
    }

    private static func isDelivery(_ node: JSONNode) -> Bool {
        node.kind == .object && (node["item_ids"] != nil || DimmyItem.isItem(node))
    }
}
