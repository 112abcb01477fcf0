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

    /// The site of a host that has a folder of its own; nil for other hosts.
    ///
    /// Explanations use only this one: devices ask a host for its own file, and what the fallback says is
    /// about another domain.
    func site(of host: String) -> Site? { byHost[host] }

    /// The site whose files a request to a host gets: its own, or else the fallback.
    private func servedSite(of host: String) -> Site? {
        byHost[host] ?? (EmulatedHosts.all.contains(host) ? nil : fallback)
    }

    /// The hosts that have an apple-app-site-association, sorted.
    var associatedHosts: [String] {
        byHost.filter { $0.value.association != nil }.keys.sorted()
    }

    /// Answers for `apple-app-site-association` on a host; 404 where its site has none.
    func association(for request: Request, on host: String) throws(Problem) -> Response {
        guard let file = servedSite(of: host)?.association else { throw Self.missing }
        return try Application.serve(file.resource, request)
    }

    /// Answers for `assetlinks.json` on a host; 404 where its site has none.
    func assetLinks(for request: Request, on host: String) throws(Problem) -> Response {
        guard let file = servedSite(of: host)?.assetLinks else { throw Self.missing }
        return try Application.serve(file.resource, request)
    }

    private static let missing = Problem(
        status: .notFound, kind: "unknown-site",
        detail: "No site of this host has such a file; sites are folders in Config/sites.")
}
