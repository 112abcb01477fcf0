// One value or member name on the tape.
//
// Entries stand in document order. A container is followed by its content: an array by its
// elements, an object by name, value, name, value. `next` skips a whole subtree. 16 bytes an entry.

/// What one tape entry says of its value.
package struct TapeEntry: Sendable {
    /// What the entry stands for; member names are told apart from string values.
    package enum Tag: UInt8, Sendable {
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
    package let start: UInt32

    /// One past the last byte of the value.
    package internal(set) var end: UInt32

    /// The index of the first entry after this value and its content.
    package internal(set) var next: UInt32

    package let tag: Tag

    /// Whether a string or name holds a backslash, so that its text must be unescaped.
    package let hasEscapes: Bool

    /// Where the value stands in the text.
    package var byteRange: Range<Int> { Int(start)..<max(Int(start), Int(end)) }
}
