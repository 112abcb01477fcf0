// Typed values of JSON objects; one list of members defines both reading and writing.
//
// Invariant: written values are read back unchanged, because there is only one list. Reading never
// fails: a member of another type is absent here, and the decoder reports it.

import JSON

/// A JSON object of a vendor's contract.
protocol JSONModel {
    /// Creates a value without any member.
    init()

    /// Reads a text that some apps write instead of an object; nil if none does.
    init?(text: String)

    /// Passes each member to `members`, in the order of writing.
    mutating func map(_ members: inout some JSONModelMap)
}

/// Reads or writes the members of a `JSONModel`; nil is an absent member.
protocol JSONModelMap {
    mutating func map(_ name: String, _ value: inout String?)
    mutating func map(_ name: String, _ value: inout Int?)
    mutating func map(_ name: String, _ value: inout Double?)
    mutating func map(_ name: String, _ value: inout Bool?)
    mutating func map(_ name: String, _ value: inout LooseScalar?)
    mutating func map(_ name: String, _ value: inout OpenJSON?)
    mutating func map(_ name: String, _ value: inout [String]?)
    mutating func map<Model: JSONModel>(_ name: String, _ value: inout Model?)
    mutating func map<Model: JSONModel>(_ name: String, _ value: inout [Model]?)

    /// Maps an object whose members are named by the values' own ids.
    mutating func map<Model: JSONModel>(
        _ name: String, _ value: inout [Model]?, id: WritableKeyPath<Model, String>)
}

/// The spelling of members' names.
enum NameSpelling {
    /// As in the list of members: `started_at`.
    case snakeCase
    /// `startedAt`.
    case camelCase

    /// A name from the list of members in this spelling.
    func spelled(_ name: String) -> String {
        // A leading `_` belongs to the name.
        guard self == .camelCase, !name.hasPrefix("_") else { return name }
        let words = name.split(separator: "_")
        let others = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return (words.prefix(1).map(String.init) + others).joined()
    }
}

extension JSONModel {
    init?(text: String) { nil }

    /// Reads an object; members that are missing or of another type are absent.
    init(reading node: JSONNode, as spelling: NameSpelling = .snakeCase) {
        self.init()
        var reader = JSONModelReader(node, spelling)
        map(&reader)
    }

    /// The object as compact JSON text.
    func json(as spelling: NameSpelling = .snakeCase) -> [UInt8] {
        var writer = JSONModelWriter(spelling)
        var copy = self
        writer.write(&copy)
        return writer.json.bytes
    }
}
