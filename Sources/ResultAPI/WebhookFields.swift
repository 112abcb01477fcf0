// The three fields of a webhook delivery, with Svix's names or the unbranded ones (vendor document
// 1.4). If both are present, Svix's are used.

import HTTP1

/// The webhook fields of a request.
package struct WebhookFields: Sendable, Equatable {
    /// The message's id; the same for every attempt.
    package var id: String?
    /// Seconds since 1970-01-01T00:00:00Z, as text.
    package var timestamp: String?
    /// Entries separated by spaces, each `version,code`.
    package var signatures: String?

    private static let ids = [FieldName("svix-id"), FieldName("webhook-id")]
    private static let timestamps = [FieldName("svix-timestamp"), FieldName("webhook-timestamp")]
    private static let signatures = [FieldName("svix-signature"), FieldName("webhook-signature")]

    package init(id: String? = nil, timestamp: String? = nil, signatures: String? = nil) {
        self.id = id
        self.timestamp = timestamp
        self.signatures = signatures
    }

    /// Reads the fields of a request; empty fields count as missing.
    package init(_ request: Request) {
        id = Self.id(of: request)
        timestamp = Self.text(of: Self.timestamps, in: request)
        signatures = Self.text(of: Self.signatures, in: request)
    }

    /// The message's id; nil for a request that isn't a delivery.
    package static func id(of request: Request) -> String? {
        // Nearly all requests have no field with a name of this size.
        guard request.hasName(ofBytes: 7) || request.hasName(ofBytes: 10) else { return nil }
        return text(of: ids, in: request)
    }

    private static func text(of names: [FieldName], in request: Request) -> String? {
        for name in names {
            guard let value = request.first(name), !value.isEmpty else { continue }
            return String(decoding: value, as: UTF8.self)
        }
        return nil
    }

    /// Whether any of the three is present.
    package var isDelivery: Bool { id != nil || timestamp != nil || signatures != nil }

    /// The names of the missing fields.
    package var missingNames: [String] {
        [("svix-id", id), ("svix-timestamp", timestamp), ("svix-signature", signatures)]
            .filter { $0.1 == nil }.map(\.0)
    }
}
