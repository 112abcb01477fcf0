// What can be found. The raw values are read by programs: they never change.

/// The kind of a finding.
public enum FindingCode: String, Sendable, CaseIterable, Hashable {
    /// The text is no JSON.
    case invalidJSON = "invalid_json"
}
