// What a valid statement says. Left out: statements with errors; they say nothing.

extension AssetLinks {
    /// One statement: what the site allows somebody to do.
    public struct Statement: Sendable, Hashable {
        /// What is allowed, such as `delegate_permission/common.handle_all_urls`; never empty.
        public let relations: [String]

        /// Who is allowed to.
        public let target: Target

        /// Which links an app is to open (Android 15); nil when the app's manifest alone decides.
        public let dynamicRules: DynamicRules?

        /// The JSON pointer to the statement.
        public let pointer: String

        /// Whether it lets its target open the site's links.
        public var letsOpenLinks: Bool { relations.contains(Relation.handleAllURLs) }
    }

    /// Whom a statement is about.
    public enum Target: Sendable, Hashable {
        /// A site, as it was written: `https://host` or `http://host`, maybe with a port.
        case web(site: String)
        /// An app, by the name of its package and the certificates that may have signed it.
        case androidApp(package: String, fingerprints: [String])
    }

    /// A further file of statements.
    ///
    /// Android follows the includes of a site's own file, but not those of a file that was included
    /// (AOSP, `StatementRetriever`).
    public struct Include: Sendable, Hashable {
        /// The file's address, with https.
        public let url: String

        /// The JSON pointer to the member of the list.
        public let pointer: String
    }

    /// The relations that apps and browsers look for.
    public enum Relation {
        /// Opening the site's links.
        public static let handleAllURLs = "delegate_permission/common.handle_all_urls"

        /// Sharing passwords and passkeys.
        public static let loginCredentials = "delegate_permission/common.get_login_creds"

        /// Showing the site as an app, without an address bar.
        public static let useAsOrigin = "delegate_permission/common.use_as_origin"

        /// Passing the user's location on.
        public static let shareLocation = "delegate_permission/common.share_location"

        /// All of them.
        public static let usual = [handleAllURLs, loginCredentials, useAsOrigin, shareLocation]
    }
}
