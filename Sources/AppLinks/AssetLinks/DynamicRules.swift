// Which of a site's links an app is to open, as the site says it (Android 15, dynamic App Links).
//
// Sources: developer.android.com, "Configure website associations and dynamic rules", and for what
// it leaves open AOSP: `StatementParser`, `DalComponentParser`, `UriRelativeFilterGroup`. Left out:
// the app's manifest, whose hosts and paths no rule can widen.

extension AssetLinks {
    /// The ordered rules of one statement: `dynamic_app_link_components`.
    public struct DynamicRules: Sendable, Hashable {
        /// The rules, in the order of the file.
        public let rules: [DynamicRule]

        /// The JSON pointer to the list.
        public let pointer: String
    }

    /// One rule; it matches a link when all of its parts do.
    ///
    /// Patterns cover a whole part, letter case counts, and the link's part is percent-decoded:
    /// `*` is any text, `?` any one character, `?*` any text but none.
    public struct DynamicRule: Sendable, Hashable {
        /// The pattern of the path, `/`; nil for any path.
        public let path: String?

        /// The patterns of query items, `?`, in the order of the file; empty for any query.
        public let query: [QueryItem]

        /// The pattern of the fragment, `#`; nil for any fragment, and for none.
        public let fragment: String?

        /// Whether links that match stay in the browser.
        public let excludes: Bool

        /// The JSON pointer to the rule.
        public let pointer: String

        /// Whether a device can use it.
        ///
        /// A rule that has no part, an empty pattern or one of a wrong type never matches here.
        public let isUsable: Bool

        /// One member of `?`: a name, and the pattern of its value.
        public struct QueryItem: Sendable, Hashable {
            /// The item's name.
            public let name: String

            /// The pattern of its value.
            public let value: String
        }
    }

    /// What the rules say of a link.
    public enum DynamicDecision: Sendable, Hashable {
        /// The app is to open it, says the rule at `pointer`, the `rule`-th from 0.
        case claimed(rule: Int, pointer: String)
        /// It stays in the browser, says the rule at `pointer`, the `rule`-th from 0.
        case excluded(rule: Int, pointer: String)
        /// No rule matches, so that it stays in the browser.
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
