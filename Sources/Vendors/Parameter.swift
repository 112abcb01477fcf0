// One name and value of a query, a form or a JSON object.
//
// Invariant: the name is valid UTF-8; the value is still as it was sent.

/// A parameter of a callback.
struct Parameter {
    /// The name, unescaped.
    let name: ArraySlice<UInt8>

    /// Where the parameter starts in its part of the request, in bytes.
    let offset: Int

    /// The value as it was sent.
    let value: EscapedText

    /// The name as text, for output.
    var nameText: String { String(decoding: name, as: UTF8.self) }

    /// Whether both names are the same bytes.
    func hasName(of other: Parameter) -> Bool {
        name.count == other.name.count && name.first == other.name.first && name == other.name
    }

    /// Whether the name is exactly `other`.
    func isNamed(_ other: String) -> Bool {
        // Length and first byte tell nearly all names apart, and cost no iterator.
        name.count == other.utf8.count && name.first == other.utf8.first
            && name.elementsEqual(other.utf8)
    }
}
