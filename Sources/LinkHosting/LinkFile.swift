// One link file of a hosted domain: the bytes that are served, and what they mean.

import AppLinks
import Files
import HTTP1
import JSON
import Problems
import Settings

/// A file that is hosted; a class, so that a request passes it on cheaply.
package final class LinkFile: Sendable {
    /// Where it is on the disk.
    package let path: String
    package let content: [UInt8]
    package let resource: StaticResource
    package let findings: [Finding]
    /// Apple's file, as its systems read it; nil for Android's, and for what is no JSON.
    package let association: AppSiteAssociation?

    /// Reads and lints a file; nil when there is none.
    ///
    /// Throws `unreadable`.
    package init?(_ kind: HostedFile.Kind, at path: String) throws(ConfigurationError) {
        let read = try ConfigurationError.reading { () throws(FileError) in
            try Folder.content(ofOptional: path)
        }
        guard let content = read else { return nil }
        self.path = path
        self.content = content
        switch kind {
        case .association:
            association = try? AppSiteAssociation(reading: content)
            findings = association?.findings() ?? AppSiteAssociation.findings(in: content)
        case .assetLinks:
            association = nil
            findings = kind.findings(in: content)
        }
        // Apple and Google ask for `application/json`, and for no redirect. An hour of caching
        // keeps what is served close to what is configured.
        resource = StaticResource(
            content, contentType: "application/json", entityTag: EntityTag.of(content),
            lastModified: Folder.lastModified(path).map { HTTPDate(unixSeconds: $0) },
            fields: [
                ("Cache-Control", "public, max-age=3600"), ("X-Content-Type-Options", "nosniff"),
            ])
    }

    /// The file as people know it: the host, and the path below the sites folder's domain.
    package func name(on host: String) -> String {
        "\(host)/\(path.split(separator: "/").last ?? "")"
    }

    /// The findings that are errors.
    var errors: [Finding] { findings.filter { $0.severity == .error } }

    /// Why it should not be served: the first error and how many there are; nil without errors.
    package var objection: String? {
        guard let first = errors.first else { return nil }
        let others = errors.count == 1 ? "" : " (\(errors.count - 1) more)"
        return "\(path):\(first.position.line):\(first.position.column): \(first.message) "
            + "[\(first.code.rawValue)]\(others)"
    }
}
