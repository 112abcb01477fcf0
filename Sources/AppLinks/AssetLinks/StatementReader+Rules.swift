// One dynamic rule: its parts as a device reads them, and what its author should know.

import JSON
import Text

extension StatementReader {
    /// Reads a rule; an unusable one keeps its place, because rules are identified by their index.
    mutating func readRule(_ place: FindingPlace) -> AssetLinks.DynamicRule {
        guard place.node.kind == .object else {
            add(
                .dynamicRuleNotObject, .error, place,
                "A rule is an object, and this is \(place.node.kind.phrase); write "
                    + "{\"/\": \"/shop/*\"}.")
            return Self.unusable(at: place)
        }
        findUnknownParts(of: place)
        var isUsable = true
        let path = readPattern(place["/"], &isUsable)
        let fragment = readPattern(place["#"], &isUsable)
        let query = readQuery(place["?"], &isUsable)
        let excludes = readExclude(place["exclude"])
        if let path, let text = place["/"] { findFaults(ofPath: path, at: text) }
        if isUsable, path == nil, fragment == nil, query.isEmpty {
            isUsable = false
            add(
                .dynamicRuleEmpty, .error, place,
                "A rule without \"/\", \"?\" or \"#\" matches no link on Android; write "
                    + (excludes ? "{\"/\": \"*\", \"exclude\": true}" : "{\"/\": \"*\"}")
                    + " for all of them.")
        }
        return AssetLinks.DynamicRule(
            path: path, query: query, fragment: fragment, excludes: excludes,
            pointer: place.pointer, isUsable: isUsable)
    }

    private static func unusable(at place: FindingPlace) -> AssetLinks.DynamicRule {
        AssetLinks.DynamicRule(
            path: nil, query: [], fragment: nil, excludes: false, pointer: place.pointer,
            isUsable: false)
    }

    /// A pattern; nil if it is missing.
    private mutating func readPattern(_ place: FindingPlace?, _ isUsable: inout Bool) -> String? {
        guard let place else { return nil }
        guard let pattern = place.node.string else {
            isUsable = false
            add(
                .dynamicPartInvalid, .error, place,
                "A pattern must be a string, and this is \(place.node.kind.phrase); write it in "
                    + "quotation marks.")
            return nil
        }
        if pattern.isEmpty {
            isUsable = false
            add(
                .dynamicPatternEmpty, .error, place,
                "Android rejects an empty pattern; remove the part, or write \"*\".")
        }
        findFaults(ofPattern: pattern, at: place)
        return pattern
    }

    private mutating func readQuery(
        _ place: FindingPlace?, _ isUsable: inout Bool
    ) -> [AssetLinks.DynamicRule.QueryItem] {
        guard let place else { return [] }
        // A device ignores it (AOSP, `StatementParser`).
        guard place.node.kind == .object else {
            add(
                .dynamicPartInvalid, .error, place,
                "\"?\" is \(place.node.kind.phrase), which Android ignores, so the rule "
                    + "matches more; write an object of names and patterns, {\"name\": \"pattern\"}."
            )
            return []
        }
        var query: [AssetLinks.DynamicRule.QueryItem] = []
        for (name, value) in place.members {
            guard let pattern = value.node.string else {
                isUsable = false
                add(
                    .dynamicPartInvalid, .error, value,
                    "The pattern of a query item must be a string, and this is "
                        + "\(value.node.kind.phrase); write it in quotation marks.")
                continue
            }
            findFaults(ofPattern: pattern, at: value)
            query.append(AssetLinks.DynamicRule.QueryItem(name: name.string ?? "", value: pattern))
        }
        return query
    }

    private mutating func readExclude(_ place: FindingPlace?) -> Bool {
        guard let place else { return false }
        if let exclude = place.node.bool { return exclude }
        // Android also accepts the two words, in any case, and reads everything else as false.
        let isTrue = place.node.string?.lowercased() == "true"
        add(
            .dynamicPartInvalid, .error, place,
            "\"exclude\" is \(place.node.kind.phrase), which Android reads as \(isTrue); write "
                + "true or false without quotation marks.")
        return isTrue
    }
}

// Surprises in patterns and keys.
extension StatementReader {
    private mutating func findFaults(ofPattern pattern: String, at place: FindingPlace) {
        let bytes = Array(pattern.utf8)
        if Self.hasTriplet(bytes) {
            add(
                .dynamicPatternEncoded, .warning, place,
                "Android decodes a link before it compares it, so \(pattern.quoted) matches no "
                    + "encoded character; write the character itself.")
        }
        if bytes.dropLast().contains(UInt8(ascii: "*")) {
            add(
                .dynamicWildcardInside, .info, place,
                "On Android, a * before the end stops at the first occurrence of the character after "
                    + "it, without backtracking: \"/*/end\" doesn't match \"/a/b/end\"; if that "
                    + "matters, end the pattern with the *.")
        }
    }

    private mutating func findFaults(ofPath pattern: String, at place: FindingPlace) {
        let bytes = Array(pattern.utf8)
        if let first = bytes.first, ![0x2F, 0x2A, 0x3F].contains(first) {
            add(
                .dynamicPathUnrooted, .error, place,
                "Every path begins with a /, so \(pattern.quoted) matches none; write "
                    + "\(("/" + pattern).quoted).")
        }
        if bytes.contains(UInt8(ascii: "#")) {
            add(
                .dynamicPathHasFragment, .warning, place,
                "A path ends before the #, so \(pattern.quoted) matches none; write what "
                    + "follows it as the pattern of \"#\".")
        }
        if let mark = bytes.firstIndex(of: UInt8(ascii: "?")),
            bytes[mark...].contains(UInt8(ascii: "="))
        {
            add(
                .dynamicPathHasQuery, .warning, place,
                "A path ends before the query, and the ? in \(pattern.quoted) matches any "
                    + "character; write the query as \"?\": {\"name\": \"pattern\"}.")
        }
    }

    private mutating func findUnknownParts(of rule: FindingPlace) {
        for member in rule.members where findings.hasRoom(for: .error) {
            let key = member.name.string ?? ""
            switch key {
            case "/", "?", "#", "exclude", "comment", "comments": continue
            case "caseSensitive", "percentEncoded":
                add(
                    .unknownKey, .warning, member,
                    "\(key.quoted) is Apple's: Android ignores this key, compares with case and "
                        + "decodes links first; remove it.")
            default:
                let meant =
                    Self.synonyms[key.lowercased()]
                    ?? Spelling.nearest(to: key, among: ["exclude"])
                add(
                    meant == nil ? .unknownKey : .misspelledKey, .error, member,
                    "\(key.quoted) is unknown in a rule, so the rule doesn't do what it says; "
                        + (meant.map { "write \($0.quoted)." }
                            ?? "a rule has \"/\", \"?\", \"#\" and \"exclude\"."))
            }
        }
    }

    private static let synonyms = [
        "path": "/", "paths": "/", "query": "?", "fragment": "#", "hash": "#", "not": "exclude",
    ]

    /// Whether there is a `%` followed by two hexadecimal digits.
    private static func hasTriplet(_ bytes: [UInt8]) -> Bool {
        bytes.indices.contains { index in
            PercentEncoding.octet(bytes.span, at: index, end: bytes.count) != nil
        }
    }
}
