// `relation_extensions`: where Android 15 finds an app's rules, and where it ignores them.

import Text

extension StatementReader {
    private static let rulesKey = "dynamic_app_link_components"

    /// The dynamic rules of a statement; nil if there are none that Android finds.
    mutating func readExtensions(
        of statement: FindingPlace, relations: [String]?, target: AssetLinks.Target?
    ) -> AssetLinks.DynamicRules? {
        guard let place = statement["relation_extensions"] else { return nil }
        let relation = AssetLinks.Relation.handleAllURLs
        guard place.node.kind == .object else {
            add(
                .extensionNotObject, .error, place,
                "\"relation_extensions\" is \(place.node.kind.phrase), and must be an object; write "
                    + "{\(relation.quoted): {\(Self.rulesKey.quoted): […]}}.")
            return nil
        }
        for member in place.members where findings.hasRoom(for: .warning) {
            let key = member.name.string ?? ""
            if key == relation { continue }
            add(
                .extensionIgnored, .warning, member,
                "Android reads rules under \(relation.quoted) only, and this is "
                    + "\(key.quoted); write the rules there.")
        }
        guard let members = place[relation] else { return nil }
        if let relations, !relations.contains(relation) {
            add(
                .extensionIgnored, .warning, members,
                "These rules are about a relation that the statement doesn't have; add "
                    + "\(relation.quoted) to \"relation\".")
        }
        if case .web = target {
            add(
                .extensionIgnored, .warning, members,
                "Rules are for apps, and the target is a site; write them into an app's statement.")
        }
        guard members.node.kind == .object else {
            add(
                .extensionNotObject, .error, members,
                "An extension is an object, and this is \(members.node.kind.phrase); write "
                    + "{\(Self.rulesKey.quoted): […]}.")
            return nil
        }
        findUnknownKeys(of: members, known: [Self.rulesKey])
        return members[Self.rulesKey].flatMap { readRules($0) }
    }

    private mutating func readRules(_ place: FindingPlace) -> AssetLinks.DynamicRules? {
        guard place.node.kind == .array else {
            add(
                .dynamicRulesNotArray, .error, place,
                "\(Self.rulesKey.quoted) is \(place.node.kind.phrase), and must be an array, even for "
                    + "one; write [{\"/\": \"/shop/*\"}].")
            return nil
        }
        let rules = place.elements.map { readRule($0) }
        if rules.isEmpty {
            add(
                .dynamicRulesEmpty, .info, place,
                "The list of rules is empty, so the app's manifest alone decides; remove it, or "
                    + "add a rule such as {\"/\": \"/shop/*\"}.")
            return nil
        }
        if !rules.contains(where: { $0.isUsable && !$0.excludes }) {
            add(
                .dynamicRulesClaimNothing, .warning, place,
                "No rule claims a link, so the app opens none: links that match no rule stay in "
                    + "the browser; add {\"/\": \"*\"} as the last rule.")
        }
        findUnreachable(rules, at: place)
        return AssetLinks.DynamicRules(rules: rules, pointer: place.pointer)
    }

    private mutating func findUnreachable(_ rules: [AssetLinks.DynamicRule], at place: FindingPlace)
    {
        var earlier: [Parts: Int] = [:]
        var beginnings = Beginnings()
        var catchAll: Int?
        for (index, (rule, element)) in zip(rules, place.elements).enumerated() where rule.isUsable
        {
            let parts = Parts(rule)
            if let catchAll {
                add(
                    .dynamicRuleUnreachable, .warning, element,
                    "This rule is never reached: rule \(catchAll) before it matches every link; move "
                        + "this one before it.")
            } else if let same = earlier[parts] {
                add(
                    .dynamicRuleUnreachable, .warning, element,
                    "This rule is never reached: rule \(same) before it has the same patterns; remove "
                        + "one of them.")
            } else if let wider = beginnings.first(covering: rule) {
                add(
                    .dynamicRuleUnreachable, .warning, element,
                    "This rule is never reached: rule \(wider) before it matches all that this one "
                        + "matches; move this one before it, or remove it.")
            }
            if catchAll == nil, rule.isCatchAll { catchAll = index }
            if earlier[parts] == nil { earlier[parts] = index }
            beginnings.add(rule, index)
        }
    }

    /// The parts that decide whether a rule matches.
    private struct Parts: Hashable {
        let path: String?
        let query: Set<AssetLinks.DynamicRule.QueryItem>
        let fragment: String?

        init(_ rule: AssetLinks.DynamicRule) {
            path = rule.path
            query = Set(rule.query)
            fragment = rule.fragment
        }
    }
}

/// The rules that match every link whose path begins with a text: `/a/*` and nothing else.
private struct Beginnings {
    /// The first rule of each text, by its hash.
    private var rules: [FNV1a: (text: ArraySlice<UInt8>, index: Int)] = [:]

    mutating func add(_ rule: AssetLinks.DynamicRule, _ index: Int) {
        guard let path = rule.path.map({ Array($0.utf8) }), rule.query.isEmpty,
            rule.fragment == nil
        else { return }
        let text = path.prefix { !Self.isWildcard($0) }
        let rest = path[text.endIndex...]
        guard !rest.isEmpty, rest.allSatisfy({ $0 == UInt8(ascii: "*") }) else { return }
        let hash = FNV1a(Array(text))
        if rules[hash] == nil { rules[hash] = (text, index) }
    }

    /// The index of an added rule that matches everything that `rule` matches; nil if none does.
    ///
    /// It compares what `rule` has before its first wildcard.
    ///
    /// O(length of the path).
    func first(covering rule: AssetLinks.DynamicRule) -> Int? {
        guard !rules.isEmpty, let path = rule.path.map({ Array($0.utf8) }) else { return nil }
        var hash = FNV1a()
        for (index, byte) in path.enumerated() {
            if Self.isWildcard(byte) { return nil }
            hash.add(byte)
            if let found = rules[hash], found.text == path[...index] { return found.index }
        }
        return nil
    }

    private static func isWildcard(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?")
    }
}
