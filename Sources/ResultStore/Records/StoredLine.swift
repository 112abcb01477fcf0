// A record as queries give it out: the bytes of its line, never decoded and encoded again.

/// The line of one stored record, whose checksum was right when it was read.
package struct StoredLine: Sendable {
    /// The record's `seq`.
    package let sequence: Int
    /// The line as it is stored, without its end.
    package let stored: [UInt8]

    init(_ line: [UInt8], _ sequence: Int) {
        stored = line
        self.sequence = sequence
    }

    /// Bytes of the line.
    package var size: Int { stored.count }

    /// The record as a JSON object on one line, without the checksum, which speaks of the file.
    ///
    /// O(size).
    package var text: [UInt8] {
        [UInt8(ascii: "{")] + stored.dropFirst(RecordLine.checkedOffset)
    }
}
