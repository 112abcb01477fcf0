// A position in a JSON text, for people (line and column) and for programs (offset).
//
// Left out: columns in characters. Editors disagree about them; bytes are exact.

/// A position in a JSON text.
public struct JSONPosition: Sendable, Hashable {
    /// Bytes from the start of the text, from 0.
    public let offset: Int

    /// The line, from 1.
    ///
    /// A line ends with a line feed; a carriage return belongs to its line.
    public let line: Int

    /// UTF-8 bytes from the start of the line, from 1.
    public let column: Int

    /// Finds line and column of `offset` in `bytes`, in O(offset).
    ///
    /// An offset outside of the text is clamped to it.
    public init(offset: Int, in bytes: [UInt8]) {
        let offset = min(max(offset, 0), bytes.count)
        var line = 1
        var lineStart = 0
        for index in 0..<offset where bytes[index] == UInt8(ascii: "\n") {
            line += 1
            lineStart = index + 1
        }
        self.offset = offset
        self.line = line
        self.column = offset - lineStart + 1
    }

    init(offset: Int, line: Int, column: Int) {
        self.offset = offset
        self.line = line
        self.column = column
    }
}

extension JSONFault {
    /// The position of the fault.
    public var position: JSONPosition {
        JSONPosition(offset: offset, line: line, column: column)
    }
}
