// One name and value of a query, a form or a JSON object, as ranges in the message.
//
// Invariant: holds no text, so that copying is cheap; `Message` owns the bytes. The name is valid
// UTF-8; the value is still raw.

/// A parameter of a callback.
struct Parameter {
    /// The bytes that a name's range refers to.
    enum NameSource {
        /// The part of the request itself: the name needed no decoding.
        case part
        /// `Message.repairedNames`.
        case repaired
    }

    /// The bytes that `nameRange` refers to.
    let nameSource: NameSource

    /// The range of the decoded name.
    let nameRange: Range<Int>

    /// The part of the request that contains the parameter.
    let part: Diagnostic.Part

    /// The byte offset of the parameter in its part.
    let offset: Int

    /// The range of the raw value in its part.
    let valueRange: Range<Int>

    /// How the value is escaped.
    let escaping: EscapedText.Escaping

    /// The same parameter with another name, at `range` of `Message.repairedNames`.
    func renamed(to range: Range<Int>, key: Int) -> Parameter {
        Parameter(
            nameSource: .repaired, nameRange: range, part: part, offset: offset,
            valueRange: valueRange, escaping: escaping, key: key)
    }

    /// The name's key in the contract's `NameTable`; nil before `Message.settle`, and for names
    /// that the contract doesn't have.
    var key: Int?

    /// The layer that separates this parameter from others.
    var containerLayer: Diagnostic.Layer { escaping.containerLayer(in: part) }
}
