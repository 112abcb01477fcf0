// Names that an object has twice. JSON doesn't say which one counts (RFC 8259 §4), and readers
// differ. Left out: objects deeper than the reader of the file allows.

import PositionedJSON

/// A search for members of one name in one object.
enum DuplicateKeys {
    /// Finds them at any depth below `root`, up to `Limits.findings` in all, in O(length).
    ///
    /// Needs as much stack as the file is deep.
    static func find(below root: JSONNode, _ findings: inout Findings) {
        var tokens: [String] = []
        find(in: root, &tokens, &findings)
    }

    /// `tokens` is the way to `node`; it becomes a pointer only where something is found.
    private static func find(
        in node: JSONNode, _ tokens: inout [String], _ findings: inout Findings
    ) {
        switch node.kind {
        case .array:
            for (index, element) in node.elements.enumerated() {
                tokens.append(String(index))
                find(in: element, &tokens, &findings)
                tokens.removeLast()
            }
        case .object:
            var keys: Set<String> = []
            for member in node.members {
                let key = member.name.string ?? ""
                tokens.append(key)
                if !keys.insert(key).inserted, findings.all.count < Limits.findings {
                    findings.add(
                        .duplicateKey, .warning,
                        tokens.map { "/" + FindingPlace.token($0) }.joined(), at: member.name,
                        "\(key.quoted) stands twice in one object, and readers differ in which one "
                            + "they take; keep one.")
                }
                find(in: member.value, &tokens, &findings)
                tokens.removeLast()
            }
        case .string, .number, .boolean, .null:
            break
        }
    }
}
