// The two forms that a segment's file has in its life.

/// How a segment lies on the disk.
enum SegmentForm: Sendable, CaseIterable {
    /// JSON Lines.
    case plain
    /// The same content in gzip members of whole lines.
    case compressed

    /// What follows the plain file's name.
    var suffix: String {
        switch self {
        case .plain: ""
        case .compressed: ".gz"
        }
    }
}
