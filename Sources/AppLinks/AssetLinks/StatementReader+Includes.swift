// A member that includes another file instead of being a statement.

extension StatementReader {
    /// Reads a member of the list that has an `include`.
    mutating func readInclude(_ include: FindingPlace, in member: FindingPlace) {
        var isValid = true
        for key in ["relation", "target"] {
            guard let place = member[key] else { continue }
            add(
                .includeWithStatement, .error, place,
                "A member with \"include\" may not have \(key.quoted): neither is read; split it into "
                    + "two, one that includes and one that states.")
            isValid = false
        }
        guard let url = include.node.string else {
            add(
                .includeInvalid, .error, include,
                "\"include\" must be one address, and this is \(include.node.kind.phrase); write "
                    + "\"https://example.com/statements.json\".")
            return
        }
        let lowered = url.lowercased()
        guard let site = Self.authority(of: url), WebSite.fault(ofAuthority: site) == nil,
            !url.utf8.contains(where: { $0 <= 0x20 })
        else {
            add(
                .includeInvalid, .error, include,
                "\(url.quoted) is not the address of a file; write it in full, such as "
                    + "\"https://example.com/statements.json\".")
            return
        }
        if lowered.hasPrefix("http:") {
            add(
                .includeInsecure, .error, include,
                "A file that is served by https may not include one that isn't; write "
                    + "\(("https" + url.dropFirst(4)).quoted).")
            isValid = false
        }
        if isValid { includes.append(AssetLinks.Include(url: url, pointer: member.pointer)) }
    }

    /// The text between `https://` and the next `/`, `?` or `#`; nil for another scheme.
    private static func authority(of url: String) -> Substring? {
        let scheme = url.prefix { $0 != ":" }
        guard ["https", "http"].contains(scheme.lowercased()) else { return nil }
        let rest = url[scheme.endIndex...]
        guard rest.hasPrefix("://") else { return nil }
        return rest.dropFirst(3).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    }
}
