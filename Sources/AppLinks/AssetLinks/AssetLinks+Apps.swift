// The apps that a file names, and whether one of them may open the site's links.

extension AssetLinks {
    /// An app in a valid statement.
    public struct App: Sendable, Hashable {
        /// The package name.
        public let package: String

        /// The SHA-256 fingerprints of the certificates that may sign it.
        public let fingerprints: [String]

        /// Whether this statement allows it to open the site's links.
        public let opensLinks: Bool

        /// The JSON pointer to the statement.
        public let pointer: String
    }

    /// Whether the file allows an app to open the site's links.
    public enum LinkPermission: Sendable, Hashable {
        /// The statement at `pointer` allows it.
        case granted(pointer: String)
        /// The statement at `pointer` allows it for other certificates only.
        case otherCertificate(pointer: String, fingerprints: [String])
        /// The statement at `pointer` names the app for other relations only.
        case otherRelation(pointer: String)
        /// No valid statement names the app; one of the files in `includes` may.
        case notNamed
    }

    /// The apps in the statements, one for each statement, in the order of the file.
    public var apps: [App] {
        statements.compactMap { statement in
            guard case .androidApp(let package, let fingerprints) = statement.target else {
                return nil
            }
            return App(
                package: package, fingerprints: fingerprints, opensLinks: statement.letsOpenLinks,
                pointer: statement.pointer)
        }
    }

    /// Whether an app may open the site's links, and which statement decides.
    ///
    /// - Parameters:
    ///   - package: the package name; case-sensitive.
    ///   - fingerprint: the SHA-256 fingerprint of the certificate that signed it, in uppercase or
    ///     lowercase, with or without colons.
    public func linkPermission(package: String, fingerprint: String) -> LinkPermission {
        if let statement = linkStatement(package: package, fingerprint: fingerprint) {
            return .granted(pointer: statement.pointer)
        }
        let named = apps.filter { $0.package == package }
        if let other = named.first(where: \.opensLinks) {
            return .otherCertificate(pointer: other.pointer, fingerprints: other.fingerprints)
        }
        return named.first.map { .otherRelation(pointer: $0.pointer) } ?? .notNamed
    }

    /// The first statement that allows an app to open the site's links; nil if absent.
    ///
    /// On Android 15 or later, its `dynamicRules` select the links.
    public func linkStatement(package: String, fingerprint: String) -> Statement? {
        let wanted = Fingerprint.digits(of: fingerprint)
        return statements.first { statement in
            guard statement.letsOpenLinks,
                case .androidApp(package, let fingerprints) = statement.target
            else { return false }
            return fingerprints.contains { Fingerprint.digits(of: $0) == wanted }
        }
    }
}
