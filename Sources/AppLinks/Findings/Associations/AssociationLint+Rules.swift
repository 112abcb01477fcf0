// Checks the keys of one component or one path, and their patterns.

import JSON
import Text

extension AssociationLint {
    /// Names that are often used by mistake for the three conditions.
    private static let aliases = [
        "path": "/", "pathname": "/", "paths": "/", "pattern": "/", "url": "/", "query": "?",
        "queries": "?", "search": "?", "params": "?", "fragment": "#", "hash": "#", "anchor": "#",
        "not": "exclude", "excludes": "exclude",
    ]

    mutating func checkRule(
        _ place: FindingPlace, _ rule: AssociationRule, _ detail: AssociationDetail
    ) {
        if detail.ruleList == .paths {
            checkLegacyPath(place, decodes: rule.form.decodes)
        } else if place.node.kind == .object {
            checkComponent(place, rule)
        } else {
            findings.add(
                .wrongType, .error, place,
                "A component must be an object. This one has no conditions and matches every URL.")
        }
    }

    /// Checks the defaults of the file or of one entry.
    ///
    /// The flags of the rules that use a pattern say how it is compared, wherever it is written.
    ///
    /// - Parameters:
    ///   - outer: the defaults that these override.
    ///   - details: the entries that inherit them, given the key.
    mutating func checkDefaults(
        _ defaults: FindingPlace, over outer: ComponentKeys,
        of details: (_ key: String) -> [AssociationDetail]
    ) {
        guard requireKind(.object, of: defaults, "defaults must be an object.") else { return }
        findings.add(.newerSystem, .info, defaults, "defaults need iOS 14 or macOS 11.")
        checkKeys(of: defaults, widens: false)
        let keys = outer.overridden(by: defaults.node)
        checkPatterns(of: defaults) { key in
            var (forms, folds) = (Set<Bool>(), false)
            for detail in details(key) where key != "/" || detail.ruleList != .paths {
                for rule in detail.rules where rule.node[key] == nil {
                    forms.insert(rule.form.decodes)
                    folds = folds || rule.form.folds
                }
            }
            if forms.count > 1 { return nil }
            return LinkTexts.Form(
                decodes: forms.first ?? !keys.flag("percentEncoded", default: true),
                folds: forms.isEmpty ? !keys.flag("caseSensitive", default: true) : folds)
        }
    }

    private mutating func checkComponent(_ place: FindingPlace, _ rule: AssociationRule) {
        checkKeys(of: place, widens: rule.isUnconditional)
        checkPatterns(of: place) { _ in rule.form }
    }

    private mutating func checkKeys(of place: FindingPlace, widens: Bool) {
        for (name, value) in place.members {
            let text = name.string ?? ""
            switch text {
            case "exclude", "caseSensitive", "percentEncoded":
                checkFlag(value, text)
            case "/", "#":
                _ = requireKind(
                    .string, of: value, "\"\(text)\" must be a string.",
                    "so every \(text == "/" ? "path" : "fragment") matches")
            case "?", "comment":
                break
            default:
                checkUnknownKey(name, value.pointer, widens: widens)
            }
        }
    }

    /// Reports an unknown key, which makes a rule match more than it should.
    private mutating func checkUnknownKey(
        _ name: JSONNode, _ pointer: @autoclosure () -> String, widens: Bool
    ) {
        let text = name.string ?? ""
        let consequence = widens ? "the rule matches every URL" : "the rule doesn't check it"
        if text.lowercased().hasSuffix("comment") || text.lowercased().hasSuffix("comments") {
            findings.add(
                .misspelledKey, .info, pointer(), at: name,
                "\"\(text)\" is ignored; the usual name for a remark is \"comment\".")
        } else if let meant = Self.aliases[text.lowercased()] {
            findings.add(
                .misspelledKey, .error, pointer(), at: name,
                "\"\(text)\" is unknown, so \(consequence): write \"\(meant)\".")
        } else {
            checkUnknown(
                name, pointer(), among: ComponentKeys.names, widens ? .error : .warning,
                consequence)
        }
    }

    private mutating func checkFlag(_ value: FindingPlace, _ name: String) {
        if value.node.kind != .boolean {
            findings.add(
                .nonBooleanFlag, .error, value,
                "\(name) must be true or false. Apple's systems read this as "
                    + "\(ComponentKeys.flag(value.node)).")
        }
        if name == "percentEncoded" {
            findings.add(.newerSystem, .info, value, "percentEncoded needs iOS 14 or macOS 11.")
        } else if name == "caseSensitive" {
            findings.add(
                .newerSystem, .info, value, "caseSensitive needs iOS 13.5 or macOS 10.15.6.")
        }
    }

    /// - Parameter form: how the pattern of a key is compared; nil if some rules decode, and others
    ///   don't.
    private mutating func checkPatterns(
        of place: FindingPlace, comparedAs form: (_ key: String) -> LinkTexts.Form?
    ) {
        if let path = place["/"], let text = path.node.string {
            let rest = AssociationRule.afterNot(text)
            if rest != nil {
                findings.add(
                    .notInComponents, .error, path,
                    "NOT is part of the path here: write \"exclude\": true instead.")
            }
            let pathForm = form("/")
            checkPath(rest ?? text, path, pathForm)
            checkPattern(rest ?? text, path, pathForm, isEncoded: \.isEncodedInPaths)
        }
        if let fragment = place["#"], let text = fragment.node.string {
            checkPattern(text, fragment, form("#"), isEncoded: \.isEncodedInFragments)
            if text.utf8.first == UInt8(ascii: "#") {
                findings.add(
                    .repeatedDelimiter, .warning, fragment,
                    "A fragment begins after the #: write it without one.")
            }
        }
        guard let query = place["?"] else { return }
        let form = form("?")
        if let text = query.node.string {
            checkPattern(text, query, form)
            checkApostrophe(in: text, query, form)
            if text.utf8.first == UInt8(ascii: "?"), Self.hasQuery(Array(text.utf8)) {
                findings.add(
                    .repeatedDelimiter, .warning, query,
                    "A query begins after the ?, which stands for any character here: write it "
                        + "without one.")
            }
            if text.utf8.contains(UInt8(ascii: "&")) {
                findings.add(
                    .orderedQuery, .info, query,
                    "The items must come in this order, and no others: an object of items, such "
                        + "as {\"id\": \"?*\"}, matches them in any order.")
            }
        } else if requireKind(
            .object, of: query, "\"?\" must be a string or an object.", "so every query matches")
        {
            checkItems(of: query, form)
        }
    }

    private mutating func checkItems(of query: FindingPlace, _ form: LinkTexts.Form?) {
        for (name, value) in query.members {
            if let text = name.string { checkItemName(text, value.at(name), form) }
            guard let text = value.node.string else {
                findings.add(
                    .wrongType, .error, value,
                    "The value of an item must be a string: as one isn't, the rule ignores the "
                        + "query.")
                continue
            }
            checkPattern(text, value, form)
            checkApostrophe(in: text, value, form)
            if Self.isOnlyAsterisks(text) {
                findings.add(
                    .queryWildcard, .warning, value,
                    "\"\(text)\" also matches a missing item, so it requires nothing: write "
                        + "\"?*\" for an item that must have a value.")
            }
        }
    }

    /// Checks the name of an item, which is compared exactly and never folded.
    private mutating func checkItemName(
        _ name: String, _ place: FindingPlace, _ form: LinkTexts.Form?
    ) {
        let bytes = Array(name.utf8)
        if ["*", "?", "$("].contains(where: { bytes.holds(Array($0.utf8)) }) {
            findings.add(
                .queryName, .warning, place,
                "Names of items are compared exactly: *, ? and variables are patterns in their "
                    + "values only. Write each name out.")
        }
        guard let form else { return }
        checkEncoding(
            of: name, bytes.contains(where: \.isEncodedInURLs), place,
            LinkTexts.Form(decodes: form.decodes, folds: false))
        checkApostrophe(in: name, place, form)
        if !form.decodes, bytes.contains(where: { "=&#".utf8.contains($0) }) {
            findings.add(
                .queryName, .error, place,
                "No item has such a name, as names end before =, & and #: write an item as "
                    + "{\"id\": \"?*\"}, and these characters of a name percent-encoded.")
        }
    }

    /// Warns of an apostrophe in a query, where browsers percent-encode it, and other apps don't.
    private mutating func checkApostrophe(
        in text: String, _ place: FindingPlace, _ form: LinkTexts.Form?
    ) {
        guard let form, !form.decodes, text.utf8.contains(UInt8(ascii: "'")) else { return }
        findings.add(
            .unencodedPattern, .warning, place,
            "Browsers percent-encode ' in a query, and other apps don't: write "
                + "\"percentEncoded\": false, which matches both.")
    }

    private static func isOnlyAsterisks(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 == UInt8(ascii: "*") }
    }

    /// - Parameter decodes: whether defaults make newer systems decode the URL.
    mutating func checkLegacyPath(_ place: FindingPlace, decodes: Bool) {
        guard let text = place.node.string else {
            return findings.add(
                .wrongType, .error, place,
                "A path must be a string. This one has no conditions and matches every URL.")
        }
        var path = AssociationRule.afterNot(text) ?? text
        if let rest = Self.afterNotWithoutSpace(text) {
            findings.add(
                .notWithoutSpace, .error, place,
                "NOT must be followed by one space, or it is part of the path: write "
                    + "\"NOT \(rest)\".")
            path = rest
        } else if path.utf8.count < text.utf8.count, path.hasPrefix(" ") {
            path = String(path.drop { $0 == " " })
            findings.add(
                .notWithoutSpace, .error, place,
                "NOT must be followed by one space, and the second is part of the path: write "
                    + "\"NOT \(path)\".")
        }
        let form = LinkTexts.Form(decodes: decodes, folds: false)
        checkPath(path, place, form, isLegacy: true)
        checkPattern(path, place, form, isLegacy: true, isEncoded: \.isEncodedInPaths)
    }

    /// The text after `NOT` if the space is missing and a possible beginning of a path follows.
    private static func afterNotWithoutSpace(_ text: String) -> String? {
        guard let next = text.utf8.dropFirst(3).first else { return nil }
        let word = text.utf8.prefix(3)
        let isNot =
            switch next {
            // A path may be "not/found", which Apple's systems begin with a slash.
            case UInt8(ascii: "/"), UInt8(ascii: "*"): word.elementsEqual("NOT".utf8)
            case UInt8(ascii: "\t"): word.map(CaseFolding.folded).elementsEqual("not".utf8)
            default: false
            }
        return isNot ? String(text.dropFirst(3).drop { $0 == "\t" }) : nil
    }
}
