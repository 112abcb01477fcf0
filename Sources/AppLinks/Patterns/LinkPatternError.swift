// Why a text is not a pattern, and where.

/// The first fault of a pattern's text.
public struct LinkPatternError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong and what would be right, as a phrase.
    public let message: String

    /// The fault's place: bytes of UTF-8 from the beginning of the pattern's text, at most its
    /// length.
    public let offset: Int

    /// The message with its place.
    public var description: String { "\(message) (at byte \(offset))" }
}
