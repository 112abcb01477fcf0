// Compares two versions of a link file: which URLs open differently with the newer one.

import AppLinks
import JSON
import LinkPatterns

/// A comparison of decisions for a list of URLs.
package struct AssociationComparison {
    /// A URL for which the versions differ.
    package struct Change {
        package let url: String
        package let old: AssociationVerdict
        package let new: AssociationVerdict
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
        let before = old.decide(link, on: domain, for: app)
        let after = new.decide(link, on: domain, for: app)
        count += 1
        // Another rule with the same effect is not a change; another app is.
        if before.decision != after.decision || before.opensApp && before.app != after.app {
            changes.append(Change(url: url, old: before, new: after))
        }
    }

    /// `{"compared":2,"changed":[{"url","old":{…},"new":{…}}]}`.
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
