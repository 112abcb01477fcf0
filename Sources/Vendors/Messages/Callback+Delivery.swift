// Recognises callbacks between servers by their content (vendor document 1.4).

import JSON

extension Callback {
    /// Whether the body is a delivery of Flux's webhook: the ids of items, or an item itself.
    ///
    /// Apps send neither: a link carries an item in Base64. O(length).
    public var holdsDelivery: Bool {
        guard case .json(let bytes) = body, let root = try? JSONDocument(parsing: bytes).root,
            root.kind == .object
        else { return false }
        return root["item_ids"] != nil || DimmyItem.isItem(root)
    }
}
