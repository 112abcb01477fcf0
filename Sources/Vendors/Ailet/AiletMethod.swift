// What Ailet's app can be asked for, and what each of it needs (vendor document 3.1).
// Invariant: a raw value is what stands in the link, letter case included.

/// A method of Ailet's launch link.
public enum AiletMethod: String, CaseIterable, Sendable {
    /// Photographs a store.
    case visit
    /// Comes back with the report of a visit.
    case report
    /// Shows the summary of a visit's report.
    case summaryReport
    /// Sends what waits in the queue.
    case sync
    /// Shows the report of a visit.
    case showVisitReport
    /// Loads the catalogues again.
    case syncCatalogs

    /// The parameters without which it does nothing, in the order of the vendor's samples.
    public var required: [String] {
        switch self {
        case .visit: ["login", "password", "store_id", "visit_id"]
        case .report: ["login", "password", "visit_id", "back_url_scheme"]
        case .summaryReport, .showVisitReport: ["login", "password", "visit_id"]
        case .sync, .syncCatalogs: ["login", "password"]
        }
    }

    /// The parameters that it knows besides, in the order of the vendor's samples.
    public var optional: [String] {
        switch self {
        case .visit, .summaryReport: ["user_id", "task_id", "back_url_scheme"]
        case .report, .showVisitReport: ["user_id", "task_id"]
        case .sync, .syncCatalogs: ["user_id", "back_url_scheme"]
        }
    }

    /// Whether it ends on a screen, so that nothing comes back.
    public var endsOnScreen: Bool { self == .summaryReport || self == .showVisitReport }

    /// Every parameter of any method, in the order of the vendor's samples.
    static let allParameters = [
        "method", "login", "password", "store_id", "visit_id", "user_id", "task_id",
        "back_url_scheme",
    ]
}
