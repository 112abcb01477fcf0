// The bodies of Flux's webhooks (vendor document 1.4). Left out: the signature and its fields; the
// sender computes them from the exact bytes.

/// A message that the vendor's server posts to a partner's.
public enum WebhookMessage: Sendable, Equatable {
    /// Flows were uploaded: the ids of their items.
    case itemsScanned(ids: [String])
    /// A flow was uploaded: its item.
    case fullItem(ScannedItem)

    /// The messages for an item that was uploaded: a notification, and the item itself.
    public static func all(of item: ScannedItem) -> [WebhookMessage] {
        [.itemsScanned(ids: [item.id ?? ""]), .fullItem(item)]
    }

    /// The name of the event that a partner subscribes to.
    public var event: String {
        switch self {
        case .itemsScanned: "items.scanned"
        case .fullItem: "item.scanned.full_payload"
        }
    }

    /// The body, as JSON text: `{"item_ids":[…]}`, or the item itself with names in snake_case.
    public var body: [UInt8] {
        switch self {
        case .itemsScanned(let ids): ItemIDs(ids: ids).json()
        case .fullItem(let item): item.json()
        }
    }

    /// The body of `items.scanned`.
    private struct ItemIDs: JSONModel {
        var ids: [String]?

        init() {}
        init(ids: [String]) { self.ids = ids }

        mutating func map(_ members: inout some JSONModelMap) { members.map("item_ids", &ids) }
    }
}
