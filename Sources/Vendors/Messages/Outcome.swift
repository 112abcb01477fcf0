// What happened, as the vendor reports it; unlike `Verdict`, which is about the message. Invariant:
// a raw value never changes, because records and queries contain it.

/// What a vendor says happened in its app.
public enum Outcome: String, CaseIterable, Sendable {
    /// The work was done and its result is in the message.
    case completed
    /// A person left before the end.
    case cancelled
    /// The vendor's app could not do the work.
    case error
    /// The work goes on; another callback may follow.
    case inProgress = "in_progress"
    /// There was nothing to do or nothing to report.
    case empty
}
