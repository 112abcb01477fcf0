// JSON whose schema isn't public, kept as text. Invariant: the text is one valid JSON value without
// line breaks.

import JSON

/// A JSON value of an undocumented type.
public struct OpenJSON: Sendable, Hashable {
    /// The value as compact JSON text in UTF-8.
    public let text: [UInt8]

    /// Reads JSON text; nil if it is invalid.
    public init?(parsing text: [UInt8]) {
        guard let document = try? JSONDocument(parsing: text) else { return nil }
        self.init(document.root)
    }

    init(_ node: JSONNode) {
        text = node.compactText
    }

    /// An array without elements.
    static let emptyArray = OpenJSON(validated: Array("[]".utf8))

    private init(validated text: [UInt8]) { self.text = text }
}
