// The secret that a webhook's endpoint shares with its sender: `whsec_` and Base64 (vendor document 1.4).
// Invariant: never described, logged or compared as text.

import Crypto
import FoundationEssentials

/// A secret of Svix's form, ready to sign with.
package struct WebhookSecret: Sendable, Equatable {
    /// What a secret begins with.
    package static let prefix = "whsec_"

    /// What is asked of a secret, for people.
    package static let rule =
        "\(prefix) and the Base64 of at least 16 octets, as the sender shows it"

    package let key: SymmetricKey

    /// Reads a secret; nil for another form.
    package init?(_ text: some StringProtocol) {
        guard text.hasPrefix(Self.prefix),
            let octets = Data(base64Encoded: String(text.dropFirst(Self.prefix.count))),
            octets.count >= 16
        else { return nil }
        key = SymmetricKey(data: octets)
    }
}
