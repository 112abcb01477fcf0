// One error or surprise in a link file: what, where, and what to write instead. The sentence names
// the text that was found and the text that is expected. Left out: how it is shown.

import JSON

/// One finding about a link file.
public struct Finding: Sendable, Hashable {
    /// The importance of a finding.
    public enum Severity: String, Sendable, CaseIterable {
        /// Apple or Google rejects the file, or a rule doesn't do what it says.
        case error
        /// It works, but probably not as its author intended.
        case warning
        /// It works as written, and is worth knowing.
        case info
    }

    /// The kind of finding; stable, for programs.
    public let code: FindingCode

    /// The importance.
    public let severity: Severity

    /// The JSON pointer (RFC 6901) to the affected value; `""` for the whole file.
    public let pointer: String

    /// Where that value begins.
    public let position: JSONPosition

    /// What is wrong and what to write instead, as a sentence.
    public let message: String
}
