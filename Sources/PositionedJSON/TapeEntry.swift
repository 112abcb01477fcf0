// One value or member name on the tape.
//
// Entries stand in document order. A container is followed by its content: an array by its
// elements, an object by name, value, name, value. `next` skips a whole subtree. 16 bytes an entry.

/// What one tape entry says of its value.
struct TapeEntry: Sendable {
    /// What the entry stands for; member names are told apart from string values.
    enum Tag: UInt8, Sendable {
        case object
        case array
        case name
        case string
        case number
        case yes
        case no
        case null
    }

    /// The first byte of the value; quotation mark or bracket included.
    let start: UInt32

    /// One past the last byte of the value.
    var end: UInt32

    /// The index of the first entry after this value and its content.
    var next: UInt32

    let tag: Tag

    /// Whether a string or name holds a backslash, so that its text must be unescaped.
    let hasEscapes: Bool

    var byteRange: Range<Int> { Int(start)..<max(Int(start), Int(end)) }
}
