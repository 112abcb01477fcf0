// Compares two versions of a link file: which URLs open differently with the newer one.

import AppLinks
import JSON
import LinkPatterns
import Text

/// A comparison of decisions for a list of URLs.
struct AssociationComparison {
    /// A URL for which the versions differ.
    struct Change {
        let url: String
        let old: AssociationVerdict
        let new: AssociationVerdict
    }

    let old: AppSiteAssociation
    let new: AppSiteAssociation
    let domain: String?
    let app: String?

    /// Number of compared URLs.
    private(set) var count = 0
    private(set) var changes: [Change] = []

    init(_ old: AppSiteAssociation, _ new: AppSiteAssociation, domain: String?, app: String?) {
        (self.old, self.new, self.domain, self.app) = (old, new, domain, app)
    }

    /// Adds a URL to the comparison.
    mutating func add(_ url: String) {
        let link = LinkURL(url)
        let before = old.decide(link, on: domain, for: app)
        let after = new.decide(link, on: domain, for: app)
        count += 1
        // Another rule with the same effect is not a change; another app is.
        if before.decision != after.decision || before.opensApp && before.app != after.app {
            changes.append(Change(url: url, old: before, new: after))
        }
    }

    /// `{"compared":2,"changed":[{"url","old":{…},"new":{…}}]}`.
    var json: String {
        JSONWriter.text { json in
            json.member("compared", count)
            json.objects("changed", of: changes) { json, change in
                json.member("url", change.url)
                json.object("old") { change.old.writeMembers(to: &$0) }
                json.object("new") { change.new.writeMembers(to: &$0) }
            }
        }
    }

    /// The changes for people, and their number.
    func text(_ style: TerminalStyle) -> String {
        var lines: [String] = []
        for change in changes {
            lines.append(TerminalText.visible(change.url))
            lines.append("  " + style.bad("-") + " " + Self.words(change.old, style))
            lines.append("  " + style.good("+") + " " + Self.words(change.new, style))
        }
        lines.append("\(changes.count) of \(count.counted("URL")) would open differently")
        return lines.joined(separator: "\n")
    }

    private static func words(_ verdict: AssociationVerdict, _ style: TerminalStyle) -> String {
        let place = verdict.pointer.map { "  \($0), line \(verdict.line ?? 0)" } ?? ""
        let words =
            switch verdict.decision {
            case .match: "opens \(verdict.app ?? "an app")"
            case .exclude: "excluded"
            case .noMatch: "no match"
            }
        return TerminalText.visible(words) + style.faint(TerminalText.visible(place))
    }
}
