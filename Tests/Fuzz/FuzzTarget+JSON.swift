// JSON texts: what is accepted is what another reading of RFC 8259 accepts, can be walked to its end,
// and is the same when it is written compactly; what is refused is right up to the fault.

import JSON

extension FuzzTarget {
    /// An input is a JSON text.
    static func checkJSON(_ bytes: [UInt8]) {
        var choices = Choices(bytes)
        let depth = choices.one(of: [0, 1, 3, 512])
        let isText = JSONGrammar(bytes, maximumDepth: depth).isText
        do throws(JSONFault) {
            let document = try JSONDocument(parsing: bytes, maximumDepth: depth)
            expect(isText, "accepted against the grammar")
            let count = checkNode(document.root, within: bytes.startIndex..<bytes.endIndex)
            checkPlace(of: choices.below(count), in: document)
            checkCompact(document)
            checkRepetitions(document)
        } catch {
            expect(!isText, "refused against the grammar: \(error)")
            checkFault(error, of: bytes, maximumDepth: depth)
        }
    }

    /// How many values there are, `node` included.
    private static func checkNode(_ node: JSONNode, within range: Range<Int>) -> Int {
        expect(!node.byteRange.isEmpty, "a value of no bytes")
        expect(range.contains(node.byteRange.lowerBound), "a value outside of its container")
        expect(node.byteRange.upperBound <= range.upperBound, "a value outside of its container")
        expect((node.string != nil) == (node.kind == .string), "a string of another kind")
        expect((node.bool != nil) == (node.kind == .boolean), "a boolean of another kind")
        expect(node.double == nil || node.kind == .number, "a number of another kind")
        if let int = node.int { expect(node.double == Double(int), "\(int) is another number") }
        var (values, children, end) = (1, 0, node.byteRange.lowerBound + 1)
        for member in node.members {
            expect(member.name.string != nil, "a name without text")
            expect(member.name.byteRange.lowerBound >= end, "a name before what precedes it")
            end = member.name.byteRange.upperBound + 1
            values += checkNode(member.value, within: end..<node.byteRange.upperBound)
            end = member.value.byteRange.upperBound
            children += 1
        }
        for element in node.elements {
            values += checkNode(element, within: end..<node.byteRange.upperBound)
            end = element.byteRange.upperBound
            children += 1
        }
        expect(children == node.count, "\(children) children of \(node.count)")
        return values
    }

    /// One value's pointer leads to it, and its line and column are where it is.
    private static func checkPlace(of chosen: Int, in document: JSONDocument) {
        var remaining = chosen
        guard let node = node(&remaining, from: document.root) else {
            return expect(false, "no value \(chosen)")
        }
        // Of members with equal names a lookup finds the first.
        if document.repeatedNames.isEmpty {
            let tokens = node.pointer.utf8.split(
                separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            var found: JSONNode? = document.root
            for token in tokens.dropFirst() { found = child(of: found, token: Array(token)) }
            expect(found?.byteRange == node.byteRange, "\(node.pointer) is another value's")
        }
        let position = node.position
        expect(position.offset == node.byteRange.lowerBound, "another place")
        let line = document.bytes[..<position.offset].split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        expect(position.line == line.count, "line \(position.line)")
        expect(position.column == (line.last?.count ?? 0) + 1, "column \(position.column)")
    }

    /// The value that comes after `remaining` others, in document order.
    private static func node(_ remaining: inout Int, from root: JSONNode) -> JSONNode? {
        if remaining == 0 { return root }
        remaining -= 1
        for child in root.members.map(\.value) + Array(root.elements) {
            if let found = node(&remaining, from: child) { return found }
        }
        return nil
    }

    private static func child(of node: JSONNode?, token: [UInt8]) -> JSONNode? {
        let text = String(decoding: token, as: UTF8.self)
        if node?.kind == .array { return Int(text).flatMap { node?[$0] } }
        var name: [UInt8] = []
        var isEscape = false
        for byte in token {
            if isEscape {
                name.append(byte == UInt8(ascii: "0") ? UInt8(ascii: "~") : UInt8(ascii: "/"))
                isEscape = false
            } else if byte == UInt8(ascii: "~") {
                isEscape = true
            } else {
                name.append(byte)
            }
        }
        return node?[String(decoding: name, as: UTF8.self)]
    }

    private static func checkCompact(_ document: JSONDocument) {
        var compact: [UInt8] = []
        document.root.appendCompact(to: &compact)
        expect(compact.count <= document.bytes.count, "compact it is longer")
        expect(!compact.contains { $0 < 0x20 }, "a control character in compact text")
        guard let again = try? JSONDocument(parsing: compact) else {
            return expect(false, "compact it is no JSON")
        }
        var twice: [UInt8] = []
        again.root.appendCompact(to: &twice)
        expect(twice == compact, "compact text isn't compact")
        expect(isSame(document.root, again.root), "compact it is another value")
    }

    private static func isSame(_ one: JSONNode, _ other: JSONNode) -> Bool {
        guard one.kind == other.kind, one.count == other.count else { return false }
        guard one.kind == .object || one.kind == .array else { return one.text == other.text }
        return zip(one.members, other.members).allSatisfy { pair in
            pair.0.name.text == pair.1.name.text && isSame(pair.0.value, pair.1.value)
        } && zip(one.elements, other.elements).allSatisfy { isSame($0, $1) }
    }

    /// Each repetition comes after the first of its name, which a lookup finds.
    private static func checkRepetitions(_ document: JSONDocument) {
        let repeated = document.repeatedNames
        for name in repeated {
            let (first, later) = (name.first.name, name.repetition.name)
            expect(first.byteRange.upperBound < later.byteRange.lowerBound, "a first that is later")
            expect(first.pointer == later.pointer, "a repetition elsewhere")
        }
        let later = repeated.map(\.repetition.name.byteRange.lowerBound)
        expect(zip(later, later.dropFirst()).allSatisfy { $0 < $1 }, "another order")
        let names = document.tape.indices.filter { document.tape[$0].tag == .name }
            .map { document.node(at: $0) }
        let pointers = Set(names.map { Array($0.pointer.utf8) })
        if repeated.isEmpty {
            expect(pointers.count == names.count, "a repetition that is not listed")
        }
    }

    private static func checkFault(_ fault: JSONFault, of bytes: [UInt8], maximumDepth: Int) {
        expect((0...bytes.count).contains(fault.offset), "a fault at \(fault.offset)")
        let position = JSONPosition(offset: fault.offset, in: bytes)
        expect(fault.line == position.line && fault.column == position.column, "another place")
        expect(!fault.expected.isEmpty, "nothing expected")
        expect(fault.found.utf8.count <= 40, "found \(fault.found)")
        // What stands before the fault is right so far.
        let before = Array(bytes[..<fault.offset])
        do throws(JSONFault) {
            _ = try JSONDocument(parsing: before, maximumDepth: maximumDepth)
        } catch {
            expect(error.kind == .unexpectedEnd, "\(error) before \(fault)")
        }
    }
}
