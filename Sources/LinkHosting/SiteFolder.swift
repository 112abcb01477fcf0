// The folder of the sites: each subfolder is named after a domain and holds its link files.
//
// Invariant: a file with errors is not served, unless the configuration allows it; a version that
// is already served stays.

import AppLinks
import Files
import FoundationEssentials
import HTTP1
import Settings

/// Reads the sites.
package struct SiteFolder: Sendable {
    let path: String
    /// The domain whose site serves unknown hosts; nil for none.
    let fallback: String?
    /// Whether files with errors are served too.
    let allowsInvalid: Bool
    /// Whether a missing folder means that there are no sites.
    private let mayBeMissing: Bool
    /// The file of the configuration, for errors.
    private let configurationFile: String
    /// Vendors' hosts that the server answers for.
    private let vendorHosts: Set<String>

    package init(_ configuration: Configuration) {
        mayBeMissing = configuration.sitesMayBeMissing
        path = configuration.sitesFolder
        fallback = configuration.defaultSite
        allowsInvalid = configuration.allowsInvalidSites
        configurationFile = configuration.file ?? "environment"
        vendorHosts = configuration.rezolve.hosts
    }

    /// Reads all sites for the first time.
    ///
    /// Throws `unreadable`, `badSite` for a file with errors, and `badValue` if `fallback` is not a
    /// site.
    package func read() throws(ConfigurationError) -> Sites {
        var byHost: [String: Sites.Site] = [:]
        for (host, folder) in try domains() {
            let site = Sites.Site(
                association: try LinkFile(.association, at: place(of: .association, folder)),
                assetLinks: try LinkFile(.assetLinks, at: place(of: .assetLinks, folder)))
            for file in site.files where !allowsInvalid {
                if let errorSummary = file.errorSummary { throw .badSite(errorSummary) }
            }
            byHost[host] = site
        }
        return try sites(byHost)
    }

    /// Reads all sites again; a file or folder that can't be served keeps its former version and is
    /// reported.
    ///
    /// Throws `unreadable`, and `badValue` if `fallback` is no longer a site.
    ///
    /// - Parameter report: is called with what is wrong, and whether the file could be read.
    func read(
        over former: Sites, onError report: (_ errorSummary: String, _ isRead: Bool) -> Void
    ) throws(ConfigurationError) -> Sites {
        var byHost: [String: Sites.Site] = [:]
        let domains = try domains { host, error in
            report("\(error)", false)
            byHost[host] = former.byHost[host]
        }
        for (host, folder) in domains {
            let old = former.byHost[host]
            byHost[host] = Sites.Site(
                association: file(.association, folder, over: old?.association, report),
                assetLinks: file(.assetLinks, folder, over: old?.assetLinks, report))
        }
        return try sites(byHost)
    }

    /// Reads what can be read of all sites.
    ///
    /// Throws as `read` does, but for a file or folder that can't be read.
    ///
    /// - Parameter report: called with what is wrong with each of these.
    package func read(
        onError report: (_ fault: String) -> Void
    ) throws(ConfigurationError) -> Sites {
        try read(over: Sites([:], fallback: nil)) { fault, _ in report(fault) }
    }

    private func sites(_ byHost: [String: Sites.Site]) throws(ConfigurationError) -> Sites {
        if let fallback, byHost[fallback] == nil {
            let known = byHost.keys.sorted().joined(separator: ", ")
            throw .badValue(
                file: configurationFile, key: "sites.default",
                expected: "a folder of \(path): \(known)")
        }
        return Sites(byHost, fallback: fallback, vendorHosts: vendorHosts)
    }

    private func file(
        _ kind: HostedFile.Kind, _ folder: String, over former: LinkFile?,
        _ report: (_ errorSummary: String, _ isRead: Bool) -> Void
    ) -> LinkFile? {
        do throws(ConfigurationError) {
            guard let file = try LinkFile(kind, at: place(of: kind, folder)) else { return nil }
            if file.content == former?.content { return former }
            guard !allowsInvalid, let errorSummary = file.errorSummary else { return file }
            report(errorSummary, true)
        } catch {
            report("\(error)", false)
        }
        return former
    }

    /// A text that changes when one of the files changes.
    func fingerprint() -> String {
        var faults = ""
        let domains = (try? domains { faults += "\n\($1)" }) ?? []
        return faults
            + Folder.fingerprint(
                of: domains.flatMap { domain in
                    [
                        place(of: .association, domain.folder),
                        place(of: .assetLinks, domain.folder),
                    ]
                })
    }

    /// The sites' hosts with their folders, sorted by the folders' names; others, such as
    /// `lost+found`, can't be hosts.
    ///
    /// Of two folders for one host, the last is served. Throws `unreadable`.
    ///
    /// - Parameter report: called with the host of an entry that can't be examined, and why; by
    ///   default, throws that.
    package func domains(
        onError report: (_ host: String, ConfigurationError) throws(ConfigurationError) -> Void =
            { (_: String, error: ConfigurationError) throws(ConfigurationError) in throw error }
    ) throws(ConfigurationError) -> [(host: String, folder: String)] {
        let names = try ConfigurationError.reading { () throws(FileError) -> [String] in
            if mayBeMissing, try FileStatus(path) == nil { return [] }
            return try Folder.list(path)
        }
        var domains: [(host: String, folder: String)] = []
        for name in names {
            guard let host = Authority.hostName(name) else { continue }
            do throws(ConfigurationError) {
                let status = try ConfigurationError.reading { () throws(FileError) in
                    try FileStatus(path + "/" + name)
                }
                if status?.isFolder == true { domains.append((host, name)) }
            } catch {
                try report(host, error)
            }
        }
        return domains
    }

    /// The names of folders with a link file that is never served, sorted, and why.
    ///
    /// Throws `unreadable`.
    package func unservedFolders() throws(ConfigurationError) -> [(name: String, reason: String)] {
        let served = Dictionary(
            try domains { _, _ in }.map { ($0.host, $0.folder) }, uniquingKeysWith: { $1 })
        let names = try ConfigurationError.reading { () throws(FileError) -> [String] in
            if mayBeMissing, try FileStatus(path) == nil { return [] }
            return try Folder.list(path)
        }
        return names.compactMap { name in
            guard let host = Authority.hostName(name) else {
                return hasLinkFile(name) ? (name, "no host has this name") : nil
            }
            guard let other = served[host], other != name, hasLinkFile(name) else { return nil }
            return (name, "\(other) is the same host")
        }
    }

    private func hasLinkFile(_ folder: String) -> Bool {
        [HostedFile.Kind.association, .assetLinks].contains { kind in
            ((try? FileStatus(place(of: kind, folder))) ?? nil) != nil
        }
    }

    private func place(of kind: HostedFile.Kind, _ folder: String) -> String {
        "\(path)/\(folder)/\(kind.name)"
    }
}
