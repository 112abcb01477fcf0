// The rules by which a site selects the links that an app opens (Android 15, dynamic App Links).
//
// Sources: developer.android.com, "Configure website associations and dynamic rules", and where it
// is silent AOSP: `StatementParser`, `DalComponentParser`, `UriRelativeFilterGroup`. Left out: the
// app's manifest, whose hosts and paths no rule can extend.

extension AssetLinks {
    /// The ordered rules of one statement: `dynamic_app_link_components`.
    public struct DynamicRules: Sendable, Hashable {
        /// The rules, in the order of the file.
        public let rules: [DynamicRule]

        /// The JSON pointer to the list.
        public let pointer: String
    }

    /// One rule; it matches a link if all of its parts match.
    ///
    /// Patterns cover a whole part, are case-sensitive, and are compared with the percent-decoded
    /// part of the link: `*` is any text, `?` any one character, `?*` any non-empty text.
    public struct DynamicRule: Sendable, Hashable {
        /// The pattern of the path, `/`; nil for any path.
        public let path: String?

        /// The patterns of query items, `?`, in the order of the file; empty for any query.
        public let query: [QueryItem]

        /// The pattern of the fragment, `#`; nil for any fragment or none.
        public let fragment: String?

        /// Whether matching links stay in the browser.
        public let excludes: Bool

        /// The JSON pointer to the rule.
        public let pointer: String

        /// Whether a device can use it.
        ///
        /// A rule without parts, with an empty pattern or one of a wrong type never matches here.
        public let isUsable: Bool

        /// One member of `?`: a name, and the pattern of its value.
        public struct QueryItem: Sendable, Hashable {
            /// The item's name.
            public let name: String

            /// The pattern of its value.
            public let value: String
        }
    }

    /// The rules' decision about a link.
    public enum DynamicDecision: Sendable, Hashable {
        /// The app opens it, by the rule at `pointer` with the index `rule`.
        case claimed(rule: Int, pointer: String)
        /// It stays in the browser, by the rule at `pointer` with the index `rule`.
        case excluded(rule: Int, pointer: String)
        /// No rule matches, so it stays in the browser.
        case notClaimed
    }
}

extension AssetLinks.DynamicRule {
    /// Whether it matches every link.
    var isCatchAll: Bool {
        isUsable && query.isEmpty && fragment == nil
            && (path == "*" || path == "/*" || path == "**")
    }
}
