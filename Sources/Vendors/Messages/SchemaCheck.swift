// Compares a payload with its contract: values of another type or outside their list, missing and
// unknown members, and numbers written as text.
//
// Invariant: the payload is not changed. There is one diagnostic for each place of the schema,
// however often it occurs, with pointer and offset of the first; at most
// `Limits.maximumUnknownMembers` for unknown members.

import JSON
import Text

/// One comparison of a payload with a schema.
struct SchemaCheck {
    /// A kind of deviation at one place.
    private struct Deviation {
        enum Kind {
            case wrongType
            case notANumber
            case notFinite
            case notADateTime
            case unknownValue
            case missingMember
            case unknownMember
        }

        let kind: Kind
        /// The place in the schema: the value's own, or the parent of an unknown member.
        ///
        /// For a missing member, its own.
        let place: Int
        /// The tape index of the first one; for a missing member, of its object.
        let first: Int
        /// The name of an unknown member.
        let name: [UInt8]
        var count = 1
    }

    private let schema: Schema
    private let document: JSONDocument
    private var deviations: [Deviation] = []
    private var unknownMembers = 0

    /// The pointer to the current value, as JSON text, if its node needs one.
    private var pointer: [UInt8] = []

    /// Number of values whose normal form differs from the original.
    private var normalizedCount = 0

    /// Their members: pointer and number.
    private var normalized: JSONWriter?

    init(_ schema: Schema, _ document: JSONDocument) {
        self.schema = schema
        self.document = document
    }

    /// Compares `root` and everything below it with the schema, in O(its length).
    mutating func check(_ root: JSONNode) {
        check(root.index, at: 0)
    }

    /// Writes a member `normalized`, an object of pointers and numbers; nothing if there are none.
    func writeNormalized(to json: inout JSONWriter) {
        guard var normalized else { return }
        normalized.endObject()
        json.key("normalized")
        json.raw(normalized.bytes)
    }

    /// Adds the deviations to `findings`, in the order of the payload.
    func report(_ payload: Payload, _ findings: inout Findings) {
        for deviation in deviations { add(deviation, payload, &findings) }
    }

    // MARK: Walking

    // Walks the tape directly: a node for each of thousands of values would cost most of the time.

    private mutating func check(_ index: Int, at place: Int) {
        let (entry, node) = (document.tape[index], schema.nodes[place])
        if !allows(node, entry) {
            note(.wrongType, at: place, index)
        } else if !node.values.isEmpty {
            checkValue(entry, index, at: place)
        } else if node.isDateTime {
            checkDateTime(entry, index, at: place)
        }
        if node.isLenient { normalize(entry, index, at: place) }
        if node.isLeaf {
            if case .number = entry.tag, !isShort(entry),
                !JSONNumber.isFinite(document.bytes[entry.byteRange])
            {
                note(.notFinite, at: place, index)
            }
            return
        }
        if case .object = entry.tag {
            checkMembers(of: index, at: place)
        } else if case .array = entry.tag, let element = node.element {
            checkElements(of: index, at: element)
        }
    }

    private mutating func checkElements(of array: Int, at place: Int) {
        let (length, end) = (pointer.count, Int(document.tape[array].next))
        let needsPointer = schema.nodes[place].needsPointer
        var (index, position) = (array + 1, 0)
        while index < end {
            if needsPointer {
                pointer.append(UInt8(ascii: "/"))
                pointer.append(decimal: position)
            }
            check(index, at: place)
            if needsPointer { pointer.removeLast(pointer.count - length) }
            (index, position) = (Int(document.tape[index].next), position + 1)
        }
    }

    private mutating func checkMembers(of object: Int, at place: Int) {
        let (node, length) = (schema.nodes[place], pointer.count)
        let end = Int(document.tape[object].next)
        var index = object + 1
        var expected = 0
        var missing = node.promised
        while index < end {
            let entry = document.tape[index]
            let value = index + 1
            let name = Int(entry.start) + 1..<Int(entry.end) - 1
            let known = member(of: node, entry, name, &expected)
            if let known { missing &= ~(1 << UInt64(known - node.members.lowerBound)) }
            if let child = known.map({ schema.members[$0].node }) ?? node.anyMember {
                let needsPointer = schema.nodes[child].needsPointer
                if needsPointer { appendToken(entry, name) }
                check(value, at: child)
                if needsPointer { pointer.removeLast(pointer.count - length) }
            } else if !node.isOpen {
                noteUnknown(value, name, at: place)
            }
            index = Int(document.tape[value].next)
        }
        while missing != 0 {
            let member = node.members.lowerBound + missing.trailingZeroBitCount
            note(.missingMember, at: schema.members[member].node, object)
            missing &= missing &- 1
        }
    }

    /// The known member with the name at `name`, as an index of the schema; nil for an unknown one.
    ///
    /// The search continues where the last one ended, because most objects have their members in
    /// the same order.
    private func member(
        of node: Schema.Node, _ entry: TapeEntry, _ name: Range<Int>, _ expected: inout Int
    ) -> Int? {
        if entry.hasEscapes {
            let unescaped = unescaped(name)
            return node.members.first {
                schema.text[schema.members[$0].name].elementsEqual(unescaped)
            }
        }
        for _ in node.members {
            let index = node.members.lowerBound + expected
            expected = expected + 1 < node.members.count ? expected + 1 : 0
            if isName(schema.members[index].name, at: name) { return index }
        }
        return nil
    }

    private func isName(_ known: Range<Int>, at name: Range<Int>) -> Bool {
        guard known.count == name.count else { return false }
        let (text, bytes) = (schema.text.span, document.bytes.span)
        // Names of equal length often begin alike, and rarely end alike.
        if text[known.upperBound - 1] != bytes[name.upperBound - 1] { return false }
        for distance in 0..<known.count
        where text[known.lowerBound + distance] != bytes[name.lowerBound + distance] {
            return false
        }
        return true
    }

    private func unescaped(_ text: Range<Int>) -> [UInt8] {
        var unescaped: [UInt8] = []
        JSONEscapes.unescape(document.bytes, range: text, to: &unescaped)
        return unescaped
    }

    /// Appends a member's name as a pointer token in JSON text.
    private mutating func appendToken(_ entry: TapeEntry, _ name: Range<Int>) {
        pointer.append(UInt8(ascii: "/"))
        let bytes = document.bytes
        let sign = bytes.span.place(
            of: UInt8(ascii: "~"), or: UInt8(ascii: "/"), from: name.lowerBound,
            to: name.upperBound)
        if !entry.hasEscapes, sign == name.upperBound {
            // Credentials in such a name are found in the whole result.
            pointer.append(contentsOf: bytes[name])
            return
        }
        var json = JSONWriter()
        json.value(SafePointer.token(of: unescaped(name)))
        pointer.append(contentsOf: json.bytes.dropFirst().dropLast())
    }

    // MARK: Values

    private func allows(_ node: Schema.Node, _ entry: TapeEntry) -> Bool {
        switch entry.tag {
        case .null: !node.isPromised || node.types.contains(.null)
        case .string, .name: node.types.contains(.string) || node.isLenient
        case .yes, .no: node.types.contains(.boolean) || node.isLenient
        case .object: node.types.contains(.object)
        case .array: node.types.contains(.array)
        case .number:
            node.types.contains(.number) || node.types.contains(.integer) && isInteger(entry)
        }
    }

    /// Whether a number is so short that it must be finite.
    private func isShort(_ entry: TapeEntry) -> Bool {
        entry.byteRange.count < 20 && isInteger(entry)
    }

    private func isInteger(_ entry: TapeEntry) -> Bool {
        let bytes = document.bytes.span
        for index in Int(entry.start)..<Int(entry.end)
        where bytes[index] == UInt8(ascii: ".") || bytes[index] | 0x20 == UInt8(ascii: "e") {
            return false
        }
        return true
    }

    /// Records a text or number that isn't listed.
    private mutating func checkValue(_ entry: TapeEntry, _ index: Int, at place: Int) {
        let text: [UInt8]
        switch entry.tag {
        case .string: text = unescaped(Int(entry.start) + 1..<Int(entry.end) - 1)
        case .number: text = Array(document.bytes[entry.byteRange])
        default: return
        }
        let listed = schema.values[schema.nodes[place].values]
        if !listed.contains(text) { note(.unknownValue, at: place, index) }
    }

    /// Records a text that isn't a date with a time.
    private mutating func checkDateTime(_ entry: TapeEntry, _ index: Int, at place: Int) {
        guard case .string = entry.tag else { return }
        let range = Int(entry.start) + 1..<Int(entry.end) - 1
        let text = entry.hasEscapes ? unescaped(range)[...] : document.bytes[range]
        if !DateTimeText.isValid(text) { note(.notADateTime, at: place, index) }
    }

    /// Records the number that a text or boolean means, or that it means none.
    private mutating func normalize(_ entry: TapeEntry, _ index: Int, at place: Int) {
        switch entry.tag {
        case .yes: addNormalized([UInt8(ascii: "1")])
        case .no: addNormalized([UInt8(ascii: "0")])
        case .string:
            let text = document.bytes[Int(entry.start) + 1..<Int(entry.end) - 1]
            if case .number(text.count) = JSONNumber.scan(text.span, from: 0, end: text.count),
                JSONNumber.isFinite(text)
            {
                addNormalized(text)
            } else if !schema.nodes[place].types.contains(.string) {
                note(.notANumber, at: place, index)
            }
        default: break
        }
    }

    private mutating func addNormalized(_ number: ArraySlice<UInt8>) {
        normalizedCount += 1
        if normalizedCount > Limits.maximumNormalizedValues { return }
        if normalized?.bytes.count ?? 0 > Limits.maximumNormalizedBytes { return }
        if normalized == nil {
            normalized = JSONWriter(reservingCapacity: 4096)
            normalized?.beginObject()
        }
        normalized?.keyOfJSON(pointer)
        normalized?.raw(number)
    }

    // MARK: Deviations

    private mutating func note(_ kind: Deviation.Kind, at place: Int, _ index: Int) {
        for known in deviations.indices
        where deviations[known].place == place && deviations[known].kind == kind {
            deviations[known].count += 1
            return
        }
        deviations.append(Deviation(kind: kind, place: place, first: index, name: []))
    }

    private mutating func noteUnknown(_ index: Int, _ name: Range<Int>, at place: Int) {
        let text = document.bytes[name]
        for known in deviations.indices
        where deviations[known].place == place && deviations[known].kind == .unknownMember
            && text.elementsEqual(deviations[known].name)
        {
            deviations[known].count += 1
            return
        }
        unknownMembers += 1
        if unknownMembers > Limits.maximumUnknownMembers { return }
        deviations.append(
            Deviation(kind: .unknownMember, place: place, first: index, name: Array(text)))
    }

    private func add(_ deviation: Deviation, _ payload: Payload, _ findings: inout Findings) {
        let first = document.node(at: deviation.first)
        let more = deviation.count > 1 ? ", and \(deviation.count - 1) more like it" : ""
        let value = Payload.description(of: first) + more
        switch deviation.kind {
        case .wrongType:
            payload.add(
                .warning, "wrong_type", about: first,
                expected: schema.nodes[deviation.place].types.description,
                found: value, to: &findings)
        case .notANumber:
            payload.add(
                .warning, "not_a_number", about: first,
                expected: "a number, or the text of one", found: value,
                hint: NumberText.hint(on: first.text.dropFirst().dropLast()),
                to: &findings)
        case .notFinite:
            payload.add(
                .warning, "out_of_range", about: first,
                expected: "a number that fits into 64 bits (IEEE 754)", found: value,
                hint: "the number is too large", to: &findings)
        case .notADateTime:
            payload.add(
                .info, "not_a_date_time", about: first,
                expected: "a date with a time, such as 2026-03-09T13:02:11Z (RFC 3339)",
                found: value, to: &findings)
        case .unknownValue:
            addUnknownValue(first, found: value, at: deviation.place, payload, &findings)
        case .missingMember:
            let path = schema.paths[deviation.place]
            let name = path.split(separator: "/").last ?? ""
            payload.add(
                .warning, "missing_member", about: first, expected: "the member \(name)",
                found: "none\(more)", to: &findings)
        case .unknownMember:
            let near = Spelling.nearest(
                to: deviation.name[...], of: schema.names(of: deviation.place))
            let path = schema.paths[deviation.place]
            payload.add(
                .info, "unknown_member", about: first,
                expected: "a member of the contract",
                found: Excerpt.quoted(deviation.name[...])
                    + " in \(path.isEmpty ? "the root" : path)" + more,
                hint: near.map { "perhaps \($0) is meant" }, to: &findings)
        }
    }

    private func addUnknownValue(
        _ node: JSONNode, found: String, at place: Int, _ payload: Payload,
        _ findings: inout Findings
    ) {
        let listed = schema.values[schema.nodes[place].values]
        let values = listed.map { String(decoding: $0, as: UTF8.self) }
        let isLong = values.count > 6
        let near = Spelling.nearest(to: node.text.dropFirst().dropLast(), of: values)
        payload.add(
            .warning, "unknown_value", about: node,
            expected: isLong
                ? "a value of the contract, such as \(values[0])" : values.joined(separator: ", "),
            found: found, hint: near.map { "perhaps \($0) is meant" }, to: &findings)
    }
}

extension WireTypes {
    /// The allowed types and values, for people.
    fileprivate var description: String {
        let names: [(WireTypes, String)] = [
            (.string, "a string"), (.integer, "an integer"), (.number, "a number"),
            (.numberText, "the text of a number"), (.boolean, "true or false"),
            (.object, "an object"), (.array, "an array"),
        ]
        return names.filter { contains($0.0) }.map(\.1).joined(separator: " or ")
    }
}
