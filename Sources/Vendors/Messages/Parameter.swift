// One name and value of a query, a form or a JSON object, as places in the message.
//
// Invariant: holds no text, so that parameters are copied and thrown away for nothing; `Message`
// owns the bytes. The name is valid UTF-8; the value is still as it was sent.

/// A parameter of a callback.
struct Parameter {
    /// What a name's place counts in.
    enum NameSource {
        /// The part of the request itself: the name needed no unescaping.
        case part
        /// `Message.repairedNames`.
        case repaired
    }

    /// What `nameRange` counts in.
    let nameSource: NameSource

    /// Where the unescaped name stands.
    let nameRange: Range<Int>

    /// The part of the request that the parameter came in.
    let part: Diagnostic.Part

    /// Where the parameter starts in its part, in bytes.
    let offset: Int

    /// Where the value stands in its part, as it was sent.
    let valueRange: Range<Int>

    /// How the value is escaped.
    let escaping: EscapedText.Escaping

    /// The same parameter by another name, which stands at `range` of `Message.repairedNames`.
    func renamed(to range: Range<Int>, key: Int) -> Parameter {
        Parameter(
            nameSource: .repaired, nameRange: range, part: part, offset: offset,
            valueRange: valueRange, escaping: escaping, key: key)
    }

    /// The name's key in the contract's `NameTable`; nil before `Message.settle`, and for a name that
    /// the contract doesn't have.
    var key: Int?

    /// The layer that separates parameters where this one comes from.
    var containerLayer: Diagnostic.Layer { escaping.containerLayer(in: part) }
}
