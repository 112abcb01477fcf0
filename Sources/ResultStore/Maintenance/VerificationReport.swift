// What the verification of a data folder found.

/// The result of a verification.
package struct VerificationReport: Sendable, Equatable {
    /// One sentence about one place.
    package struct Finding: Sendable, Equatable {
        /// The file's path, relative to the data folder.
        package let file: String
        /// Offset of the first affected byte in a segment's content, which for a compressed one is
        /// that of the plain form; nil for a file as a whole.
        package let offset: Int64?
        /// In English, without a full stop.
        package let sentence: String
    }

    /// Number of segments read.
    package var files = 0

    /// Size of these files in bytes.
    package var bytes: Int64 = 0

    /// Number of intact record lines, including erased records.
    package var records = 0

    /// Number of intact erasure lines.
    package var erasures = 0

    /// Number of erased records that are still on the disk.
    package var erasedLines = 0

    /// Number of records that were decoded again and replaced by a later line.
    package var supersededLines = 0

    /// What is wrong; empty for an intact store.
    package var findings: [Finding] = []

    /// Number of findings that were not kept.
    package var omittedFindings = 0

    /// What is worth knowing but not wrong, such as files that a crash left.
    package var notes: [Finding] = []

    /// Makes the report of an empty store.
    package init() {}

    /// Notes what is wrong at a place.
    package mutating func add(_ file: String, _ offset: Int64?, _ sentence: String) {
        if findings.count < Limits.verificationFindings {
            findings.append(Finding(file: file, offset: offset, sentence: sentence))
        } else {
            omittedFindings += 1
        }
    }

    mutating func note(_ file: String, _ offset: Int64?, _ sentence: String) {
        guard notes.count < Limits.verificationFindings else { return }
        notes.append(Finding(file: file, offset: offset, sentence: sentence))
    }
}
