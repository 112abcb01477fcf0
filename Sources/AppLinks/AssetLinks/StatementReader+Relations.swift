// The relations of a statement: `kind/detail`, both plain words.

import Text

extension StatementReader {
    /// The relations of a statement; nil if any of them is unusable.
    mutating func readRelations(of statement: FindingPlace) -> [String]? {
        let example = "[\"\(AssetLinks.Relation.handleAllURLs)\"]"
        guard let place = statement["relation"] else {
            add(
                .relationMissing, .error, statement,
                "The statement doesn't say what it allows; add \"relation\": \(example).")
            return nil
        }
        guard place.node.kind == .array else {
            add(
                .relationNotArray, .error, place,
                "\"relation\" is \(place.node.kind.phrase), and must be an array, even for one; "
                    + "write \(place.node.string.map { "[\($0.quoted)]" } ?? example).")
            return nil
        }
        let elements = place.elements
        if elements.isEmpty {
            add(
                .relationEmpty, .error, place,
                "\"relation\" is empty, so nothing is allowed; write \(example).")
            return nil
        }
        var relations: [String] = []
        for element in elements {
            guard let relation = element.node.string else {
                add(
                    .relationInvalid, .error, element,
                    "A relation must be a string, and this is \(element.node.kind.phrase); write "
                        + "\(AssetLinks.Relation.handleAllURLs.quoted).")
                continue
            }
            if let message = Self.fault(ofRelation: relation) {
                add(.relationInvalid, .error, element, message)
                continue
            }
            findUnusual(relation, at: element)
            relations.append(relation)
        }
        return relations.count == elements.count ? relations : nil
    }

    private mutating func findUnusual(_ relation: String, at place: FindingPlace) {
        let usual = AssetLinks.Relation.usual
        if usual.contains(relation) { return }
        if let meant = Spelling.nearest(to: relation, among: usual) {
            add(
                .relationUnknown, .warning, place,
                "\(relation.quoted) is unknown; write \(meant.quoted).")
        } else {
            add(
                .relationUnknown, .info, place,
                "\(relation.quoted) is valid, but not a known relation: "
                    + usual.joined(separator: ", ") + ".")
        }
    }

    /// What is wrong with a relation and what to write; nil if it is valid.
    private static func fault(ofRelation relation: String) -> String? {
        let example = "write \(AssetLinks.Relation.handleAllURLs.quoted)."
        if relation.isEmpty { return "This relation is empty; \(example)" }
        if relation.utf8.contains(UInt8(ascii: "*")) {
            return "\(relation.quoted) has a wildcard, and relations have none; list each by its "
                + "name, such as \(AssetLinks.Relation.handleAllURLs.quoted)."
        }
        if relation.utf8.contains(where: { $0 <= 0x20 }) {
            return "\(relation.quoted) has a blank in it; remove it."
        }
        let parts = relation.utf8.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            return "\(relation.quoted) must be two words with one / between them; \(example)"
        }
        let isKind = !parts[0].isEmpty && parts[0].allSatisfy { isWord($0) }
        let isDetail =
            !parts[1].isEmpty
            && parts[1].allSatisfy { isWord($0) || $0.isDigit || $0 == UInt8(ascii: ".") }
        if isKind, isDetail { return nil }
        if relation != relation.lowercased(), fault(ofRelation: relation.lowercased()) == nil {
            return "\(relation.quoted) has capital letters, and relations have none; write "
                + "\(relation.lowercased().quoted)."
        }
        return "\(relation.quoted) is not a relation: before the / come lower-case letters and _, "
            + "after it also digits and dots; \(example)"
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte.isLowercaseLetter || byte == UInt8(ascii: "_")
    }
}
