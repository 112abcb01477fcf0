// The link files of the hosted domains, by host.

import FoundationEssentials
import HTTP1
import Problems
import Vendors

/// All sites, by host.
package struct Sites: Sendable {
    /// One hosted domain.
    package struct Site: Sendable {
        package var association: LinkFile?
        package var assetLinks: LinkFile?
        /// The default site, whose link file the host gets; nil for a host with its own folder.
        package var defaultSite: String?

        /// The link files of the site.
        package var files: [LinkFile] { [association, assetLinks].compactMap(\.self) }
    }

    package let byHost: [String: Site]

    /// Serves hosts that aren't in `byHost`, except the vendors'.
    private let fallback: (host: String, site: Site)?

    /// The hosts that are answered in a vendor's place, besides those of launch links.
    private let emulatedHosts: Set<String>

    /// - Parameter vendorHosts: vendors' hosts that the configuration adds, in lower case.
    init(_ byHost: [String: Site], fallback: String?, vendorHosts: Set<String> = []) {
        self.byHost = byHost
        self.fallback = fallback.flatMap { host in byHost[host].map { (host: host, site: $0) } }
        emulatedHosts = vendorHosts.union(Vendor.emulatedHosts)
    }

    /// The site of a host; nil if no site serves it.
    ///
    /// That of a host without a folder names the default site and has no files: a device takes what
    /// it gets as the host's file, but that file is about another domain, so it explains nothing.
    package func site(of host: String) -> Site? {
        if let site = byHost[host] { return site }
        guard let fallback, !fallback.site.files.isEmpty, !isVendors(host) else { return nil }
        return Site(defaultSite: fallback.host)
    }

    /// The site that serves a host: its own, or else the fallback, but never in a vendor's place.
    private func servedSite(of host: String) -> Site? {
        byHost[host] ?? (isVendors(host) ? nil : fallback?.site)
    }

    /// Whether a host is a vendor's, with those that vendors have by region.
    private func isVendors(_ host: String) -> Bool {
        emulatedHosts.contains(host) || LaunchCheck.contract(ofHost: host) != nil
    }

    /// The hosts that have an apple-app-site-association, sorted.
    package var associatedHosts: [String] {
        byHost.filter { $0.value.association != nil }.keys.sorted()
    }

    /// Serves `apple-app-site-association` on a host; 404 if its site has none.
    package func association(for request: Request, on host: String) throws(Problem) -> Response {
        guard let file = servedSite(of: host)?.association else { throw Self.missing }
        return try file.resource.response(to: request)
    }

    /// Serves `assetlinks.json` on a host; 404 if its site has none.
    package func assetLinks(for request: Request, on host: String) throws(Problem) -> Response {
        guard let file = servedSite(of: host)?.assetLinks else { throw Self.missing }
        return try file.resource.response(to: request)
    }

    private static let missing = Problem(
        status: .notFound, kind: "unknown-site",
        detail: "This host has no such file. Its files are in the folder of its name in `sites`.")
}
