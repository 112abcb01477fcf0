// Finds values in JSON by its structure: members by name, pairs of a `name` and a `value`, and text
// inside strings.

import JSON
import Text

extension Redactor {
    /// Searches a text that is entirely JSON, in O(length).
    mutating func search(_ document: JSONDocument) {
        let tape = document.tape
        var (index, hidden) = (0, Set<Int>())
        while index < tape.count {
            let entry = tape[index]
            if hidden.contains(index) {
                replace(entry.byteRange, of: 0, isJSON: true)
                index = Int(entry.next)
                continue
            }
            switch entry.tag {
            case .name:
                let name = sought.index(ofName: document.node(at: index).unescaped)
                // A credential's name may itself hold one: `Authorization: Bearer x`.
                if name == nil || sought.mark != nil { search(string: entry) }
                if let name {
                    replace(tape[index + 1].byteRange, of: name, isJSON: true)
                    index = Int(tape[index + 1].next)
                } else {
                    index += 1
                }
                continue
            case .string: search(string: entry)
            case .object where sought.mark != nil:
                hidden.formUnion(Self.values(besideNamesIn: document, at: index))
            case .array where sought.mark != nil:
                if let value = Self.value(ofPairIn: document, at: index) { hidden.insert(value) }
            case .object, .array, .number, .yes, .no, .null: break
            }
            index += 1
        }
    }

    /// Searches the content of a string or name.
    private mutating func search(string entry: TapeEntry) {
        let range = entry.byteRange
        guard range.count > 2 else { return }
        let content = range.lowerBound + 1..<range.upperBound - 1
        if entry.hasEscapes { return search(content, in: .jsonString) }
        guard sought.mayBe(in: text, content) else { return }
        for edit in Self.edits(in: Array(text[content]), for: sought, depth: depth, forms: forms) {
            let text = DecodedText.escape(edit.text, in: .jsonString)
            edits.append(Edit(range: edit.range, text: text).moved(by: content.lowerBound))
        }
    }

    /// The tape indices of values that another member of the object names, in any order:
    /// `{"name":"password","value":"x"}`.
    private static func values(besideNamesIn document: JSONDocument, at object: Int) -> [Int] {
        let tape = document.tape
        var (isSecret, values) = (false, [Int]())
        var index = object + 1
        while index < Int(tape[object].next) {
            let (name, value) = (document.node(at: index).unescaped, index + 1)
            if SecretPair.isName(name), tape[value].tag == .string {
                isSecret = isSecret || SecretPair.names(document.node(at: value).unescaped)
            } else if SecretPair.isValue(name), tape[value].tag != .number {
                values.append(value)
            }
            index = Int(tape[value].next)
        }
        return isSecret ? values : []
    }

    /// The tape index of the value in a pair among several: `[["password","x"]]`.
    private static func value(ofPairIn document: JSONDocument, at array: Int) -> Int? {
        let tape = document.tape
        let end = Int(tape[array].next)
        guard array > 0, tape[array - 1].tag != .name, end == array + 3,
            tape[array + 1].tag == .string, tape[array + 2].tag == .string,
            SecretPair.names(document.node(at: array + 1).unescaped)
        else { return nil }
        return array + 2
    }
}

/// Pairs whose name and value are in separate members, parameters or elements.
enum SecretPair {
    private static let names = [
        "name", "key", "field", "label", "id", "header", "param", "parameter", "property",
        "attribute", "variable", "var", "k", "n",
    ].map { Array($0.utf8) }

    private static let values = [
        "value", "val", "content", "text", "data", "default", "answer", "v", "string",
    ].map { Array($0.utf8) }

    /// A longer text is not a name.
    static let longest = 48

    /// Whether a member of this name holds the name of another member's value.
    static func isName(_ name: ArraySlice<UInt8>) -> Bool { isOne(of: names, name) }

    /// Whether a member of this name holds the value that another member names.
    static func isValue(_ name: ArraySlice<UInt8>) -> Bool { isOne(of: values, name) }

    /// Whether `text` names a credential.
    static func names(_ text: ArraySlice<UInt8>) -> Bool {
        text.count <= longest && SecretName.isSecret(text, isField: true)
    }

    private static func isOne(of words: [[UInt8]], _ name: ArraySlice<UInt8>) -> Bool {
        words.contains { word in
            word.count == name.count && zip(word, name).allSatisfy { $0 == $1.lowercased }
        }
    }
}
