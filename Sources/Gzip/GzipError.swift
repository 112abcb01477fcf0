// What can be wrong with bytes that are said to be compressed.

/// Why bytes can't be inflated.
package enum GzipError: Error, Sendable, Equatable {
    /// They are not in the gzip format, a checksum or length is wrong, or something that is no
    /// member follows the last one.
    case malformed
    /// They inflate to more than the limit.
    case tooLarge
    /// They inflate to so many times their size that they are meant to do harm.
    case ratio
    /// They end before their last member does, or there are none.
    case truncated
}
