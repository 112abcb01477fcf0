// Checks a site's link file as Apple's and Google's servers receive it.

import AppLinks
import HTTPClient
import LinkHosting
import LinkPatterns

/// Checks the link files of live servers.
package struct HostingCheck {
    private let authorities: [UInt8]?

    /// - Parameter authorities: certificates (PEM) to trust; nil for the system's.
    package init(trusting authorities: [UInt8]?) {
        self.authorities = authorities
    }

    /// The findings about a site's file and how it is served.
    ///
    /// - Parameters:
    ///   - text: a site without a path, or the URL of a file.
    ///   - kind: nil takes the kind from the URL's name; for a site, Apple's.
    ///
    /// Throws if the site doesn't respond.
    package func lint(
        _ text: String, _ kind: HostedFile.Kind?
    ) async throws(ClientError) -> LintedFile {
        let text = text.contains("://") ? text : "https://" + text
        let asked = LinkURL(text)
        let kind = kind ?? HostedFile.Kind(path: asked.path)
        guard asked.isWebLink, asked.host?.isEmpty == false else {
            throw .invalidURL("This is not a site: give https://HOST or a file's URL.")
        }
        let isSite = asked.path.isEmpty || asked.path == "/"
        // A query or fragment belongs to a link, and not to the site's files.
        let site = String(decoding: asked.bytes[..<asked.pathRange.lowerBound], as: UTF8.self)
        let url = isSite ? site + kind.path : text
        let file = try await HostedFile(kind, fetching: url, trusting: authorities)
        var findings = file.findings()
        if findings.contains(where: { $0.code == .onlyAtRoot }) {
            let served = try await HostedFile(
                kind, fetching: site + kind.path, trusting: authorities)
            // What devices get is the same, so the root is only a second place.
            if served.status == 200, served.content == file.content {
                findings.removeAll { $0.code == .onlyAtRoot }
            }
        }
        if isSite, kind == .association, file.status != 200 {
            let root = try? await HostedFile(
                kind, fetching: site + "/apple-app-site-association", trusting: authorities)
            if let root, root.status == 200 { findings += root.findings() }
        }
        if file.status == 200 { findings += kind.findings(in: file.content) }
        return LintedFile(name: url, findings: findings)
    }
}
