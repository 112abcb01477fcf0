// The secret that a webhook's receiver shares with its sender: `whsec_` and Base64 (vendor document
// 1.4). Invariant: never described, logged or compared as text.

import Crypto
import FoundationEssentials

/// A secret in Svix's format, ready to sign with.
package struct WebhookSecret: Sendable, Equatable {
    /// The prefix of a secret.
    static let prefix = "whsec_"

    /// The rule for a secret, for error messages.
    package static let rule =
        "\(prefix) and the Base64 of at least 16 bytes, as the sender shows it"

    package let key: SymmetricKey

    /// Parses a secret; nil for another format.
    package init?(_ text: some StringProtocol) {
        guard text.hasPrefix(Self.prefix),
            let octets = Data(base64Encoded: String(text.dropFirst(Self.prefix.count))),
            octets.count >= 16
        else { return nil }
        key = SymmetricKey(data: octets)
    }

    /// The rule for a list of secrets, for error messages.
    package static let listRule = "secrets separated by spaces or commas, each \(rule)"

    /// Parses a list of secrets; nil for an empty one, and if a secret is invalid.
    package static func list(_ text: String) -> [WebhookSecret]? {
        let texts = text.split { $0 == " " || $0 == "," }
        let secrets = texts.compactMap { WebhookSecret($0) }
        return !secrets.isEmpty && secrets.count == texts.count ? secrets : nil
    }
}
