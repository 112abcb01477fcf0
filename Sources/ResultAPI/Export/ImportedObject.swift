// An object in an imported line, with the rules that all objects share.
//
// Invariant: every member is known and occurs once.

import JSON

/// The first error in a line.
package struct RecordImportError: Error, Equatable, CustomStringConvertible {
    /// The member as a JSON pointer (RFC 6901); empty for the line as a whole.
    package let pointer: String
    /// Byte offset in the line, from 0; for a missing member, the offset of its object.
    package let offset: Int
    /// What is wrong and what is expected; follows the member's name.
    package let problem: String

    /// One sentence.
    package var description: String {
        "\(pointer.isEmpty ? "the line" : pointer) \(problem) (byte \(offset) of the line)"
    }
}

/// The members of an object; their names have been checked.
struct ImportedObject {
    private let node: JSONNode
    private let pointer: String

    /// - Throws: if the value is not an object, or has an unknown or repeated member.
    init(_ node: JSONNode, known: [String]) throws(RecordImportError) {
        self.node = node
        pointer = node.pointer
        guard node.kind == .object else { throw Self.error(node, "must be an object") }
        var seen: Set<String> = []
        for member in node.members {
            let name = member.name.string ?? ""
            guard known.contains(name) else {
                let names = known.joined(separator: ", ")
                throw Self.error(member.name, "is unknown; known members: \(names)")
            }
            guard seen.insert(name).inserted else {
                throw Self.error(member.name, "is repeated")
            }
        }
    }

    /// An error about a value, with its place.
    static func error(_ node: JSONNode, _ problem: String) -> RecordImportError {
        RecordImportError(
            pointer: node.pointer, offset: node.byteRange.lowerBound, problem: problem)
    }

    /// The value of an optional member.
    func optional(_ name: String) -> JSONNode? { node[name] }

    /// The value of a required member.
    func required(_ name: String) throws(RecordImportError) -> JSONNode {
        guard let value = node[name] else {
            throw RecordImportError(
                pointer: pointer + "/" + name, offset: node.byteRange.lowerBound,
                problem: "is missing")
        }
        return value
    }

    /// A member that must be a string that `rule` describes.
    func text(
        _ name: String, rule: String = "a string", where isValid: (String) -> Bool = { _ in true }
    ) throws(RecordImportError) -> String {
        let value = try required(name)
        guard let text = value.string, isValid(text) else {
            throw Self.error(value, "must be \(rule)")
        }
        return text
    }

    /// A member that must be `null` or a string that `rule` describes.
    func textOrNull(
        _ name: String, rule: String = "a string", where isValid: (String) -> Bool = { _ in true }
    ) throws(RecordImportError) -> String? {
        if try required(name).kind == .null { return nil }
        return try text(name, rule: rule + " or null", where: isValid)
    }

    /// A member of the given kind as compact JSON text.
    func compact(_ name: String, _ kind: JSONNode.Kind) throws(RecordImportError) -> [UInt8] {
        let value = try required(name)
        guard value.kind == kind else { throw Self.error(value, "must be an \(kind.rawValue)") }
        return value.compactText
    }
}
