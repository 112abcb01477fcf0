// The bound on the number of metrics.

/// Limits of a registry.
enum Limits {
    /// Maximum number of series of one family; further ones share a series whose labels are all
    /// `other`.
    static let series = 4096
}
