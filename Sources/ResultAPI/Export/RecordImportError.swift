// Why a line is not imported, for the person who corrects it.

/// The first error in a line.
package struct RecordImportError: Error, Equatable, CustomStringConvertible {
    /// The member as a JSON pointer (RFC 6901); empty for the line as a whole.
    package let pointer: String
    /// Byte offset in the line, from 0; for a missing member, the offset of its object.
    package let offset: Int
    /// What is wrong and what is expected; follows the member's name.
    package let problem: String

    /// One sentence.
    package var description: String {
        "\(pointer.isEmpty ? "the line" : pointer) \(problem) (byte \(offset) of the line)"
    }
}
