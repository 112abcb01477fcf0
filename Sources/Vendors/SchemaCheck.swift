// A payload compared with what its contract knows: types that differ, members that nobody knows, and
// numbers that were written as text.
//
// Invariant: nothing is changed and nothing is lost. One finding for each place of the schema,
// however often it occurs, with pointer and offset of the first; at most
// `Limits.maximumUnknownMembers` for members that are unknown.

import AppLinks
import JSONText
import PositionedJSON

/// One comparison of a payload with a schema.
struct SchemaCheck {
    /// A kind of finding at one place.
    private struct Deviation {
        enum Kind {
            case wrongType
            case notANumber
            case unknownMember
        }

        let kind: Kind
        /// The place in the schema: the value's own, or the parent of an unknown member.
        let place: Int
        let first: JSONNode
        /// The name of an unknown member.
        let name: [UInt8]
        var count = 1
    }

    private let schema: Schema
    private var deviations: [Deviation] = []
    private var unknownMembers = 0

    /// The pointer to the value that is looked at.
    private var pointer: [UInt8] = []

    /// How many values have a normal form that differs from what was written.
    private(set) var normalizedCount = 0

    /// Their members: a pointer each, and the number.
    private var normalized = JSONWriter()

    init(_ schema: Schema) {
        self.schema = schema
        normalized.beginObject()
    }

    /// Compares `root` and all that it holds with the schema, in O(its length).
    mutating func check(_ root: JSONNode, at start: String = "") {
        pointer = Array(start.utf8)
        check(root, at: 0)
    }

    /// Writes a member `normalized`, an object of pointers and numbers; nothing without any.
    func writeNormalized(to json: inout JSONWriter) {
        if normalizedCount == 0 { return }
        json.key("normalized")
        var object = normalized
        object.endObject()
        json.raw(object.bytes)
    }

    /// Adds what was found to `findings`, in the order of the payload.
    func report(_ payload: Payload, _ findings: inout Findings) {
        for deviation in deviations { add(deviation, payload, &findings) }
    }

    // MARK: Walking

    private mutating func check(_ value: JSONNode, at place: Int) {
        let kind = value.kind
        let kinds = schema.nodes[place].kinds
        if !allows(kinds, kind, value) { note(.wrongType, at: place, value) }
        if kinds.contains(.lenient) { normalize(value, kind, at: place) }
        if schema.nodes[place].isLeaf { return }
        if kind == .object {
            checkMembers(of: value, at: place)
        } else if kind == .array, let element = schema.nodes[place].element {
            let length = pointer.count
            for (index, value) in value.elements.enumerated() {
                pointer.append(UInt8(ascii: "/"))
                pointer.append(contentsOf: String(index).utf8)
                check(value, at: element)
                pointer.removeLast(pointer.count - length)
            }
        }
    }

    private mutating func checkMembers(of object: JSONNode, at place: Int) {
        let length = pointer.count
        let node = schema.nodes[place]
        var expected = 0
        for member in object.members {
            let written = member.name.text.dropFirst().dropLast()
            let isPlain = !written.contains(UInt8(ascii: "\\"))
            let name = isPlain ? written : Array((member.name.string ?? "").utf8)[...]
            guard let child = Self.child(of: node, name, &expected) else {
                if !node.kinds.contains(.open) { noteUnknown(member, name, at: place) }
                continue
            }
            pointer.append(UInt8(ascii: "/"))
            appendToken(name, isPlain: isPlain)
            check(member.value, at: child)
            pointer.removeLast(pointer.count - length)
        }
    }

    /// The place of the member called `name`; the search goes on where the last one ended, since
    /// most objects have their members in one order.
    private static func child(
        of node: Schema.Node, _ name: ArraySlice<UInt8>, _ expected: inout Int
    ) -> Int? {
        for step in node.names.indices {
            let index = (expected + step) % node.names.count
            if node.names[index].count == name.count, name.elementsEqual(node.names[index]) {
                expected = index + 1
                return node.children[index]
            }
        }
        return node.anyMember
    }

    /// Appends a name as a pointer in JSON text has it.
    ///
    /// - Parameter isPlain: whether the name needs no escapes in JSON.
    private mutating func appendToken(_ name: ArraySlice<UInt8>, isPlain: Bool) {
        guard isPlain else {
            var json = JSONWriter()
            json.value(JSONNode.pointerToken(String(decoding: name, as: UTF8.self)))
            pointer.append(contentsOf: json.bytes.dropFirst().dropLast())
            return
        }
        for byte in name {
            switch byte {
            case UInt8(ascii: "~"): pointer.append(contentsOf: "~0".utf8)
            case UInt8(ascii: "/"): pointer.append(contentsOf: "~1".utf8)
            default: pointer.append(byte)
            }
        }
    }

    // MARK: Values

    private func allows(_ kinds: Schema.Kinds, _ kind: JSONNode.Kind, _ value: JSONNode) -> Bool {
        if kinds.isAnything { return true }
        switch kind {
        case .null: return !kinds.contains(.required)
        case .string: return !kinds.isDisjoint(with: [.string, .lenient])
        case .boolean: return !kinds.isDisjoint(with: [.boolean, .lenient])
        case .object: return kinds.contains(.object)
        case .array: return kinds.contains(.array)
        case .number:
            if !kinds.isDisjoint(with: [.number, .lenient]) { return true }
            return kinds.contains(.integer) && Self.isInteger(value.text)
        }
    }

    private static func isInteger(_ number: ArraySlice<UInt8>) -> Bool {
        for byte in number where byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e") {
            return false
        }
        return true
    }

    /// Notes the number that a text or boolean means, or that it means none.
    private mutating func normalize(_ value: JSONNode, _ kind: JSONNode.Kind, at place: Int) {
        switch kind {
        case .boolean: addNormalized(value.bool == true ? "1" : "0")
        case .string:
            let text = value.text.dropFirst().dropLast()
            if text.isEmpty { return }
            if case .number(text.count) = JSONNumber.scan(text.span, from: 0, end: text.count),
                JSONNumber.isFinite(text)
            {
                addNormalized(String(decoding: text, as: UTF8.self))
            } else if !schema.nodes[place].kinds.contains(.string) {
                note(.notANumber, at: place, value)
            }
        default: break
        }
    }

    private mutating func addNormalized(_ number: String) {
        normalizedCount += 1
        if normalizedCount > Limits.maximumNormalizedValues { return }
        // Names are JSON text as they stand, escapes and all.
        normalized.keyOfJSON(pointer)
        normalized.raw(Array(number.utf8))
    }

    // MARK: Deviations

    private mutating func note(_ kind: Deviation.Kind, at place: Int, _ value: JSONNode) {
        for index in deviations.indices
        where deviations[index].place == place && deviations[index].kind == kind {
            deviations[index].count += 1
            return
        }
        deviations.append(Deviation(kind: kind, place: place, first: value, name: []))
    }

    private mutating func noteUnknown(
        _ member: JSONMember, _ name: ArraySlice<UInt8>, at place: Int
    ) {
        for index in deviations.indices
        where deviations[index].place == place && deviations[index].kind == .unknownMember
            && name.elementsEqual(deviations[index].name)
        {
            deviations[index].count += 1
            return
        }
        unknownMembers += 1
        if unknownMembers > Limits.maximumUnknownMembers { return }
        deviations.append(
            Deviation(kind: .unknownMember, place: place, first: member.value, name: Array(name)))
    }

    private func add(_ deviation: Deviation, _ payload: Payload, _ findings: inout Findings) {
        let node = schema.nodes[deviation.place]
        let more = deviation.count > 1 ? ", and \(deviation.count - 1) more like it" : ""
        let value = Payload.description(of: deviation.first) + more
        switch deviation.kind {
        case .wrongType:
            payload.add(
                .warning, "wrong_type", about: deviation.first, expected: node.kinds.description,
                found: value, to: &findings)
        case .notANumber:
            payload.add(
                .warning, "not_a_number", about: deviation.first,
                expected: "a number, or the text of one", found: value,
                hint: NumberText.hint(on: deviation.first.text.dropFirst().dropLast()),
                to: &findings)
        case .unknownMember:
            let near = Spelling.nearest(
                to: deviation.name[...], of: node.names.map { String(decoding: $0, as: UTF8.self) })
            payload.add(
                .info, "unknown_member", about: deviation.first,
                expected: "a member of the contract",
                found: Excerpt.quoted(deviation.name[...])
                    + " in \(node.path.isEmpty ? "the root" : node.path)" + more,
                hint: near.map { "perhaps \($0) is meant" }, to: &findings)
        }
    }
}

extension Schema.Kinds {
    /// What is allowed, for people.
    fileprivate var description: String {
        let names: [(Schema.Kinds, String)] = [
            (.string, "a string"), (.integer, "an integer"), (.number, "a number"),
            (.boolean, "true or false"), (.object, "an object"), (.array, "an array"),
        ]
        return names.filter { contains($0.0) }.map(\.1).joined(separator: " or ")
    }
}
