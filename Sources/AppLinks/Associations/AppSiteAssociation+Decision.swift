// The decision: host, entry, then rules in order. Only the first entry that names an app applies to
// it; the first rule that matches decides.

import LinkPatterns

extension AppSiteAssociation {
    /// Decides whether a URL opens an app.
    ///
    /// - Parameters:
    ///   - url: as written; it is never decoded or corrected before the comparison.
    ///   - domain: the host that serves the file, or `*.` and a parent of the URL's host; nil for
    ///     the URL's own host.
    ///   - app: the app in question; nil for all apps of the file. Then the first app that the URL
    ///     opens decides, because Apple's systems try installed apps in the order of the file.
    /// - Complexity: O(rules × pattern × URL); most rules are ruled out by their first bytes.
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

    /// Whether a rule that is evaluated for a URL without a fragment would look at one.
    ///
    /// Browsers send no fragment (RFC 9110 §7.1), so a server decides as if there were none.
    /// - Complexity: as `decide`.
    public func dependsOnFragment(_ url: LinkURL) -> Bool {
        if obstacle(to: url, on: nil, for: nil) != nil { return false }
        var texts = LinkTexts(url)
        for (detail, first) in askedDetails(for: nil) {
            let fit = detail.firstFit(&texts)
            for rule in detail.rules.prefix(fit.map { $0 + 1 } ?? detail.rules.count) {
                if rule.dependsOnFragment(&texts) { return true }
            }
            if Self.verdict(of: detail, for: first, fit).opensApp { break }
        }
        return false
    }

    /// Why the rules don't apply at all; nil if they decide.
    func obstacle(
        to url: LinkURL, on domain: String?, for app: String?
    ) -> AssociationVerdict.Reason? {
        guard url.isWebLink, let host = url.host, !host.isEmpty else { return .noWebLink }
        if let domain {
            switch Self.coverage(of: host, by: domain) {
            case .covered: break
            case .contested: return .contestedHost(host, domain: domain)
            case .notCovered: return .otherHost(host, domain: domain)
            }
        }
        let limit = Limits.associationBytes
        if fileSize > limit { return .tooLarge(fileSize, limit: limit) }
        if !details.contains(where: { !$0.apps.isEmpty }) { return .noEntries }
        if let app, !details.contains(where: { $0.apps.contains(app) }) { return .unknownApp(app) }
        return nil
    }

    /// The entries to evaluate, each with the first app that it applies to.
    ///
    /// For an app this is the first entry that names it, in the order of the file.
    func askedDetails(for app: String?) -> [(detail: AssociationDetail, app: String)] {
        if let app {
            return details.first { $0.apps.contains(app) }.map { [($0, app)] } ?? []
        }
        if details.count == 1 {
            return details[0].apps.first.map { [(details[0], $0)] } ?? []
        }
        var seen: Set<String> = []
        return details.compactMap { detail in
            // No short circuit: all apps of the entry must be recorded.
            let new = detail.apps.filter { seen.insert($0).inserted }
            return new.first.map { (detail, $0) }
        }
    }

    /// The verdict of an entry, given its first matching rule.
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

    /// Whether the file of `domain` applies to links of `host`; ignores ASCII case, and the dot at
    /// the end of a rooted name.
    private static func coverage(
        of host: String, by domain: String
    ) -> AssociatedDomain.Coverage {
        let (domain, host) = (AssociatedDomain.name(of: domain), AssociatedDomain.name(of: host))
        guard domain.starts(with: "*.".utf8) else { return host == domain ? .covered : .notCovered }
        let suffix = domain.dropFirst()
        if host.elementsEqual(suffix.dropFirst()) { return .contested }
        let isBelow = host.count > suffix.count && host.suffix(suffix.count).elementsEqual(suffix)
        return isBelow ? .covered : .notCovered
    }
}
