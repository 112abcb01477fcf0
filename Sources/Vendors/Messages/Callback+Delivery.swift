// Which callbacks servers send to servers, by what is in them (vendor document 1.4).

import JSON

extension Callback {
    /// Whether the body is what Flux's webhook delivers: the ids of items, or an item itself.
    ///
    /// Apps send neither: a link carries an item in Base64. O(length).
    public var holdsDelivery: Bool {
        guard case .json(let bytes) = body, let root = try? JSONDocument(parsing: bytes).root,
            root.kind == .object
        else { return false }
        return root["item_ids"] != nil || DimmyItem.isItem(root)
    }
}
