// Lines out of parts of any size: what an import reads from a request's body or from a file.
//
// Invariant: the lines don't depend on where the parts are cut, and no more than one line is held.
// Left out: what the lines mean.

/// A splitter of NDJSON.
package struct NDJSONLines {
    /// One line that isn't blank; its number counts blank ones too, from 1.
    package enum Line: Equatable {
        /// The line without its end.
        case text(number: Int, [UInt8])
        /// The line is longer than allowed; its text is gone.
        case tooLong(number: Int)

        /// The place in the input.
        package var number: Int {
            switch self {
            case .text(let number, _), .tooLong(let number): number
            }
        }
    }

    /// Bytes of the longest line that an import takes.
    package static let defaultLineBytes = 32 * 1024 * 1024

    private let maximumLineBytes: Int
    private var number = 1
    private var pending: [UInt8] = []
    private var isTooLong = false

    /// - Parameter maximumLineBytes: bytes of the longest line, its line feed not counted.
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

    /// The last line, when it has no line end; nil when there is none.
    ///
    /// Nothing may follow.
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
