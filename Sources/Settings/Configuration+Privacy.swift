// The `privacy` key of a configuration file: whether health and location values are masked.

extension Configuration {
    /// How health and location values are stored.
    package enum Privacy: String, Sendable, CaseIterable {
        /// Unchanged.
        case off
        /// As pseudonyms; the original values are never written.
        case mask
    }

    /// Applies the key.
    mutating func apply(privacy root: inout ConfigurationSection) throws(ConfigurationError) {
        privacy = try root.choice("privacy") ?? privacy
    }

    /// Applies the environment: the key of pseudonyms, which must not be in a shared file.
    mutating func apply(privacy environment: [String: String]) throws(ConfigurationError) {
        guard let text = environment["LANDFALL_PRIVACY_KEY"] else { return }
        guard text.utf8.count >= PrivacyKey.shortestText else {
            throw .badValue(
                file: "environment", key: "LANDFALL_PRIVACY_KEY",
                expected: "a string of at least \(PrivacyKey.shortestText) characters, or not set")
        }
        privacyKey = text
    }
}
