// The content of a valid statement. Left out: statements with errors, which have no effect.

extension AssetLinks {
    /// One statement: a permission that the site gives to a target.
    public struct Statement: Sendable, Hashable {
        /// The relations that are allowed, such as `delegate_permission/common.handle_all_urls`;
        /// never empty.
        public let relations: [String]

        /// The site or app that has the permission.
        public let target: Target

        /// Which links the app opens (Android 15); nil if only the app's manifest decides.
        public let dynamicRules: DynamicRules?

        /// The JSON pointer to the statement.
        public let pointer: String

        /// Whether it allows its target to open the site's links.
        public var letsOpenLinks: Bool { relations.contains(Relation.handleAllURLs) }
    }

    /// The target of a statement.
    public enum Target: Sendable, Hashable {
        /// A site as written: `https://host` or `http://host`, optionally with a port.
        case web(site: String)
        /// An app, by its package name and the certificates that may sign it.
        case androidApp(package: String, fingerprints: [String])
    }

    /// Another file of statements.
    ///
    /// Android follows the includes of a site's own file, but not those of an included file (AOSP,
    /// `StatementRetriever`).
    public struct Include: Sendable, Hashable {
        /// The file's URL, with https.
        public let url: String

        /// The JSON pointer to the member of the list.
        public let pointer: String
    }

    /// The relations that apps and browsers look up.
    public enum Relation {
        /// Opening the site's links.
        public static let handleAllURLs = "delegate_permission/common.handle_all_urls"

        /// Sharing passwords and passkeys.
        public static let loginCredentials = "delegate_permission/common.get_login_creds"

        /// Showing the site as an app, without an address bar.
        public static let useAsOrigin = "delegate_permission/common.use_as_origin"

        /// Sharing the user's location.
        public static let shareLocation = "delegate_permission/common.share_location"

        /// All of them.
        public static let usual = [handleAllURLs, loginCredentials, useAsOrigin, shareLocation]
    }
}
