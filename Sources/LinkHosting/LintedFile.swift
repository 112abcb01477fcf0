// Findings of link files as JSON.

import AppLinks
import JSON

extension Finding {
    /// `{"code","severity","pointer","line","column","message"}`.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("code", code.rawValue)
            json.member("severity", severity.rawValue)
            json.member("pointer", pointer)
            json.member("line", position.line)
            json.member("column", position.column)
            json.member("message", message)
        }
    }
}

/// The findings of one file or URL.
package struct LintedFile {
    package let name: String
    package let findings: [Finding]

    package init(
        name: String, findings: [Finding]
    ) {
        self.name = name
        self.findings = findings
    }

    /// Whether no finding is an error.
    package var isValid: Bool { !findings.contains { $0.severity == .error } }

    /// The errors and warnings only.
    package var withoutInformation: LintedFile {
        LintedFile(name: name, findings: findings.filter { $0.severity != .info })
    }

    /// `{"file","valid","findings":[…]}`.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("file", name)
            writeMembers(to: &json)
        }
    }

    /// `"valid"` and `"findings"`.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("valid", isValid)
        json.array("findings") { json in
            for finding in findings { finding.write(to: &json) }
        }
    }
}

extension HostedFile.Kind {
    /// The kind of a file by its name: `assetlinks.json`, otherwise an association.
    ///
    /// - Parameter path: the names of folders in it have no effect.
    package init(path: String) {
        let name = path.split(separator: "/").last?.lowercased() ?? ""
        self = name.contains("assetlinks") ? .assetLinks : .association
    }

    /// The findings in a file of this kind.
    package func findings(in content: [UInt8]) -> [Finding] {
        switch self {
        case .association: AppSiteAssociation.findings(in: content)
        case .assetLinks: AssetLinks.findings(in: content)
        }
    }
}
