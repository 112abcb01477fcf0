// The `flows`, `emulator`, `dimmy` and `welltory` sections of a configuration file.

import HTTP1
import Vendors
import Yams

extension Configuration {
    /// Applies the section.
    mutating func apply(flows section: inout ConfigurationSection)
        throws(ConfigurationError)
    {
        if let seconds = try section.number("lost_after_seconds", in: 1...604_800) {
            flowPatience = .seconds(seconds)
        }
        try section.refuseOthers()
    }

    /// Applies the section.
    mutating func apply(
        emulator section: inout ConfigurationSection
    ) throws(ConfigurationError) {
        let hosts = try section.value("allowed_hosts", expected: Self.hostsRule) { node in
            Self.hosts(node)
        }
        if let hosts { emulator.allowedHosts = Set(hosts) }
        emulator.webhookURL = try section.value(
            "webhook_url", expected: "a URL that begins with http:// or https://, without a user"
        ) { node in
            node.string.flatMap { text in
                (try? CallbackURL(text))?.kind == .web && !Self.hasUser(text) ? text : nil
            }
        }
        emulator.webhookSecret = try section.value(
            "webhook_secret", expected: WebhookSecret.rule
        ) { node in
            node.string.flatMap { WebhookSecret($0) }
        }
        try section.refuseOthers()
    }

    /// Whether a URL has a user name or a password before its host, which requests can't have.
    static func hasUser(_ url: String) -> Bool {
        let rest = url.drop { $0 != "/" }.drop { $0 == "/" }
        return rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }.contains("@")
    }

    /// Applies the section.
    mutating func apply(
        dimmy section: inout ConfigurationSection
    ) throws(ConfigurationError) {
        let keys = try section.value(
            "api_keys", expected: "a list of at least one key, each of printable ASCII"
        ) { node -> [String]? in
            let texts = node.sequence?.map { $0.string ?? "" } ?? []
            let isValid = texts.allSatisfy { text in
                !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            }
            return isValid && !texts.isEmpty ? texts : nil
        }
        if let keys { dimmyKeys = keys }
        try section.refuseOthers()
    }

    /// Applies the section.
    mutating func apply(
        welltory section: inout ConfigurationSection
    ) throws(ConfigurationError) {
        if let sections = try section.sections("partners") {
            var partners: [RegisteredPartner] = []
            for var section in sections {
                let source = try section.text("source")
                let callbacks = try section.value(
                    "callbacks", expected: "a list of whole URLs, or of Android package/activity"
                ) { node in
                    Self.callbacks(node)
                }
                try section.refuseOthers()
                guard let source, !partners.contains(where: { $0.source == source }) else {
                    throw section.error("source", "given, and different from the earlier partners'")
                }
                guard let callbacks else {
                    throw section.error("callbacks", "given: a list of URLs")
                }
                partners.append(RegisteredPartner(source: source, callbacks: callbacks))
            }
            guard !partners.isEmpty else {
                throw section.error("partners", "a list of at least one partner")
            }
            welltoryPartners = partners
        }
        try section.refuseOthers()
    }

    private static func callbacks(_ node: Node) -> [String]? {
        guard let texts = node.sequence?.map(\.string), !texts.isEmpty else { return nil }
        let callbacks = texts.compactMap(\.self).filter { text in
            (try? CallbackURL(text)).map { $0.kind != .refused } ?? false
        }
        return callbacks.count == texts.count ? callbacks : nil
    }

    /// The rule for `hosts`, for error messages.
    static let hostsRule = "a list of host names, without scheme, port and wildcard"

    /// Host names as requests spell them; nil if the node is not a list of them.
    static func hosts(_ node: Node) -> [String]? {
        guard let nodes = node.sequence else { return nil }
        let hosts = nodes.compactMap { $0.string.flatMap(Authority.hostName) }
            .filter { !$0.contains(":") }
        return hosts.count == nodes.count ? hosts : nil
    }
}
