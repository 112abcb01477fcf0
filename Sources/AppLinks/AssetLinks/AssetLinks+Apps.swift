// Which apps a file names, and whether one of them may open the site's links.

extension AssetLinks {
    /// An app that a valid statement names.
    public struct App: Sendable, Hashable {
        /// The name of its package.
        public let package: String

        /// The SHA-256 fingerprints of the certificates that may have signed it.
        public let fingerprints: [String]

        /// Whether this statement lets it open the site's links.
        public let opensLinks: Bool

        /// The JSON pointer to the statement.
        public let pointer: String
    }

    /// What the file says to an app that wants to open the site's links.
    public enum LinkPermission: Sendable, Hashable {
        /// It may, says the statement at `pointer`.
        case granted(pointer: String)
        /// It may, but not with this certificate: the statement at `pointer` lists others.
        case otherCertificate(pointer: String, fingerprints: [String])
        /// The statement at `pointer` names it for other purposes only.
        case otherRelation(pointer: String)
        /// No valid statement names it. One of the files in `includes` may.
        case notNamed
    }

    /// The apps that are named, one for each statement, in the order of the file.
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

    /// Whether an app may open the site's links, and which statement says so.
    ///
    /// - Parameters:
    ///   - package: the name of its package; case counts.
    ///   - fingerprint: the SHA-256 fingerprint of the certificate that signed it, in either case,
    ///     with or without colons.
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

    /// The first statement that lets an app open the site's links; nil when there is none.
    ///
    /// Its `dynamicRules` say which of them, on Android 15 or later.
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
