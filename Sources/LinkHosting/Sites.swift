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

        /// The link files of the site.
        package var files: [LinkFile] { [association, assetLinks].compactMap(\.self) }
    }

    package let byHost: [String: Site]

    /// Serves hosts that aren't in `byHost`, except the vendors'.
    private let fallback: Site?

    /// The hosts that are answered in a vendor's place, besides those of launch links.
    private let emulatedHosts: Set<String>

    /// - Parameter vendorHosts: vendors' hosts that the configuration adds, in lower case.
    init(_ byHost: [String: Site], fallback: String?, vendorHosts: Set<String> = []) {
        self.byHost = byHost
        self.fallback = fallback.flatMap { byHost[$0] }
        emulatedHosts = vendorHosts.union(Vendor.emulatedHosts)
    }

    /// The site of a host that has its own folder; nil for other hosts.
    ///
    /// Explanations use only this one: devices ask a host for its own file, and the fallback's file
    /// is about another domain.
    package func site(of host: String) -> Site? { byHost[host] }

    /// The site that serves a host: its own, or else the fallback, but never in a vendor's place.
    private func servedSite(of host: String) -> Site? {
        byHost[host] ?? (isVendors(host) ? nil : fallback)
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
