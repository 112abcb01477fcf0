// Identifies the vendor of a link by scheme and host.
//
// Invariant: hosts are compared whole, so that `rzlv.co.example.com` matches no vendor. Userinfo
// and query are never shown, because either may hold a credential.

import AppLinks

extension LaunchReader {
    /// The hosts of launch links, each with the path that its app claims; nil for any.
    static let hosts: [(host: String, contract: Contract, path: String?)] = [
        ("dimmy.api.optioryx.com", .dimmy2024, "/open"),
        ("flux.api.optioryx.com", .flux, "/open"),
        ("flux-dev.api.optioryx.com", .flux, "/open"),
        ("welltory.com", .welltoryDDS, "/action/dds/measurement"),
        ("rzlv.co", .rezolveTrigger, nil),
    ]

    /// The apps' own schemes.
    private static let schemes: [(scheme: String, contract: Contract)] = [
        ("intelligenceretail", .ailetDeeplink), ("welltory", .welltoryDDS),
    ]

    /// Determines the contract; if there is none, returns the reaction.
    mutating func recognize() -> Reaction? {
        guard let scheme = url.scheme?.lowercased() else { return addUnknownLink() }
        if url.isWebLink { return recognizeHost() }
        if let known = Self.schemes.first(where: { $0.scheme == scheme }) {
            contract = known.contract
            return nil
        }
        let names = Self.schemes.map(\.scheme)
        guard let meant = Spelling.nearest(to: scheme, among: names),
            let known = Self.schemes.first(where: { $0.scheme == meant })
        else { return addUnknownLink() }
        contract = known.contract
        findings.add(
            .error, .url, "misspelt_scheme", at: 0, expected: "\(meant):",
            found: Excerpt.quoted(Array(scheme.utf8)[...]))
        linkReaction = .nothing("no app has this scheme")
        return nil
    }

    private mutating func recognizeHost() -> Reaction? {
        let host = url.host?.lowercased() ?? ""
        if let known = Self.hosts.first(where: { $0.host == host }) {
            contract = known.contract
            guard let path = known.path, url.path != path else { return nil }
            findings.add(
                .error, .url, "wrong_path", at: url.pathRange.lowerBound, expected: path,
                found: Excerpt.quoted(link[url.pathRange]))
            linkReaction = Reaction(
                kind: .errorPage, query: nil, rule: "the app opens with \(path) only",
                isInferred: true)
            return nil
        }
        if case .engagements = RezolvePath(of: link[...]).site {
            contract = .rezolveTrigger
        } else if host == "play.google.com", url.path == "/store/apps/details",
            (url.query ?? "").split(separator: "&").contains("id=com.welltory.client.android")
        {
            contract = .welltoryDDS
        } else {
            return addUnknownLink()
        }
        return nil
    }

    /// Adds: the link matches no vendor.
    mutating func addUnknownLink() -> Reaction {
        let host = url.host?.lowercased()
        let shown = [url.scheme.map { $0 + ":" }, host.map { "//" + $0 }].compactMap(\.self)
        findings.add(
            .error, .url, "unknown_link", at: 0,
            expected: "a launch link of Dimmy, Flux, Welltory, Ailet or Rezolve",
            found: shown.isEmpty
                ? "a text without a scheme" : Excerpt.quoted(Array(shown.joined().utf8)[...]),
            hint: hint(forHost: host))
        guard url.isWebLink else { return .nothing("no vendor's app has this scheme") }
        return Reaction(
            kind: .browser, query: nil, rule: "no vendor's app claims this host", isInferred: false)
    }

    private func hint(forHost host: String?) -> String? {
        guard let host else {
            return url.scheme == nil ? "name the contract to check a request target" : nil
        }
        let names = Self.hosts.map(\.host)
        if let near = names.first(where: { host.contains($0) }) {
            return "hosts are compared whole: this is not \(near)"
        }
        return Spelling.nearest(to: host, among: names).map { "did you mean \($0)?" }
    }
}
