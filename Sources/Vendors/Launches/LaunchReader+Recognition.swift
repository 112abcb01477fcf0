// Identifies the vendor of a link by scheme and host.
//
// Invariant: hosts are compared whole, so that `rzlv.co.example.com` matches no vendor. Userinfo
// and query are never shown, because either may hold a credential.

import LinkPatterns
import Text

extension LaunchReader {
    /// The hosts of launch links, each with the path that its app claims; nil for any.
    static let hosts = links.flatMap { contract, links in
        links.hosts.map { (host: $0.name, contract: contract, path: $0.path) }
    }

    /// What decides about hosts that aren't listed.
    ///
    /// Each request to an unknown host is asked this.
    static let hostRules = links.compactMap { contract, links in
        links.ownsHost.map { (contract: contract, owns: $0) }
    }

    /// The apps' own schemes.
    private static let schemes = links.flatMap { contract, links in
        links.schemes.map { (scheme: $0, contract: contract) }
    }

    private static let links = Contract.launchable.compactMap { contract in
        contract.declaration.launch.map { (contract, $0) }
    }

    /// Determines the contract; if there is none, returns the reaction.
    mutating func recognize() -> Reaction? {
        guard let scheme = url.scheme?.lowercased() else { return addUnknownLink() }
        if url.isWebLink { return recognizeHost() }
        contract =
            Self.claimant(of: link, url)
            ?? Self.schemes.first { $0.scheme == scheme }?.contract
        if contract != nil { return nil }
        let names = Self.schemes.map(\.scheme)
        guard let meant = Spelling.nearest(to: scheme, among: names),
            let known = Self.schemes.first(where: { $0.scheme == meant })
        else { return addUnknownLink() }
        contract = known.contract
        findings.add(
            .error, .url, "misspelled_scheme", at: 0, expected: "\(meant):",
            found: Excerpt.quoted(Array(scheme.utf8)[...]))
        linkReaction = .nothing("no app has this scheme")
        return nil
    }

    /// The first contract that claims a link by more than its scheme or host.
    static func claimant(of link: [UInt8], _ url: LinkURL) -> Contract? {
        links.first { _, links in links.claims(link, url) }?.0
    }

    private mutating func recognizeHost() -> Reaction? {
        let host = url.host?.lowercased() ?? ""
        guard let known = Self.hosts.first(where: { $0.host == host }) else {
            contract = Self.claimant(of: link, url)
            return contract == nil ? addUnknownLink() : nil
        }
        contract = known.contract
        // Link files treat a path with and without a slash at its end alike (Apple's matcher).
        guard let path = known.path, url.path != path, url.path != path + "/" else { return nil }
        findings.add(
            .error, .url, "wrong_path", at: url.pathRange.lowerBound, expected: path,
            found: Excerpt.quoted(link[url.pathRange]))
        linkReaction = Reaction(
            kind: .errorPage, query: nil, rule: "the app opens with \(path) only",
            isInferred: true)
        return nil
    }

    /// Adds: the link matches no vendor.
    mutating func addUnknownLink() -> Reaction {
        let host = url.host?.lowercased()
        let shown = [url.scheme.map { $0 + ":" }, host.map { "//" + $0 }].compactMap(\.self)
        findings.add(
            .error, .url, "unknown_link", at: 0,
            expected: "a launch link of \(Vendor.apps)",
            found: shown.isEmpty
                ? "a text without a scheme" : Excerpt.quoted(Array(shown.joined().utf8)[...]),
            hint: hint(forHost: host))
        guard url.isWebLink else { return .nothing("no vendor's app has this scheme") }
        return Reaction(
            kind: .browser, query: nil, rule: "no vendor's app claims this host", isInferred: false)
    }

    private func hint(forHost host: String?) -> String? {
        guard let host else {
            return url.scheme == nil
                ? "to check a path such as /emulate/flux/open?…, name its contract with --contract"
                : nil
        }
        let names = Self.hosts.map(\.host)
        if let near = names.first(where: { host.contains($0) }) {
            return "hosts are compared whole: this is not \(near)"
        }
        return Spelling.nearest(to: host, among: names).map { "did you mean \($0)?" }
    }
}
