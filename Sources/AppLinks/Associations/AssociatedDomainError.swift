// Why a text is no associated domain, where, and what to write instead.

/// The first fault of an associated domain.
public struct AssociatedDomainError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of faults.
    ///
    /// The raw values are read by programs: they never change.
    public enum Kind: String, Sendable, CaseIterable {
        /// There is no text, or no host.
        case empty
        /// No service and colon stand before the host.
        case serviceMissing = "service_missing"
        /// The service is none of Apple's.
        case serviceUnknown = "service_unknown"
        /// A scheme, such as `https://`, stands before the host.
        case scheme
        /// A user name stands before the host.
        case user
        /// A path follows the host.
        case path
        /// A single `/` follows the host.
        case trailingSlash = "trailing_slash"
        /// A query follows that is not `mode` alone.
        case query
        /// The mode is none of Apple's.
        case modeUnknown = "mode_unknown"
        /// A fragment follows the host.
        case fragment
        /// A port follows the host.
        case port
        /// The host is an IP address, and the mode is not for development.
        case address
        /// The host has no dot, and the mode is not for development.
        case dotless
        /// A `*` stands elsewhere than as the first label.
        case wildcard
        /// A wildcard stands where App Clips have none.
        case clipWildcard = "clip_wildcard"
        /// The host is not in Punycode.
        case nonASCII = "non_ascii"
        /// There is a capital letter.
        case upperCase = "upper_case"
        /// There is a blank or a control character.
        case blank
        /// A character, a label or the length is not one that a host name has.
        case host
    }

    /// What is wrong.
    public let kind: Kind

    /// The place of the fault: bytes of UTF-8 from the beginning of the text, at most its length.
    public let offset: Int

    /// What is wrong and what to write instead, in a sentence.
    public let message: String

    /// The message with its place.
    public var description: String { "\(message) (at byte \(offset))" }
}
