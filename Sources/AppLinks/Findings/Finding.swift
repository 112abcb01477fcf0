// One thing that is wrong, or may surprise, in a link file: what, where, and what to write instead.
// Left out: how it is shown. The sentence names what stands there and what should.

import JSON

/// One finding about a file that ties links to apps.
public struct Finding: Sendable, Hashable {
    /// How much it matters.
    public enum Severity: String, Sendable, CaseIterable {
        /// Apple or Google refuses the file, or a rule does not do what it says.
        case error
        /// It works, though probably not as its author meant it to.
        case warning
        /// It works as written, and is worth knowing.
        case info
    }

    /// What kind of finding it is; stable, for programs.
    public let code: FindingCode

    /// How much it matters.
    public let severity: Severity

    /// The JSON pointer (RFC 6901) to what it is about; `""` for the whole file.
    public let pointer: String

    /// Where that begins.
    public let position: JSONPosition

    /// What is wrong and what to write instead, in a sentence.
    public let message: String
}
