// What an emulated vendor's app is asked to do with a launch.
//
// Invariant: the text form and the case say the same, both ways. Left out: what a vendor makes of a
// scenario; `VendorApp` knows, and says which ones a contract has.

/// A way in which a launch ends, with a text form such as `error:not_logged_in` or `delayed:3s`.
public enum Scenario: Sendable, Hashable {
    /// The work is done, and its result comes at once: `completed`.
    case completed
    /// A person leaves before the end: `cancelled`.
    case cancelled
    /// The app can't do the work: `error`, or `error:<code>` with a code of the vendor.
    case error(code: String?)
    /// A report that is not ready, and the ready one some seconds later: `in_progress`.
    case inProgress
    /// There was nothing to do: `empty`.
    case empty
    /// Nothing ever comes back: `silent`.
    case silent
    /// The result comes late: `delayed:<duration>`, such as `500ms`, `3s` or `2m`.
    case delayed(milliseconds: Int)
    /// The same result comes several times: `duplicate:<n>`.
    case duplicate(count: Int)
    /// The newer of two answers comes first: `out_of_order`.
    case outOfOrder
    /// The answer belongs to a former launch: `stale`.
    case stale
    /// One layer of the answer is broken: `malformed:<layer>`.
    case malformed(Diagnostic.Layer)
    /// An answer as large as this vendor's largest: `huge`.
    case huge

    /// How long `delayed` may wait, in milliseconds.
    public static let delays = 0...600_000

    /// How many answers `duplicate` may ask for.
    public static let copies = 2...100

    /// Whether the message is content that is posted, which no link carries.
    public var isPosted: Bool { self == .malformed(.form) || self == .malformed(.body) }

    /// How long after the launch the work itself is done; nil when it never is.
    ///
    /// What goes wrong with the answer is no matter: a vendor's server has the result by then.
    public var end: Duration? {
        switch self {
        case .completed, .empty, .duplicate, .outOfOrder, .malformed, .huge: .zero
        case .delayed(let milliseconds): .milliseconds(milliseconds)
        case .cancelled, .error, .inProgress, .silent, .stale: nil
        }
    }
}
