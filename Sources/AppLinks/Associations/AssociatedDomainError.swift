// Why a text isn't an associated domain, where, and what to write instead.

/// The first error in an associated domain.
public struct AssociatedDomainError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of errors.
    ///
    /// Programs read the raw values, so they never change.
    public enum Kind: String, Sendable, CaseIterable {
        /// The text or the host is empty.
        case empty
        /// The service and its colon are missing before the host.
        case serviceMissing = "service_missing"
        /// The service isn't one of Apple's.
        case serviceUnknown = "service_unknown"
        /// A scheme, such as `https://`, precedes the host.
        case scheme
        /// A user name precedes the host.
        case user
        /// A path follows the host.
        case path
        /// A single `/` follows the host.
        case trailingSlash = "trailing_slash"
        /// The query isn't `mode` alone.
        case query
        /// The mode isn't one of Apple's.
        case modeUnknown = "mode_unknown"
        /// A fragment follows the host.
        case fragment
        /// A port follows the host.
        case port
        /// The host is an IP address, and the mode isn't for development.
        case address
        /// The host has no dot, and the mode isn't for development.
        case dotless
        /// A `*` is elsewhere than in the first label.
        case wildcard
        /// App Clips don't allow a wildcard.
        case clipWildcard = "clip_wildcard"
        /// The host is not in Punycode.
        case nonASCII = "non_ascii"
        /// The text has an uppercase letter.
        case upperCase = "upper_case"
        /// The text has a blank or a control character.
        case blank
        /// A character, a label or the length is invalid in a host name.
        case host
    }

    /// What is wrong.
    public let kind: Kind

    /// The position of the error in UTF-8 bytes; up to the length of the text.
    public let offset: Int

    /// What is wrong and what to write instead, as a sentence.
    public let message: String

    /// The message with its position.
    public var description: String { "\(message) (at byte \(offset))" }
}
