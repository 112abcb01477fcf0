// Why a line is not imported: for the person who has to mend it.

/// The first thing that is wrong with a line.
package struct RecordImportError: Error, Equatable, CustomStringConvertible {
    /// The member as a JSON pointer (RFC 6901); empty for the line as a whole.
    package let pointer: String
    /// Where it stands in the line, in bytes from 0; for what is missing, where its object stands.
    package let offset: Int
    /// What is wrong and what would be right, to be read behind the member's name.
    package let problem: String

    /// One sentence.
    package var description: String {
        "\(pointer.isEmpty ? "the line" : pointer) \(problem) (byte \(offset) of the line)"
    }
}
