// The `forward` section of a configuration file: which callbacks are sent on, and where to.

import ResultStore
import Vendors

extension Configuration {
    /// A rule that sends stored callbacks on.
    package struct ForwardRule: Sendable, Equatable {
        /// A back end that gets them.
        package struct Target: Sendable, Equatable {
            package var url: String
            /// Whether a callback waits until the earlier ones have arrived or were given up.
            package var isOrdered = false
            /// Delay after the first failure; each further one doubles it.
            package var retryMilliseconds = 500
            /// How long a callback is tried.
            package var giveUpSeconds = 86_400

            package init(url: String) { self.url = url }
        }

        package var name: String
        /// Nil for all vendors.
        package var vendor: Vendor?
        /// Nil for all inboxes.
        package var inbox: String?
        /// A query that callbacks must match too.
        package var query: String?
        package var targets: [Target]
    }

    /// Reads the rules.
    mutating func apply(
        forward sections: [ConfigurationSection]
    ) throws(ConfigurationError) {
        for var section in sections {
            let rule = try Self.forwardRule(&section)
            guard !forward.contains(where: { $0.name == rule.name }) else {
                throw section.error("name", "a name that no other rule has")
            }
            forward.append(rule)
        }
    }

    private static func forwardRule(
        _ section: inout ConfigurationSection
    ) throws(ConfigurationError) -> ForwardRule {
        func inbox(_ key: String) throws(ConfigurationError) -> String? {
            try section.value(key, expected: Inbox.rule) {
                $0.string.flatMap { Inbox.isValid($0) ? $0 : nil }
            }
        }
        let name = try inbox("name")
        var rule = ForwardRule(
            name: name ?? "", vendor: try section.choice("vendor"), inbox: try inbox("inbox"),
            query: try section.text("q"), targets: [])
        for var target in try section.sections("targets") ?? [] {
            rule.targets.append(try forwardTarget(&target))
        }
        try section.refuseOthers()
        guard name != nil else { throw section.error("name", "given: the rule's own name") }
        let places = rule.targets.map { $0.url.prefix { $0 != "?" } }
        guard !places.isEmpty, Set(places).count == places.count else {
            throw section.error(
                "targets", "a list of one or more URLs, of which no two differ in their query only")
        }
        return rule
    }

    private static func forwardTarget(
        _ section: inout ConfigurationSection
    ) throws(ConfigurationError) -> ForwardRule.Target {
        let url = try section.value(
            "url",
            expected: "a URL that begins with http:// or https://, without a user or fragment"
        ) { node in
            node.string.flatMap { text in
                (try? CallbackURL(text))?.kind == .web && !text.contains("#")
                    && !Self.hasUser(text) ? text : nil
            }
        }
        guard let url else { throw section.error("url", "given: where callbacks are sent to") }
        var target = ForwardRule.Target(url: url)
        target.isOrdered = try section.flag("ordered") ?? target.isOrdered
        target.retryMilliseconds =
            try section.number("retry_milliseconds", in: 1...60_000) ?? target.retryMilliseconds
        target.giveUpSeconds =
            try section.number("give_up_seconds", in: 0...2_592_000) ?? target.giveUpSeconds
        try section.refuseOthers()
        return target
    }
}

extension Configuration.ForwardRule {
    /// The rule as `landfall config show` lists it; queries of URLs may be secret.
    var members: [SettingValue.Member] {
        var members = [SettingValue.Member(name: "name", text: name)]
        if let vendor { members.append(.init(name: "vendor", text: vendor.rawValue)) }
        if let inbox { members.append(.init(name: "inbox", text: inbox)) }
        if let query { members.append(.init(name: "q", text: query)) }
        let urls = targets.map { String($0.url.prefix { $0 != "?" }) }
        return members + [.init(name: "targets", text: urls.joined(separator: ", "))]
    }
}
