// A record as queries give it out: the bytes of its line, never decoded and encoded again.

/// The line of one stored record, whose checksum was right when it was read.
package struct StoredLine: Sendable {
    private let line: [UInt8]

    init(_ line: [UInt8]) {
        self.line = line
    }

    /// Bytes of the line.
    package var size: Int { line.count }

    /// The record as a JSON object on one line, without the checksum, which speaks of the file.
    ///
    /// O(size).
    package var text: [UInt8] {
        [UInt8(ascii: "{")] + line.dropFirst(RecordLine.checkedOffset)
    }
}
