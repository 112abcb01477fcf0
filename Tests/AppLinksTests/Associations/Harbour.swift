// The files of a harbour that does not exist, for tests of what link files decide: one app, one
// host, and as many rules as a test needs.

import LinkPatterns

@testable import AppLinks

/// Builds and asks link files.
enum Harbour {
    /// The app of most files.
    static let app = "K7Q2M9X4ZA.org.wharf.shop"

    /// A file, read from its text.
    static func file(_ text: String) throws -> AppSiteAssociation {
        try AppSiteAssociation(reading: Array(text.utf8))
    }

    /// A file with one entry of components.
    ///
    /// - Parameters:
    ///   - links: members of `applinks` that come first, each with a comma behind it.
    ///   - entry: members of the entry that come first, each with a comma behind it.
    static func components(
        _ components: String, links: String = "", entry: String = ""
    ) throws -> AppSiteAssociation {
        try file(
            """
            {"applinks":{\(links)"details":[{"appIDs":["\(app)"],\(entry)"components":[\(components)]}]}}
            """)
    }

    /// A file with one entry of paths.
    static func paths(_ paths: String, links: String = "") throws -> AppSiteAssociation {
        try file(
            """
            {"applinks":{\(links)"details":[{"appIDs":["\(app)"],"paths":[\(paths)]}]}}
            """)
    }

    /// Whether the only rule, with these members, fits what follows the host.
    static func fits(
        _ members: String, _ target: String, links: String = "", entry: String = ""
    ) throws -> Bool {
        let file = try components("{\(members)}", links: links, entry: entry)
        return file.decide(LinkURL("https://harbour.test" + target)).opensApp
    }

    /// Whether a path in JSON, quotation marks included, fits what follows the host.
    static func fits(path: String, _ target: String, links: String = "") throws -> Bool {
        try fits("\"/\":\(path)", target, links: links)
    }

    /// Substitution variables, as a member of `applinks`.
    static func variables(_ members: String) -> String {
        "\"substitutionVariables\":{\(members)},"
    }
}

extension AssociationVerdict {
    /// The decision, the entry and the rule, such as `match 0 2`.
    var summary: String {
        ([decision.rawValue] + [detail?.index, rule?.index].map { $0.map(String.init) ?? "-" })
            .joined(separator: " ")
    }
}
