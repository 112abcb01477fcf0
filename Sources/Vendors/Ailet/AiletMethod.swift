// The methods of Ailet's app and their parameters (vendor document 3.1). Invariant: a raw value is
// spelled as in the link, including letter case.

/// A method of Ailet's launch link.
public enum AiletMethod: String, CaseIterable, Sendable {
    /// Photographs a store.
    case visit
    /// Returns the report of a visit.
    case report
    /// Shows the summary of a visit's report.
    case summaryReport
    /// Sends the queued data.
    case sync
    /// Shows the report of a visit.
    case showVisitReport
    /// Reloads the catalogues.
    case syncCatalogs

    /// The name for people.
    var title: String {
        switch self {
        case .visit: "Visit"
        case .report: "Report"
        case .summaryReport: "Summary report"
        case .sync: "Sync"
        case .showVisitReport: "Show a visit’s report"
        case .syncCatalogs: "Sync catalogues"
        }
    }

    /// The required parameters, in the order of the vendor's samples.
    public var required: [String] {
        switch self {
        case .visit: ["login", "password", "store_id", "visit_id"]
        case .report: ["login", "password", "visit_id", "back_url_scheme"]
        case .summaryReport, .showVisitReport: ["login", "password", "visit_id"]
        case .sync, .syncCatalogs: ["login", "password"]
        }
    }

    /// The optional parameters, in the order of the vendor's samples.
    public var optional: [String] {
        switch self {
        case .visit, .summaryReport: ["user_id", "task_id", "back_url_scheme"]
        case .report, .showVisitReport: ["user_id", "task_id"]
        case .sync, .syncCatalogs: ["user_id", "back_url_scheme"]
        }
    }

    /// Whether it ends on a screen without a callback.
    public var endsOnScreen: Bool { self == .summaryReport || self == .showVisitReport }

    /// All parameters of all methods, in the order of the vendor's samples.
    static let allParameters = [
        "method", "login", "password", "store_id", "visit_id", "user_id", "task_id",
        "back_url_scheme",
    ]
}
