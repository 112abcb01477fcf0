// What looking through a data folder has found.

/// What verification saw.
package struct VerificationReport: Sendable, Equatable {
    /// One sentence on one place.
    package struct Finding: Sendable, Equatable {
        /// The file's name below the data folder.
        package let file: String
        /// The first byte concerned, in a segment's content, which for a compressed one is that of
        /// the plain form; nil for a file as a whole.
        package let offset: Int64?
        /// In English, without a full stop.
        package let sentence: String
    }

    /// Segments that were read.
    package internal(set) var files = 0

    /// Bytes of these files.
    package internal(set) var bytes: Int64 = 0

    /// Intact lines that are records, those that are erased among them.
    package internal(set) var records = 0

    /// Intact lines that are erasures.
    package internal(set) var erasures = 0

    /// Records that are erased and still on the disk.
    package internal(set) var erasedLines = 0

    /// Records that were decoded again, whose place a later line has taken.
    package internal(set) var supersededLines = 0

    /// What is wrong: a sound store has none.
    package internal(set) var findings: [Finding] = []

    /// Findings beyond those that are kept.
    package internal(set) var omittedFindings = 0

    /// What is worth knowing and not wrong, such as files that a crash has left behind.
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
