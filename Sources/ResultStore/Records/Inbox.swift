// Names of inboxes.

import Text

/// The rule for inbox names.
package enum Inbox {
    /// The inbox of callbacks that name none.
    package static let defaultName = "default"

    /// The rule in words, as messages say it.
    package static let rule =
        "1 to 63 of a-z, 0-9, dot, underscore and hyphen, beginning with a letter or digit"

    /// Whether `name` matches `[a-z0-9][a-z0-9._-]{0,62}`.
    package static func isValid(_ name: String) -> Bool {
        let octets = name.utf8
        guard let first = octets.first, octets.count <= 63, isAlphanumeric(first) else {
            return false
        }
        return octets.allSatisfy { isAlphanumeric($0) || ".-_".utf8.contains($0) }
    }

    private static func isAlphanumeric(_ octet: UInt8) -> Bool {
        octet.isLowercaseLetter || octet.isDigit
    }
}
