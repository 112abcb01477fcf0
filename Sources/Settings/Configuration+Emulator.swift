// The `flows` and `emulator` sections of a configuration file.

import Vendors
import Yams

extension Configuration {
    /// Applies the section.
    package mutating func apply(flows section: inout ConfigurationSection)
        throws(ConfigurationError)
    {
        if let seconds = try section.number("lost_after_seconds", in: 1...604_800) {
            flowPatience = .seconds(seconds)
        }
        try section.refuseOthers()
    }

    /// Applies the section.
    package mutating func apply(
        emulator section: inout ConfigurationSection
    ) throws(ConfigurationError) {
        let expected = "a list of host names, without scheme and port"
        let hosts = try section.value("allowed_hosts", expected: expected) { node in
            Self.hosts(node)
        }
        if let hosts { emulator.allowedHosts = Set(hosts) }
        emulator.webhookURL = try section.value(
            "webhook_url", expected: "a URL that begins with http:// or https://"
        ) { node in
            node.string.flatMap { (try? CallbackURL($0))?.kind == .web ? $0 : nil }
        }
        emulator.webhookSecret = try section.value(
            "webhook_secret", expected: WebhookSecret.rule
        ) { node in
            node.string.flatMap { WebhookSecret($0) }
        }
        try section.refuseOthers()
    }

    /// Host names in lower case; nil if the node is not a list of them.
    package static func hosts(_ node: Node) -> [String]? {
        guard let nodes = node.sequence else { return nil }
        var hosts: [String] = []
        for node in nodes {
            guard let host = node.string?.lowercased(), !host.isEmpty,
                !host.contains(where: { "/:@ ".contains($0) })
            else { return nil }
            hosts.append(host)
        }
        return hosts
    }
}
