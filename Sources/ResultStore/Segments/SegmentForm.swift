// The two forms of a segment's file.

/// How a segment is stored on the disk.
enum SegmentForm: Sendable, CaseIterable {
    /// JSON Lines.
    case plain
    /// The same content in gzip members of whole lines.
    case compressed

    /// The suffix after the plain file's name.
    var suffix: String {
        switch self {
        case .plain: ""
        case .compressed: ".gz"
        }
    }
}
