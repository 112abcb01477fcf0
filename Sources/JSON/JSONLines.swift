// The beginnings of a text's lines, for code that needs many positions of one text.

/// The lines of a text.
public struct JSONLines: Sendable {
    /// Offsets of the first byte of each line, ascending.
    private let starts: [Int]
    private let size: Int

    /// Finds the lines of `bytes`, in O(length).
    public init(of bytes: [UInt8]) {
        var starts = [0]
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
            starts.append(index + 1)
        }
        self.starts = starts
        size = bytes.count
    }

    /// Offset, line and column of an offset; one outside of the text is clamped to it.
    ///
    /// O(log lines).
    public func position(of offset: Int) -> JSONPosition {
        let offset = min(max(offset, 0), size)
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return JSONPosition(offset: offset, line: low + 1, column: offset - starts[low] + 1)
    }
}
