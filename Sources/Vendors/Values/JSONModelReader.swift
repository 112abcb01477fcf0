// Reads the members of a `JSONModel` from a JSON object. Left out: diagnostics, which the decoder
// makes.

import JSON

/// The reading side of `JSONModelMap`.
struct JSONModelReader: JSONModelMap {
    private let node: JSONNode
    private let spelling: NameSpelling

    init(_ node: JSONNode, _ spelling: NameSpelling) {
        self.node = node
        self.spelling = spelling
    }

    mutating func map(_ name: String, _ value: inout String?) { value = self[name]?.string }
    mutating func map(_ name: String, _ value: inout Int?) { value = self[name]?.int }
    mutating func map(_ name: String, _ value: inout Double?) { value = self[name]?.double }
    mutating func map(_ name: String, _ value: inout Bool?) { value = self[name]?.bool }

    mutating func map(_ name: String, _ value: inout LooseScalar?) {
        value = self[name].flatMap(LooseScalar.init)
    }

    mutating func map(_ name: String, _ value: inout OpenJSON?) {
        value = self[name].map(OpenJSON.init)
    }

    mutating func map(_ name: String, _ value: inout [String]?) {
        value = array(name)?.compactMap(\.string)
    }

    mutating func map<Model: JSONModel>(_ name: String, _ value: inout Model?) {
        value = self[name].flatMap(model)
    }

    mutating func map<Model: JSONModel>(_ name: String, _ value: inout [Model]?) {
        value = array(name)?.compactMap(model)
    }

    mutating func map<Model: JSONModel>(
        _ name: String, _ value: inout [Model]?, id: WritableKeyPath<Model, String>
    ) {
        guard let object = self[name], object.kind == .object else {
            value = nil
            return
        }
        value = object.members.compactMap { member in
            guard var model: Model = model(member.value), let name = member.name.string else {
                return nil
            }
            model[keyPath: id] = name
            return model
        }
    }

    private subscript(name: String) -> JSONNode? { node[spelling.spelled(name)] }

    private func array(_ name: String) -> JSONElements? {
        guard let array = self[name], array.kind == .array else { return nil }
        return array.elements
    }

    private func model<Model: JSONModel>(_ node: JSONNode) -> Model? {
        if let text = node.string { return Model(text: text) }
        return node.kind == .object ? Model(reading: node, as: spelling) : nil
    }
}

extension JSONNode {
    /// The members of the object `name` that are strings.
    func strings(in name: String) -> [String: String] {
        var strings: [String: String] = [:]
        guard let object = self[name] else { return strings }
        for member in object.members {
            if let name = member.name.string { strings[name] = member.value.string }
        }
        return strings
    }
}
