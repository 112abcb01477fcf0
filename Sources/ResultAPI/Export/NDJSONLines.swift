// Splits parts of any size into lines: the input of an import, from a request body or a file.
//
// Invariant: the lines don't depend on the boundaries of the parts, and at most one line is held.
// Left out: the meaning of the lines.

/// A splitter of NDJSON.
package struct NDJSONLines {
    /// A line that isn't blank; numbers start at 1 and count blank lines too.
    package enum Line: Equatable {
        /// The line without its line end.
        case text(number: Int, [UInt8])
        /// The line exceeds the limit; its text was dropped.
        case tooLong(number: Int)

        /// Bytes of the text.
        var size: Int {
            if case .text(_, let bytes) = self { bytes.count } else { 0 }
        }
    }

    /// Default maximum bytes of an imported line.
    package static let defaultLineBytes = 32 * 1024 * 1024

    private let maximumLineBytes: Int
    private var number = 1
    private var pending: [UInt8] = []
    private var isTooLong = false

    /// - Parameter maximumLineBytes: maximum bytes of a line without its line feed.
    package init(maximumLineBytes: Int = Self.defaultLineBytes) {
        self.maximumLineBytes = maximumLineBytes
    }

    /// The lines that end in the next part of the input.
    ///
    /// O(part).
    package mutating func lines(in part: some Collection<UInt8>) -> [Line] {
        var lines: [Line] = []
        var rest = part[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            gather(rest[..<end])
            if let line = endLine() { lines.append(line) }
            rest = rest[rest.index(after: end)...]
        }
        gather(rest)
        return lines
    }

    /// The last line if it has no line end; nil otherwise.
    ///
    /// Call nothing after it.
    package mutating func finish() -> Line? { endLine() }

    private mutating func gather(_ piece: some Collection<UInt8>) {
        if isTooLong { return }
        if piece.count <= maximumLineBytes - pending.count {
            pending.append(contentsOf: piece)
        } else {
            isTooLong = true
            pending = []
        }
    }

    private mutating func endLine() -> Line? {
        defer {
            number += 1
            pending = []
            isTooLong = false
        }
        if isTooLong { return .tooLong(number: number) }
        if pending.last == UInt8(ascii: "\r") { pending.removeLast() }
        if number == 1, pending.starts(with: [0xEF, 0xBB, 0xBF]) { pending.removeFirst(3) }
        let isBlank = pending.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        return isBlank ? nil : .text(number: number, pending)
    }
}
