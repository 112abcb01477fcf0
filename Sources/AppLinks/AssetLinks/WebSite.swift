// The syntax of a site in a target: scheme, host and port, and nothing after them.

import Text

/// The syntax of a web target.
enum WebSite {
    /// What is wrong with a site, and what to write instead; nil if it is valid.
    static func fault(of site: String) -> (code: FindingCode, message: String)? {
        let scheme = site.prefix { $0 != ":" && $0 != "/" }
        guard site[scheme.endIndex...].hasPrefix("://") else {
            return (
                .siteSchemeInvalid,
                "\(site.quoted) has no scheme; write \(("https://" + hostLike(site)).quoted)."
            )
        }
        let rest = site[scheme.endIndex...].dropFirst(3)
        guard ["https", "http"].contains(scheme.lowercased()) else {
            return (
                .siteSchemeInvalid,
                "A site has the scheme https or http, not \(String(scheme).quoted); write "
                    + "\(("https://" + hostLike(String(rest))).quoted)."
            )
        }
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let right = "\(scheme)://\(hostLike(String(authority)))".quoted
        if authority.utf8.contains(UInt8(ascii: "@")) {
            return (.siteHasUser, "A site has no user name before its host; write \(right).")
        }
        if let message = fault(ofAuthority: authority) { return (.siteInvalid, message) }
        switch rest[authority.endIndex...].first {
        case nil: return nil
        case "?": return (.siteHasQuery, "A site has no query; write \(right).")
        case "#": return (.siteHasFragment, "A site has no fragment; write \(right).")
        default: return (.siteHasPath, "A site has no path, not even a /; write \(right).")
        }
    }

    /// What is wrong with a host and its port; nil if they are valid.
    static func fault(ofAuthority authority: Substring) -> String? {
        let host = authority.prefix { $0 != ":" }
        if host.isEmpty { return "The site has no host; write \"https://example.com\"." }
        if host.utf8.contains(UInt8(ascii: "*")) {
            return
                "A site is one host, and \(String(host).quoted) has a wildcard; write a statement "
                + "for each host."
        }
        let isHost = host.utf8.allSatisfy { $0.isAlphanumeric || "-._".utf8.contains($0) }
        // A dot at the end belongs to a fully qualified name.
        let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard isHost, !labels.dropLast().contains(where: \.isEmpty) else {
            return "\(String(host).quoted) is not a host; write one such as example.com, and other "
                + "scripts in Punycode (xn--…)."
        }
        if host.endIndex == authority.endIndex { return nil }
        let port = authority[host.endIndex...].dropFirst()
        guard port.utf8.count <= 5, port.utf8.allSatisfy(\.isDigit),
            let number = Int(port), 1...65_535 ~= number
        else {
            return
                "\(String(port).quoted) is not a port; write a number from 1 to 65535, or leave the "
                + "port and its colon out."
        }
        return nil
    }

    /// The part that looks like a host in a site that may have too much around it.
    private static func hostLike(_ site: String) -> String {
        let authority = site.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let user = authority.lastIndex(of: "@").map(authority.index(after:)) ?? authority.startIndex
        let host = authority[user...]
        return host.isEmpty ? "example.com" : String(host)
    }
}
