// Recognises callbacks between servers by their content (vendor document 1.4).

import JSON

extension Callback {
    /// Whether the body is a delivery of Flux's webhook: the ids of items, or an item itself; or
    /// whether it is a list with such an element.
    ///
    /// It is read as the decoder reads it, without the layers that the decoder removes. Apps send
    /// neither: a link carries an item in Base64. O(length).
    ///
    /// - Parameter pinned: the contract that the receiver expects.
    public func holdsDelivery(at pinned: Contract? = nil) -> Bool {
        guard body != nil else { return false }
        if Contract.isWebhook(pinned?.rawValue) { return true }
        let message = Message(self)
        if FluxWebhookDecoder.applies(to: message, pinned) { return true }
        guard let root = message.body?.document.root else { return false }
        return Self.isDelivery(root) || root.elements.contains(where: Self.isDelivery)
    }

    private static func isDelivery(_ node: JSONNode) -> Bool {
        node.kind == .object && (node["item_ids"] != nil || DimmyItem.isItem(node))
    }
}
