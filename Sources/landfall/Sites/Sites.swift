// The link files of the hosted domains, by host: what one request finds.

import FoundationEssentials
import HTTP1

/// All sites, by host.
struct Sites: Sendable {
    /// One hosted domain.
    struct Site: Sendable {
        var association: LinkFile?
        var assetLinks: LinkFile?

        /// The files that it has.
        var files: [LinkFile] { [association, assetLinks].compactMap(\.self) }
    }

    let byHost: [String: Site]

    /// Answers for unknown hosts, but not in a vendor's place.
    private let fallback: Site?

    init(_ byHost: [String: Site], fallback: String?) {
        self.byHost = byHost
        self.fallback = fallback.flatMap { byHost[$0] }
    }

    /// The site that answers for a host; nil where none does.
    func site(of host: String) -> Site? {
        byHost[host] ?? (EmulatedHosts.all.contains(host) ? nil : fallback)
    }

    /// Answers for `apple-app-site-association` on a host; 404 where its site has none.
    func association(for request: Request, on host: String) throws(Problem) -> Response {
        guard let file = site(of: host)?.association else { throw Self.missing }
        return try Application.serve(file.resource, request)
    }

    /// Answers for `assetlinks.json` on a host; 404 where its site has none.
    func assetLinks(for request: Request, on host: String) throws(Problem) -> Response {
        guard let file = site(of: host)?.assetLinks else { throw Self.missing }
        return try Application.serve(file.resource, request)
    }

    private static let missing = Problem(
        status: .notFound, kind: "unknown-site",
        detail: "No site of this host has such a file; sites are folders in Config/sites.")
}
