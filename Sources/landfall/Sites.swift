// The link files of the hosted domains: read once, checked to be there, served byte for byte.

import FoundationEssentials
import HTTP1

/// All sites, by host.
struct Sites: Sendable {
    /// One hosted domain.
    struct Site: Sendable {
        var association: StaticResource?
        var assetLinks: StaticResource?
    }

    private let byHost: [String: Site]
    private let fallback: Site?

    /// The domains, sorted.
    var domains: [String] { byHost.keys.sorted() }

    /// Reads `folder`, in which each folder is named after a domain.
    ///
    /// - Parameter fallback: the domain that answers for unknown hosts; nil for none.
    ///
    /// Throws `unreadable` for files that can't be read, `badValue` when `fallback` is no site.
    init(folder: String, fallback: String?, configuration file: String) throws(ConfigurationError) {
        var sites: [String: Site] = [:]
        for domain in try Folder.list(folder) where Folder.isFolder(folder + "/" + domain) {
            let path = folder + "/" + domain
            sites[domain.lowercased()] = Site(
                association: try Self.resource(path + "/apple-app-site-association"),
                assetLinks: try Self.resource(path + "/assetlinks.json"))
        }
        if let fallback, sites[fallback] == nil {
            let known = sites.keys.sorted().joined(separator: ", ")
            throw .badValue(
                file: file, key: "sites.default", expected: "a folder of \(folder): \(known)")
        }
        byHost = sites
        self.fallback = fallback.flatMap { sites[$0] }
    }

    /// Answers for `apple-app-site-association` on a host; 404 where its site has none.
    func association(for request: Request, on host: String) throws(Problem) -> Response {
        guard let file = (byHost[host] ?? fallback)?.association else { throw Self.missing }
        return try Application.serve(file, request)
    }

    /// Answers for `assetlinks.json` on a host; 404 where its site has none.
    func assetLinks(for request: Request, on host: String) throws(Problem) -> Response {
        guard let file = (byHost[host] ?? fallback)?.assetLinks else { throw Self.missing }
        return try Application.serve(file, request)
    }

    private static let missing = Problem(
        status: .notFound, kind: "unknown-site",
        detail: "No site of this host has such a file; sites are folders in Config/sites.")

    /// Apple and Google ask for `application/json`, and for no redirect.
    ///
    /// An hour of caching keeps what is served close to what is configured.
    private static func resource(_ path: String) throws(ConfigurationError) -> StaticResource? {
        guard let content = try Folder.content(ofOptional: path) else { return nil }
        return StaticResource(
            content, contentType: "application/json", entityTag: EntityTag.of(content),
            lastModified: Folder.lastModified(path),
            fields: [
                ("Cache-Control", "public, max-age=3600"), ("X-Content-Type-Options", "nosniff"),
            ])
    }
}
