// One value or member name on the tape.
//
// Entries are in document order. A container is followed by its content: an array by its elements,
// an object by name, value, name, value. `next` skips a whole subtree. An entry has 16 bytes.

/// The position and kind of a value.
package struct TapeEntry: Sendable, Equatable {
    /// The kind of an entry; member names differ from string values.
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

    /// The first byte of the value, including its quotation mark or bracket.
    package let start: UInt32

    /// The offset after the last byte of the value.
    package internal(set) var end: UInt32

    /// The index of the first entry after this value and its content.
    package internal(set) var next: UInt32

    package let tag: Tag

    /// Whether a string or name contains a backslash, so that its text must be unescaped.
    package let hasEscapes: Bool

    /// The value's range in the text.
    package var byteRange: Range<Int> { Int(start)..<max(Int(start), Int(end)) }
}
