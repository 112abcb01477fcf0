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
    package internal(set) var files = 0

    /// Size of these files in bytes.
    package internal(set) var bytes: Int64 = 0

    /// Number of intact record lines, including erased records.
    package internal(set) var records = 0

    /// Number of intact erasure lines.
    package internal(set) var erasures = 0

    /// Number of erased records that are still on the disk.
    package internal(set) var erasedLines = 0

    /// Number of records that were decoded again and replaced by a later line.
    package internal(set) var supersededLines = 0

    /// What is wrong; empty for an intact store.
    package internal(set) var findings: [Finding] = []

    /// Number of findings that were not kept.
    package internal(set) var omittedFindings = 0

    /// What is worth knowing but not wrong, such as files that a crash left.
    package internal(set) var notes: [Finding] = []

    mutating func add(_ file: String, _ offset: Int64?, _ sentence: String) {
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
