// What an emulated vendor's app does with a launch.
//
// Invariant: each case has one text form, and each text form one case. Left out: a vendor's
// behaviour in a scenario; `VendorApp` defines it, and lists the scenarios of a contract.

/// A way in which a launch ends, with a text form such as `error:not_logged_in` or `delayed:3s`.
public enum Scenario: Sendable, Hashable {
    /// The work is done, and its result comes at once: `completed`.
    case completed
    /// A person leaves before the end: `cancelled`.
    case cancelled
    /// The app can't do the work: `error`, or `error:<code>` with a code of the vendor.
    case error(code: String?)
    /// A report in progress, and the finished one some seconds later: `in_progress`.
    case inProgress
    /// There was nothing to do: `empty`.
    case empty
    /// Nothing ever comes back: `silent`.
    case silent
    /// The result comes late: `delayed:<duration>`, such as `500ms`, `3s` or `2m`.
    case delayed(milliseconds: Int)
    /// The same result comes several times: `duplicate:<n>`.
    case duplicate(count: Int)
    /// The newer of two callbacks comes first: `out_of_order`.
    case outOfOrder
    /// The callback belongs to an earlier launch: `stale`.
    case stale
    /// One layer of the callback is broken: `malformed:<layer>`.
    case malformed(Diagnostic.Layer)
    /// A callback as large as this vendor's largest: `huge`.
    case huge

    /// How long `delayed` may wait, in milliseconds.
    public static let delays = 0...600_000

    /// How many callbacks `duplicate` may request.
    public static let copies = 2...100

    /// Whether the callback is a posted body, which no link can carry.
    public var isPosted: Bool { self == .malformed(.form) || self == .malformed(.body) }

    /// Whether a layer of the callback is broken.
    public var isMalformed: Bool { if case .malformed = self { true } else { false } }

    /// Whether a person's use of the app leads here; others are faults of the app or the transport.
    public var isCommon: Bool {
        switch self {
        case .completed, .cancelled, .error, .inProgress, .empty, .silent: true
        case .delayed, .duplicate, .outOfOrder, .stale, .malformed, .huge: false
        }
    }

    /// Delay from the launch until the work itself is done; nil if it never is.
    ///
    /// Defects of the callback don't matter: the vendor's server has the result by then.
    public var end: Duration? {
        switch self {
        case .completed, .empty, .duplicate, .outOfOrder, .malformed, .huge: .zero
        case .delayed(let milliseconds): .milliseconds(milliseconds)
        case .cancelled, .error, .inProgress, .silent, .stale: nil
        }
    }
}
