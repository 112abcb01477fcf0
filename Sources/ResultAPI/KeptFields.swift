// The stored form of header fields, and the keys that identify repeated requests.
//
// Invariant: equal keys are stored as equal text that reveals nothing that must not be stored, so
// that repetitions are recognised from the disk alone.

import Crypto
import ResultStore
import Text
import Vendors

/// Makes the stored form of header fields.
package struct KeptFields: Sendable {
    /// Nil stores health and location values unchanged.
    let pseudonyms: Pseudonyms?

    package init(pseudonyms: Pseudonyms?) {
        self.pseudonyms = pseudonyms
    }

    /// The stored value of the field `name`: without credentials, and masked if values are masked.
    ///
    /// O(length).
    package func value(
        of name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>
    ) -> ArraySlice<UInt8> {
        if IdempotencyKey.rank(of: name) != nil {
            let isDelivery = name.count != IdempotencyKey.fieldName.utf8.count
            return Array(key(Array(value), isDelivery: isDelivery).utf8)[...]
        }
        let kept = Redaction.redact(value, ofField: name)
        guard let pseudonyms, !Redaction.isSecretField(name) else { return kept }
        return Masking.mask(Array(kept), ofField: name, by: pseudonyms)[...]
    }

    /// The stored form of a key that identifies repetitions.
    ///
    /// - Parameter isDelivery: whether it is the id of a webhook delivery; the vendor generates it,
    ///   and it is kept unless it holds something that must not be stored.
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

    /// Replaces a key that holds a credential.
    private static func digest(of text: [UInt8]) -> String {
        Redaction.mark + Hexadecimal.text(SHA256.hash(data: text).prefix(8))
    }
}
