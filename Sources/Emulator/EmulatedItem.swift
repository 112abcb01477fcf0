// The item of an emulated flow as the vendor's server has it: in webhooks and the REST interface.
//
// Invariant: a flow has one item, that of its callback, so both show the same. Left out: the parsed
// item, which takes several times the memory of its text.

import Vendors

/// The item of a finished flow.
package struct EmulatedItem: Sendable {
    /// Maximum bytes of an item; a longer one, of a very long launch or edited value, is neither
    /// posted nor kept.
    package static let mostBytes = 128 * 1024

    let id: String
    /// The item as JSON.
    let json: [UInt8]
    let createdAt: String?
    let scannerAccountID: String
    let barcodes: [String]

    /// The bodies of the webhooks about it, as `WebhookMessage.all` has them.
    var webhooks: [[UInt8]] { [WebhookMessage.itemsScanned(ids: [id]).body, json] }

    /// Nil for an item that is too long.
    init?(_ item: ScannedItem) {
        json = WebhookMessage.fullItem(item).body
        guard json.count <= Self.mostBytes else { return nil }
        id = item.id ?? ""
        createdAt = item.createdAt
        scannerAccountID = item.scannerAccountID ?? ""
        barcodes = item.barcodes
    }

    /// The item of an app's scenario; nil if the vendor's server keeps none, or if it is too long.
    ///
    /// - Parameter edited: the value that a person sends instead.
    init?(of app: VendorApp, _ scenario: Scenario, edited: [UInt8]?) {
        guard scenario.end != nil, edited?.count ?? 0 <= Self.mostBytes,
            let item = app.keptItem(scenario, edited: edited)
        else { return nil }
        self.init(item)
    }
}
