// Findings as JSON and as lines that editors and people read.

import AppLinks
import JSON
import Text

extension Finding {
    /// `{"code","severity","pointer","line","column","message"}`.
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("code", code.rawValue)
            json.member("severity", severity.rawValue)
            json.member("pointer", pointer)
            json.member("line", position.line)
            json.member("column", position.column)
            json.member("message", message)
        }
    }

    /// `file:line:column: severity: message [code]`, and below it the pointer.
    func line(of file: String, _ style: TerminalStyle) -> String {
        let word =
            switch severity {
            case .error: style.bad("error")
            case .warning: style.doubtful("warning")
            case .info: style.faint("info")
            }
        let place = TerminalText.visible("\(file):\(position.line):\(position.column)")
        let text = TerminalText.visible(message)
        let below = pointer.isEmpty ? "" : "\n    " + style.faint(TerminalText.visible(pointer))
        return "\(place): \(word): \(text) [\(code.rawValue)]\(below)"
    }
}

/// The findings of one file or URL.
struct LintedFile {
    let name: String
    let findings: [Finding]

    /// Whether no finding is an error.
    var isValid: Bool { !findings.contains { $0.severity == .error } }

    /// The errors and warnings only.
    var withoutInformation: LintedFile {
        LintedFile(name: name, findings: findings.filter { $0.severity != .info })
    }

    /// `{"file","valid","findings":[…]}`.
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("file", name)
            writeMembers(to: &json)
        }
    }

    /// `"valid"` and `"findings"`.
    func writeMembers(to json: inout JSONWriter) {
        json.member("valid", isValid)
        json.key("findings")
        json.array { json in
            for finding in findings { finding.write(to: &json) }
        }
    }
}

extension HostedFile.Kind {
    /// The kind of a file by its name: `assetlinks.json`, and else an association.
    init(name: String) {
        self = name.lowercased().contains("assetlinks") ? .assetLinks : .association
    }

    /// What is wrong in a file of this kind.
    func findings(in content: [UInt8]) -> [Finding] {
        switch self {
        case .association: AppSiteAssociation.findings(in: content)
        case .assetLinks: AssetLinks.findings(in: content)
        }
    }
}
