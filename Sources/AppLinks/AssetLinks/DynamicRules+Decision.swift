// Evaluates dynamic rules for a link: the first rule that matches decides.
//
// Unlike Apple's rules, these compare decoded text, require what they name to be present, and match
// nothing if they name nothing.

import LinkPatterns
import Text

extension AssetLinks.DynamicRules {
    /// The rules' decision about a link.
    ///
    /// - An item of the query must be present; if a name occurs more than once, one of its items
    ///   must match.
    /// - A rule with a fragment never matches a link without one.
    /// - If a pattern has a `*` before its end, a device may not match what matches here: it stops
    ///   at the first occurrence of the character after the `*`, and doesn't backtrack.
    ///
    /// - Parameter url: the link; its scheme and host are ignored.
    /// - Complexity: O(rules · (length of the rule · length of the link)).
    public func decision(for url: LinkURL) -> AssetLinks.DynamicDecision {
        if rules.isEmpty { return .notClaimed }
        let link = DecodedLink(url)
        for (index, rule) in rules.enumerated() where rule.matches(link) {
            return rule.excludes
                ? .excluded(rule: index, pointer: rule.pointer)
                : .claimed(rule: index, pointer: rule.pointer)
        }
        return .notClaimed
    }
}

extension AssetLinks.DynamicRule {
    fileprivate func matches(_ link: DecodedLink) -> Bool {
        guard isUsable else { return false }
        if let path, !ComponentPattern(path).matches(link.path) { return false }
        if let fragment {
            guard let written = link.fragment, ComponentPattern(fragment).matches(written) else {
                return false
            }
        }
        return query.allSatisfy { item in
            // Name and value form one pattern, as on a device, so a name may contain wildcards too.
            let pattern = ComponentPattern(item.name + "=" + item.value)
            return link.query.contains { pattern.matches($0) }
        }
    }
}

/// The parts of a link as Android compares them.
private struct DecodedLink {
    let path: ArraySlice<UInt8>
    /// The items of the query, each with its name.
    let query: [ArraySlice<UInt8>]
    let fragment: ArraySlice<UInt8>?

    init(_ url: LinkURL) {
        path = PercentEncoding.decode(url.bytes[url.pathRange])[...]
        fragment = url.fragmentRange.map { PercentEncoding.decode(url.bytes[$0])[...] }
        // Android splits the query after decoding it, at ";" if there is no "&".
        let query = url.queryRange.map { PercentEncoding.decode(url.bytes[$0]) }
        let separator: UInt8 = query?.contains(UInt8(ascii: "&")) == true ? 0x26 : 0x3B
        self.query = query?.split(separator: separator) ?? []
    }
}
