// A link against dynamic rules: the first one that matches decides.
//
// Unlike Apple's rules these compare decoded text, want what they name to be there, and match
// nothing when they name nothing.

extension AssetLinks.DynamicRules {
    /// What the rules say of a link.
    ///
    /// - An item of the query must be there; of several with one name one must match.
    /// - A rule with a fragment never matches a link without one.
    /// - Where a pattern has a `*` before its end, a device may refuse what is claimed here: it
    ///   stops at the first place where the character behind the `*` stands, and doesn't go back.
    ///
    /// - Parameter url: the link; scheme and host don't count.
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
            // Name and value are one pattern, as on a device: a name may have wildcards too.
            let pattern = ComponentPattern(item.name + "=" + item.value)
            return link.query.contains { pattern.matches($0) }
        }
    }
}

/// The parts of a link as Android compares them.
private struct DecodedLink {
    let path: ArraySlice<UInt8>
    /// The pieces of the query, each with its name.
    let query: [ArraySlice<UInt8>]
    let fragment: ArraySlice<UInt8>?

    init(_ url: LinkURL) {
        path = Self.decoded(url.bytes[url.pathRange])[...]
        fragment = url.fragmentRange.map { Self.decoded(url.bytes[$0])[...] }
        // Android divides the query after it was decoded, at ";" where there is no "&".
        let query = url.queryRange.map { Self.decoded(url.bytes[$0]) }
        let separator: UInt8 = query?.contains(UInt8(ascii: "&")) == true ? 0x26 : 0x3B
        self.query = query?.split(separator: separator) ?? []
    }

    /// The bytes with each `%` and its two digits decoded; a `%` without them stands for itself.
    private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2, let high = rest.first?.hexDigitValue,
                let low = rest.dropFirst().first?.hexDigitValue
            {
                decoded.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte)
            }
        }
        return decoded
    }
}

extension UInt8 {
    fileprivate var hexDigitValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
