// Errors in compressed input.

/// Why input can't be inflated.
package enum GzipError: Error, Sendable, Equatable {
    /// The input is not in the gzip format, a checksum or length is wrong, or the data after the
    /// last member isn't a member.
    case malformed
    /// The input inflates to more than the limit.
    case tooLarge
    /// The input's compression ratio is so high that it is considered an attack.
    case ratio
    /// The input ends before its last member does, or is empty.
    case truncated
}
