// The link files of the hosted domains, by host.

import AppLinks
import FoundationEssentials
import HTTP1
import Problems
import Vendors

/// All sites, by host; a class, as each of them is, so that a request passes them on cheaply.
package final class Sites: Sendable {
    /// One hosted domain.
    package final class Site: Sendable {
        package let association: LinkFile?
        package let assetLinks: LinkFile?
        /// The default site, whose link file the host gets; nil for a host with its own folder.
        package let defaultSite: String?

        package init(
            association: LinkFile? = nil, assetLinks: LinkFile? = nil, defaultSite: String? = nil
        ) {
            self.association = association
            self.assetLinks = assetLinks
            self.defaultSite = defaultSite
        }

        /// The link files of the site.
        package var files: [LinkFile] { [association, assetLinks].compactMap(\.self) }
    }

    package let byHost: [String: Site]

    /// Serves hosts that aren't in `byHost`, except the vendors'.
    private let fallback: (host: String, site: Site)?

    /// The sites by host, and nil for the listed hosts that are answered in a vendor's place.
    private let served: [String: Site?]

    /// - Parameter vendorHosts: vendors' hosts that the configuration adds, in lower case.
    init(_ byHost: [String: Site], fallback: String?, vendorHosts: Set<String> = []) {
        self.byHost = byHost
        self.fallback = fallback.flatMap { host in byHost[host].map { (host: host, site: $0) } }
        var served: [String: Site?] = [:]
        for host in vendorHosts { served[host] = .some(nil) }
        for host in Vendor.emulatedHosts + LaunchCheck.hosts.keys { served[host] = .some(nil) }
        self.served = served.merging(byHost) { $1 }
    }

    /// The site of a host; nil if no site serves it.
    ///
    /// That of a host without a folder names the default site and has no files: a device takes what
    /// it gets as the host's file, but that file is about another domain, so it explains nothing.
    package func site(of host: String) -> Site? {
        if let site = byHost[host] { return site }
        guard let site = servedSite(of: host), let fallback, !site.files.isEmpty else { return nil }
        return Site(defaultSite: fallback.host)
    }

    /// The site that serves a host: its own, or else the fallback, but never in a vendor's place.
    private func servedSite(of host: String) -> Site? {
        if let site = served[host] { return site }
        return LaunchCheck.contract(ofUnlistedHost: host) == nil ? fallback?.site : nil
    }

    /// The hosts that have an apple-app-site-association, sorted.
    package var associatedHosts: [String] {
        byHost.filter { $0.value.association != nil }.keys.sorted()
    }

    /// Serves a link file on a host; 404 if its site has none.
    package func response(
        with kind: HostedFile.Kind, to request: Request, on host: String
    ) throws(Problem) -> Response {
        guard let site = servedSite(of: host),
            let file = kind == .association ? site.association : site.assetLinks
        else { throw Self.missing }
        return try file.resource.response(to: request)
    }

    private static let missing = Problem(
        status: .notFound, kind: "unknown-site",
        detail: "This host has no such file. Its files are in the folder of its name in `sites`.")
}
