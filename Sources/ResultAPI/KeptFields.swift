// The values of header fields as they are stored, and the keys by which requests are known that come
// again.
//
// Invariant: a key is stored as something that is equal for equal keys and tells nothing that must not
// be stored, so that a repetition is recognised by what the disk holds.

import Crypto
import ResultStore
import Vendors

/// What is kept of header fields.
package struct KeptFields: Sendable {
    /// Nil stores health and location values as they came.
    package let pseudonyms: Pseudonyms?

    package init(
        pseudonyms: Pseudonyms?
    ) {
        self.pseudonyms = pseudonyms
    }

    /// The value of the field `name`, without credentials and, where values are masked, without those.
    ///
    /// O(length).
    package func value(of name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> [UInt8] {
        let value = Array(value)
        if Self.isKey(name) {
            return Array(
                key(value, isDelivery: name.count != IdempotencyKey.fieldName.utf8.count).utf8)
        }
        let kept = Redaction.redact(value, ofField: name)
        guard let pseudonyms, !Redaction.isSecretField(name) else { return kept }
        return Masking.mask(kept, ofField: name, by: pseudonyms)
    }

    /// A key by which a request is known when it comes again, as it is stored.
    ///
    /// - Parameter isDelivery: whether it is the id of a webhook's delivery, which a vendor makes up and
    ///   which stays where it holds nothing that must not be stored.
    package func key(_ text: [UInt8], isDelivery: Bool) -> String {
        let redacted = Redaction.redactBody(text)
        guard let pseudonyms, !text.isEmpty else {
            return redacted == text ? String(decoding: text, as: UTF8.self) : Self.digest(of: text)
        }
        let name = Array((isDelivery ? "svix-id" : IdempotencyKey.fieldName).utf8)
        let isKept =
            isDelivery && Masking.mask(redacted, ofField: name[...], by: pseudonyms) == text
        return isKept
            ? String(decoding: text, as: UTF8.self)
            : String(decoding: Masking.pseudonym(of: text, by: pseudonyms), as: UTF8.self)
    }

    /// What stands for a key that holds a credential.
    private static func digest(of text: [UInt8]) -> String {
        let digits = SHA256.hash(data: text).prefix(8).map { octet in
            (octet < 0x10 ? "0" : "") + String(octet, radix: 16)
        }
        return Redaction.mark + digits.joined()
    }

    private static let keyNames = ([IdempotencyKey.fieldName] + WebhookFields.idNames)
        .map { Array($0.utf8) }

    private static func isKey(_ name: ArraySlice<UInt8>) -> Bool {
        keyNames.contains { key in
            key.count == name.count
                && zip(key, name).allSatisfy { $0 == ($1 &- 0x41 < 26 ? $1 | 0x20 : $1) }
        }
    }
}
