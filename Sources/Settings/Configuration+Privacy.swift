// The `privacy` of a configuration file: whether health and location values are stored as they came.

extension Configuration {
    /// What is stored of health and location values.
    package enum Privacy: String, Sendable, CaseIterable {
        /// They are stored as they came.
        case off
        /// Pseudonyms are stored in their place; what came is never written.
        case mask
    }

    /// Applies the key.
    package mutating func apply(privacy root: inout ConfigurationSection) throws(ConfigurationError)
    {
        privacy = try root.choice("privacy") ?? privacy
    }

    /// Applies the environment: the key of pseudonyms, which belongs into no file that is shared.
    package mutating func apply(privacy environment: [String: String]) throws(ConfigurationError) {
        guard let text = environment["LANDFALL_PRIVACY_KEY"] else { return }
        guard text.utf8.count >= PrivacyKey.shortestText else {
            throw .badValue(
                file: "environment", key: "LANDFALL_PRIVACY_KEY",
                expected: "a text of at least \(PrivacyKey.shortestText) characters, or not set")
        }
        privacyKey = text
    }
}
