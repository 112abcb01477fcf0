// Compares two versions of a link file: which URLs open differently with the newer one.

import AppLinks
import JSON
import LinkPatterns

/// A comparison of decisions for a list of URLs.
package struct AssociationComparison {
    /// What one version decides about a URL.
    package struct Outcome {
        package let verdict: AssociationVerdict
        /// All apps that open, in the order of the file; with an app in question, at most that one.
        package let apps: [String]
    }

    /// A URL for which the versions differ.
    package struct Change {
        package let url: String
        package let old: Outcome
        package let new: Outcome
    }

    private let old: AppSiteAssociation
    private let new: AppSiteAssociation
    private let domain: String?
    private let app: String?

    /// Number of compared URLs.
    package private(set) var count = 0
    package private(set) var changes: [Change] = []

    package init(
        _ old: AppSiteAssociation, _ new: AppSiteAssociation, domain: String?, app: String?
    ) {
        (self.old, self.new, self.domain, self.app) = (old, new, domain, app)
    }

    /// Adds a URL to the comparison.
    package mutating func add(_ url: String) {
        let link = LinkURL(url)
        let before = outcome(of: link, by: old)
        let after = outcome(of: link, by: new)
        count += 1
        // Another rule with the same effect is not a change, and an exclusion has that of no rule;
        // another app is one, even if it isn't the first: a device may have no other.
        if before.apps != after.apps {
            changes.append(Change(url: url, old: before, new: after))
        }
    }

    private func outcome(of link: LinkURL, by file: AppSiteAssociation) -> Outcome {
        let apps = file.appsOpening(link, on: domain)
        return Outcome(
            verdict: file.decide(link, on: domain, for: app),
            apps: app == nil ? apps : apps.filter { $0 == app })
    }

    /// `{"compared":2,"changed":[{"url","old":{…,"apps"},"new":{…,"apps"}}]}`.
    package var json: String {
        JSONWriter.text { json in
            json.member("compared", count)
            json.objects("changed", of: changes) { json, change in
                json.member("url", change.url)
                json.object("old") { change.old.writeMembers(to: &$0) }
                json.object("new") { change.new.writeMembers(to: &$0) }
            }
        }
    }
}

extension AssociationComparison.Outcome {
    fileprivate func writeMembers(to json: inout JSONWriter) {
        verdict.writeMembers(to: &json)
        json.member("apps", apps)
    }
}
