// How far compressed content may grow. The limit in bytes is each caller's own.

extension Gzip {
    /// Limits of inflation.
    package enum Limits {
        /// Bytes of content that one compressed byte may become; deflate's own bound is about 1,032,
        /// and what people write stays below 30.
        package static let inflationRatio = 200

        /// Bytes of content that the ratio does not count for, so that a short run of blanks passes.
        package static let uncountedBytes = 64 * 1024
    }
}
