// An object of a line that is imported, with the rules that all of them share.
//
// Invariant: every member is known and stands once.

import JSON

/// The members of an object whose names have been checked.
package struct ImportedObject {
    private let node: JSONNode
    private let pointer: String

    /// - Throws: when the value is no object, or has a member that is unknown or stands twice.
    package init(_ node: JSONNode, known: [String]) throws(RecordImportError) {
        self.node = node
        pointer = node.pointer
        guard node.kind == .object else { throw Self.error(node, "must be an object") }
        var seen: Set<String> = []
        for member in node.members {
            let name = member.name.string ?? ""
            guard known.contains(name) else {
                let names = known.joined(separator: ", ")
                throw Self.error(member.name, "is unknown; known are \(names)")
            }
            guard seen.insert(name).inserted else {
                throw Self.error(member.name, "stands twice")
            }
        }
    }

    /// What is wrong with a value, at its place.
    package static func error(_ node: JSONNode, _ problem: String) -> RecordImportError {
        RecordImportError(
            pointer: node.pointer, offset: node.byteRange.lowerBound, problem: problem)
    }

    /// The value of a member that may be left out.
    package func optional(_ name: String) -> JSONNode? { node[name] }

    /// The value of a member that must be there.
    package func required(_ name: String) throws(RecordImportError) -> JSONNode {
        guard let value = node[name] else {
            throw RecordImportError(
                pointer: pointer + "/" + name, offset: node.byteRange.lowerBound,
                problem: "is missing")
        }
        return value
    }

    /// A member that must be a string, and what `rule` says in words.
    package func text(
        _ name: String, rule: String = "a string", where isRight: (String) -> Bool = { _ in true }
    ) throws(RecordImportError) -> String {
        let value = try required(name)
        guard let text = value.string, isRight(text) else {
            throw Self.error(value, "must be \(rule)")
        }
        return text
    }

    /// A member that must be `null`, or a string and what `rule` says in words.
    package func textOrNull(
        _ name: String, rule: String = "a string", where isRight: (String) -> Bool = { _ in true }
    ) throws(RecordImportError) -> String? {
        if try required(name).kind == .null { return nil }
        return try text(name, rule: rule + " or null", where: isRight)
    }

    /// A member of a kind as compact JSON text.
    package func compact(_ name: String, _ kind: JSONNode.Kind) throws(RecordImportError) -> [UInt8]
    {
        let value = try required(name)
        guard value.kind == kind else { throw Self.error(value, "must be an \(kind.rawValue)") }
        return Self.compact(value)
    }

    /// A value as JSON text without whitespace.
    package static func compact(_ node: JSONNode) -> [UInt8] {
        var text: [UInt8] = []
        node.appendCompact(to: &text)
        return text
    }
}
