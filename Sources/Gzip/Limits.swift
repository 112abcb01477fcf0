// Limits for the growth of compressed content. Each caller has its own limit in bytes.

extension Gzip {
    /// Limits of inflation.
    package enum Limits {
        /// Maximum bytes of content for one compressed byte.
        ///
        /// Deflate's own bound is about 1,032; text written by people stays below 30.
        package static let inflationRatio = 200

        /// Bytes of content to which the ratio doesn't apply, so that a short run of blanks is
        /// accepted.
        package static let uncountedBytes = 64 * 1024
    }
}
