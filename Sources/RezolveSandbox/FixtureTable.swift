// One fixture file of the sandbox: a JSON array of objects with ids.
//
// Invariant: ids are unique. Rows are served as written, so a fixture may have any member that an
// app needs. Left out: the meaning of the members; `RezolveFixtures` checks that.

import JSON

/// An invalid fixture.
package struct FixtureError: Error, Equatable, CustomStringConvertible {
    /// Path, line and column, and how to correct it.
    package let description: String
}

/// The rows of one file, by id.
package struct FixtureTable: Sendable {
    /// The file's name in messages.
    let path: String

    /// The rows in the file's order.
    package let rows: [JSONNode]

    private let byID: [String: JSONNode]

    /// Parses a file.
    ///
    /// Throws the first error, with its place.
    init(_ content: [UInt8], path: String) throws(FixtureError) {
        self.path = path
        let document: JSONDocument
        do throws(JSONFault) {
            document = try JSONDocument(parsing: content)
        } catch {
            throw FixtureError(
                description: "\(path):\(error.line):\(error.column): expected \(error.expected), "
                    + "found \(error.found)")
        }
        guard document.root.kind == .array else {
            throw Self.error(path, document.root, "the file must be an array of objects")
        }
        var byID: [String: JSONNode] = [:]
        for row in document.root.elements {
            guard let id = Self.id(row["id"]) else {
                throw Self.error(path, row, "each row must be an object with an id")
            }
            guard byID.updateValue(row, forKey: id) == nil else {
                throw Self.error(path, row["id"] ?? row, "the id \(id) is repeated")
            }
        }
        rows = Array(document.root.elements)
        self.byID = byID
    }

    /// The row with an id; ids are compared as text.
    package subscript(id: String?) -> JSONNode? { id.flatMap { byID[$0] } }

    /// The text of an id or a reference: a string, or a whole number.
    package static func id(_ node: JSONNode?) -> String? {
        guard let node else { return nil }
        if let text = node.string { return text.isEmpty ? nil : text }
        return node.int.map { String($0) }
    }

    /// An error about a value of this file.
    func error(_ node: JSONNode, _ sentence: String) -> FixtureError {
        Self.error(path, node, sentence)
    }

    private static func error(_ path: String, _ node: JSONNode, _ sentence: String) -> FixtureError
    {
        let place = node.position
        return FixtureError(description: "\(path):\(place.line):\(place.column): \(sentence)")
    }
}

extension JSONNode {
    /// A member unless it is null, which chooses nothing, as its absence does.
    func member(_ name: String) -> JSONNode? {
        self[name].flatMap { $0.kind == .null ? nil : $0 }
    }

    /// The elements of an array member; empty if there is no such array.
    package func elements(of name: String) -> [JSONNode] {
        self[name].map { Array($0.elements) } ?? []
    }
}
