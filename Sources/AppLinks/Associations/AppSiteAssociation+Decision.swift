// The decision: host, entry, rules in order. The first entry that names an app is the only one that
// counts for it; the first rule that fits decides.

extension AppSiteAssociation {
    /// Decides whether a URL opens an app.
    ///
    /// - Parameters:
    ///   - url: as it was written; never decoded or corrected before it is compared.
    ///   - domain: the host that serves the file, or `*.` and a parent of the URL's host; nil for
    ///     the URL's own host.
    ///   - app: the app that is asked about; nil for all of the file, of which the first that
    ///     opens decides: Apple's systems ask installed apps in the order of the file.
    /// - Complexity: O(rules × pattern × URL) at most; most rules are ruled out by their first bytes.
    public func decide(
        _ url: LinkURL, on domain: String? = nil, for app: String? = nil
    ) -> AssociationVerdict {
        if let reason = obstacle(to: url, on: domain, for: app) {
            return AssociationVerdict(
                decision: .noMatch, app: app, detail: nil, rule: nil, reason: reason)
        }
        var texts = LinkTexts(url)
        var excluded: AssociationVerdict?
        for (detail, first) in askedDetails(for: app) {
            let verdict = Self.verdict(of: detail, for: first, detail.firstFit(&texts))
            if verdict.opensApp { return verdict }
            if verdict.decision == .exclude { excluded = excluded ?? verdict }
        }
        return excluded
            ?? AssociationVerdict(
                decision: .noMatch, app: app, detail: nil, rule: nil, reason: .noRule)
    }

    /// Why no rule need be asked; nil when rules decide.
    func obstacle(
        to url: LinkURL, on domain: String?, for app: String?
    ) -> AssociationVerdict.Reason? {
        guard url.isWebLink, let host = url.host, !host.isEmpty else { return .noWebLink }
        if let domain, !Self.serves(domain, host) { return .otherHost(host, domain: domain) }
        if !details.contains(where: { !$0.apps.isEmpty }) { return .noEntries }
        if let app, !details.contains(where: { $0.apps.contains(app) }) { return .unknownApp(app) }
        return nil
    }

    /// The entries that are asked, each with the first app for which it is: for an app the first
    /// entry that names it, in the order of the file.
    func askedDetails(for app: String?) -> [(detail: AssociationDetail, app: String)] {
        if let app {
            return details.first { $0.apps.contains(app) }.map { [($0, app)] } ?? []
        }
        if details.count == 1 {
            return details[0].apps.first.map { [(details[0], $0)] } ?? []
        }
        var seen: Set<String> = []
        return details.compactMap { detail in
            // Every app of the entry is seen, also behind the first that is new.
            let new = detail.apps.filter { seen.insert($0).inserted }
            return new.first.map { (detail, $0) }
        }
    }

    /// What an entry says, given the rule that fits first.
    static func verdict(
        of detail: AssociationDetail, for app: String, _ fit: Int?
    ) -> AssociationVerdict {
        if let fit {
            let rule = detail.rules[fit]
            return AssociationVerdict(
                decision: rule.excludes ? .exclude : .match, app: app, detail: detail, rule: rule,
                reason: nil)
        }
        let isEverything = detail.ruleList == .everything
        return AssociationVerdict(
            decision: isEverything ? .match : .noMatch, app: app,
            detail: isEverything ? detail : nil, rule: nil,
            reason: isEverything ? .everything : .noRule)
    }

    /// Whether the file of `domain` is asked about links of `host`; ASCII case doesn't matter.
    private static func serves(_ domain: String, _ host: String) -> Bool {
        let host = host.utf8.map(CaseFolding.folded)
        let domain = domain.utf8.map(CaseFolding.folded)
        guard domain.starts(with: "*.".utf8) else { return host == domain }
        let suffix = domain.dropFirst()
        return host.count > suffix.count && host.suffix(suffix.count).elementsEqual(suffix)
    }
}
