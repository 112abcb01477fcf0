// The `webhooks` section of a configuration file: the secrets that sign deliveries. Invariant: an
// error never repeats a secret or a part of one.

extension Configuration {
    /// Applies the section.
    mutating func apply(
        webhooks section: inout ConfigurationSection
    ) throws(ConfigurationError) {
        let expected = "a list of secrets, each \(WebhookSecret.rule)"
        let secrets = try section.value("secrets", expected: expected) { node in
            node.sequence.flatMap { list in
                let secrets = list.compactMap { $0.string.flatMap { WebhookSecret($0) } }
                return secrets.count == list.count ? secrets : nil
            }
        }
        webhookSecrets = secrets ?? webhookSecrets
        try section.refuseOthers()
    }

    /// Applies the environment: secrets separated by spaces or commas.
    mutating func apply(webhooks environment: [String: String]) throws(ConfigurationError) {
        guard let text = environment["LANDFALL_WEBHOOK_SECRETS"] else { return }
        guard let secrets = WebhookSecret.list(text) else {
            throw .badValue(
                file: "environment", key: "LANDFALL_WEBHOOK_SECRETS",
                expected: WebhookSecret.listRule)
        }
        webhookSecrets = secrets
    }
}
