// The formats of an export, and the field after it that says whether it is complete.

/// The format of exported results.
package enum ExportFormat: String, CaseIterable, Sendable {
    /// The stored lines unchanged, with checksums and tokens; the input of an import.
    case ndjson
    /// RFC 4180.
    case csv
    /// HTTP Archive 1.2.
    case har

    /// The trailer field with the number of damaged records that an export left out.
    package static let leftOutField = "Landfall-Left-Out"

    /// The media type.
    package var contentType: String {
        switch self {
        case .ndjson: "application/x-ndjson"
        case .csv: "text/csv; charset=utf-8; header=present"
        case .har: "application/json"
        }
    }
}
