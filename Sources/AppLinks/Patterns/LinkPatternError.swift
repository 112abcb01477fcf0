// Why a text isn't a pattern, and where.

/// The first error in a pattern's text.
public struct LinkPatternError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong and what would be right, as a phrase.
    public let message: String

    /// The position of the error in UTF-8 bytes; up to the length of the pattern's text.
    public let offset: Int

    /// The message with its position.
    public var description: String { "\(message) (at byte \(offset))" }
}
