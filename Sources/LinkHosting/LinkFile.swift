// One link file of a hosted domain: the served bytes and their meaning.

import AppLinks
import Files
import HTTP1
import JSON
import Problems
import Settings

/// A hosted file; a class, so that a request passes it on cheaply.
package final class LinkFile: Sendable {
    /// Its path on disk.
    package let path: String
    package let content: [UInt8]
    let resource: StaticResource
    package let findings: [Finding]
    /// Apple's file as Apple's systems read it; nil for Android's file and for invalid JSON.
    package let association: AppSiteAssociation?

    /// Reads and lints a file; nil if it doesn't exist.
    ///
    /// Throws `unreadable`.
    init?(_ kind: HostedFile.Kind, at path: String) throws(ConfigurationError) {
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
        // Apple and Google require `application/json` and no redirect. An hour of caching keeps
        // what clients see close to the configuration.
        resource = StaticResource(
            content, contentType: "application/json", entityTag: EntityTag.of(content),
            lastModified: Folder.lastModified(path).map { HTTPDate(unixSeconds: $0) },
            fields: [
                ("Cache-Control", "public, max-age=3600"), ("X-Content-Type-Options", "nosniff"),
            ])
    }

    /// The file's name for people: the host, and the path below the domain's folder.
    package func name(on host: String) -> String {
        "\(host)/\(path.split(separator: "/").last ?? "")"
    }

    /// The findings that are errors.
    var errors: [Finding] { findings.filter { $0.severity == .error } }

    /// Why it should not be served: the first error and the number of errors; nil without errors.
    package var errorSummary: String? {
        guard let first = errors.first else { return nil }
        let others = errors.count == 1 ? "" : " (\(errors.count - 1) more)"
        return "\(path):\(first.position.line):\(first.position.column): \(first.message) "
            + "[\(first.code.rawValue)]\(others)"
    }
}
