// Checks the text of patterns: whether it can't match any URL, or is written in another pattern
// language.

import Text

extension AssociationLint {
    /// Checks that only apply to paths.
    ///
    /// - Parameters:
    ///   - form: how it is compared; nil if some rules decode, and others don't.
    ///   - isLegacy: whether it is one of `paths`, whose rules have no other condition.
    mutating func checkPath(
        _ text: String, _ place: FindingPlace, _ form: LinkTexts.Form?, isLegacy: Bool = false
    ) {
        let elsewhere = { (part: String) in
            "only \"components\" can look at the \(part), so write the rules there."
        }
        let bytes = Array(text.utf8)
        // A decoded path holds what the URL has as %23 and %3F.
        let severity: Finding.Severity = form?.decodes == false ? .error : .warning
        if bytes.contains(UInt8(ascii: "#")) {
            let holds = severity == .error ? "never holds #" : "holds # only where the URL has %23"
            findings.add(
                .fragmentInPath, severity, place,
                "A path \(holds): "
                    + (isLegacy ? elsewhere("fragment") : "write a fragment under \"#\"."))
        } else if Self.beginsWithScheme(bytes) || Self.beginsWithHost(text) {
            findings.add(
                .hostInPath, .error, place,
                "A path begins after the host: write it without scheme and host.")
        } else if Self.hasQuery(bytes) {
            findings.add(
                .queryInPath, severity, place,
                "A path ends before the query: "
                    + (isLegacy
                        ? elsewhere("query")
                        : "write the items under \"?\", such as {\"?\": {\"id\": \"?*\"}}."))
        } else if text == "/" {
            findings.add(
                .rootOnly, .info, place, "This matches the root only; \"/*\" matches every path.")
        } else if text.unicodeScalars.count == 1, text != "*", text != "?" {
            findings.add(
                .oneCharacterPath, .error, place,
                "A path of one character gets no leading slash, so it never matches: write "
                    + "\"/\(text)\".")
        } else if text.isEmpty || !text.hasPrefix("/") && !text.hasPrefix("*") && text != "?" {
            findings.add(
                .noLeadingSlash, .info, place, "Paths begin with a slash; Apple's systems add it.")
        }
    }

    /// Checks that apply to every pattern.
    ///
    /// - Parameters:
    ///   - form: how it is compared; nil if some rules decode, and others don't.
    ///   - isLegacy: whether it is a path that iOS 13 and older read too.
    ///   - isEncoded: whether browsers percent-encode a byte in this part of a URL.
    mutating func checkPattern(
        _ text: String, _ place: FindingPlace, _ form: LinkTexts.Form?, isLegacy: Bool = false,
        isEncoded: (UInt8) -> Bool = \.isEncodedInURLs
    ) {
        let bytes = Array(text.utf8)
        let pattern = WildcardPattern(text, variables: file.variables)
        checkVariables(of: pattern, place)
        if form?.decodes != false { decodedVariables.formUnion(pattern.variableNames) }
        if form?.decodes != true { writtenVariables.formUnion(pattern.variableNames) }
        if let form {
            let isUnencoded = pattern.literals.contains(where: isEncoded)
            checkEncoding(of: text, isUnencoded, place, form, isLegacy: isLegacy)
        }
        if bytes.contains(UInt8(ascii: "\\")) {
            findings.add(
                .backslash, .warning, place,
                "A backslash escapes nothing: there is no way to write a literal * or ?.")
        } else if Self.looksLikeRegularExpression(bytes) {
            findings.add(
                .regularExpression, .warning, place,
                "Patterns aren't regular expressions: * matches any text, ? one character.")
        } else if Self.hasRouteParameter(bytes) {
            findings.add(
                .routeParameter, .warning, place,
                "Patterns have no named parameters: write * for any text.")
        }
    }

    private mutating func checkVariables(of pattern: WildcardPattern, _ place: FindingPlace) {
        switch pattern.fault {
        case .unknownVariable(let name):
            // Without room the finding is dropped, and the search for its hint takes long.
            let nearest = findings.hasRoom(for: .error) ? nearestVariable(to: name) : nil
            let hint = nearest.map { ": write $(\($0))" } ?? ""
            findings.add(
                .unknownVariable, .error, place,
                "No variable is called \(name), so this matches nothing\(hint).")
        case .unterminatedVariable:
            findings.add(
                .unterminatedVariable, .error, place,
                "A variable is written $(name); without its bracket this matches nothing.")
        case nil: break
        }
        usedVariables.formUnion(pattern.variableNames)
        if pattern.variableNames.contains("region"), !file.variables.hides("region") {
            findings.add(
                .regionWithoutUK, .info, place,
                "$(region) has the codes of ISO 3166-1 in upper case: GB, but not UK.")
        }
        let depth = pattern.depth
        if depth > Limits.appleMatchingDepth {
            findings.add(
                .manyWildcards, .error, place,
                "Apple's systems give up on \(depth) wildcards and variables: at most "
                    + "\(Limits.appleMatchingDepth) are followed.")
        } else if depth > Limits.manyWildcards {
            findings.add(
                .manyWildcards, .warning, place,
                "\(depth) wildcards and variables: matching may be slow on devices.")
        }
    }

    /// - Parameter isUnencoded: whether the text has a byte that browsers percent-encode, and that
    ///   is compared as it is.
    mutating func checkEncoding(
        of text: String, _ isUnencoded: Bool, _ place: FindingPlace, _ form: LinkTexts.Form,
        isLegacy: Bool = false
    ) {
        if form.decodes, isLegacy {
            if isUnencoded {
                findings.add(
                    .unencodedPattern, .warning, place,
                    "Before iOS 14 this matches nothing: these systems read no defaults. "
                        + "\(Self.encodingOfURLs).")
            }
            return
        }
        let bytes = Array(text.utf8)
        let escapes = bytes.indices.filter { index in
            bytes[index] == UInt8(ascii: "%") && index + 2 < bytes.count
                && CharacterClass.xdigit.contains(bytes[index + 1])
                && CharacterClass.xdigit.contains(bytes[index + 2])
        }
        if form.decodes {
            if !escapes.isEmpty {
                findings.add(
                    .encodedPattern, .warning, place,
                    "The URL is decoded before it is compared: write the characters themselves.")
            }
            return
        }
        if isUnencoded {
            findings.add(
                .unencodedPattern, .error, place,
                "\(Self.encodingOfURLs): write "
                    + (isLegacy ? "that." : "that, or \"percentEncoded\": false."))
        }
        let isLower = escapes.contains { index in
            bytes[index + 1...index + 2].contains { $0 >= UInt8(ascii: "a") }
        }
        if isLower, !form.folds {
            findings.add(
                .lowercaseEncoding, .warning, place,
                "Most programs write percent-encoding in upper case, and case matters.")
        }
    }

    private static let encodingOfURLs =
        "URLs hold spaces, \", <, > and letters beyond ASCII in percent-encoded form only, paths "
        + "also {, } and `, and fragments also `"

    // MARK: Other languages

    /// Whether the text contains `?name=`.
    static func hasQuery(_ bytes: [UInt8]) -> Bool {
        guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")) else { return false }
        let name = bytes[(mark + 1)...].prefix { byte in
            CharacterClass.alnum.contains(byte) || byte == UInt8(ascii: "_")
                || byte == UInt8(ascii: "-")
        }
        return !name.isEmpty && name.endIndex < bytes.count
            && bytes[name.endIndex] == UInt8(ascii: "=")
    }

    /// Whether `://` precedes all other slashes.
    private static func beginsWithScheme(_ bytes: [UInt8]) -> Bool {
        guard let slash = bytes.firstIndex(of: UInt8(ascii: "/")) else { return false }
        return bytes[..<slash].last == UInt8(ascii: ":") && bytes[slash...].starts(with: "//".utf8)
    }

    /// Whether the text begins with something like `www.example.com`, not with any text.
    private static func beginsWithHost(_ text: String) -> Bool {
        guard !text.hasPrefix("*"), let slash = text.firstIndex(of: "/") else { return false }
        let first = text[..<slash]
        return first.hasPrefix("www.") || first.hasSuffix(".com") || first.hasSuffix(".org")
    }

    private static func looksLikeRegularExpression(_ bytes: [UInt8]) -> Bool {
        // A dollar sign at the end isn't a variable, and "/file.*" isn't a regular expression.
        bytes.first == UInt8(ascii: "^") || bytes.last == UInt8(ascii: "$")
            || bytes.starts(with: ".*".utf8)
            || regularExpressions.contains { bytes.holds($0) }
    }

    private static let regularExpressions = [
        "/.*", ".+", "(.*", "(?:", "[^", "[a-z", "[A-Z", "[0-9",
    ].map { Array($0.utf8) }

    /// Whether a component is `:name`, `{name}` or `<name>`.
    private static func hasRouteParameter(_ bytes: [UInt8]) -> Bool {
        bytes.split(separator: UInt8(ascii: "/")).contains { component in
            switch component.first {
            case UInt8(ascii: ":"): component.count > 1
            case UInt8(ascii: "{"): component.last == UInt8(ascii: "}")
            case UInt8(ascii: "<"): component.last == UInt8(ascii: ">")
            default: false
            }
        }
    }

    /// The variable of the file or of Apple's systems that was probably meant; nil if there are too
    /// many to compare.
    private func nearestVariable(to name: String) -> String? {
        let own = file.variables.names
        let known = (own.count <= 100 ? own.sorted() : []) + SubstitutionVariables.predefinedNames
        return Spelling.nearest(to: name, among: known)
    }
}

extension [UInt8] {
    /// Whether these bytes contain `other`, in O(length × other length).
    func holds(_ other: [UInt8]) -> Bool {
        guard let first = other.first else { return true }
        return indices.contains { self[$0] == first && self[$0...].starts(with: other) }
    }
}
