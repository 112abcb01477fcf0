// The lines of a page, read piece by piece, so that memory stays bounded however large they are.
//
// Invariant: a piece is small, or it has a permit for what working on it takes before it is read.

import HTTP1
import Problems
import ResultStore

/// A reader of the lines of one page.
package struct PageLines {
    private let api: ResultAPI
    private let outline: PageOutline
    private let pieceBytes: Int
    private var index = 0

    /// For the piece that was read last, where it is large.
    package private(set) var permit: MemoryPermit?

    /// - Parameter pieceBytes: of several lines that are read at once.
    package init(_ api: ResultAPI, _ outline: PageOutline, pieceBytes: Int = 64 * 1024) {
        self.api = api
        self.outline = outline
        self.pieceBytes = pieceBytes
    }

    /// Whether nothing is left to be read.
    package var isAtEnd: Bool { index == outline.count }

    /// The next lines; nil at the end.
    ///
    /// The permit of those before ends with this call. May wait for memory. Throws 503 when there is
    /// none.
    package mutating func next() async throws(Problem) -> [StoredLine]? {
        permit = nil
        guard index < outline.count else { return nil }
        let (range, bytes) = outline.piece(from: index, upTo: pieceBytes)
        permit = try await api.memory(toReadLines: bytes)
        let (api, outline) = (api, outline)
        let (lines, damage) = try await api.ask { () async throws(StoreError) in
            try await api.store.lines(of: outline, range)
        }
        api.report(damage)
        index = range.upperBound
        return lines
    }
}

extension ResultAPI {
    /// How many times the size of a line reading, cutting down and writing it takes: the line, its
    /// text, a body that is decoded and encoded again, and what is written.
    private static let copiesOfLine = 6

    /// How many times the size of a body decoding and storing it takes.
    private static let copiesOfBody = 16

    /// Memory to decode a body and store what comes of it; nil where it is small.
    ///
    /// Throws 503 when it does not come free in time.
    package func memory(toDecode body: [UInt8]) async throws(Problem) -> MemoryPermit? {
        try await memory(for: body.count * Self.copiesOfBody, workingOn: body.count)
    }

    /// Memory to work on lines of so many bytes; nil where it is little.
    ///
    /// Throws 503 when it does not come free in time.
    package func memory(toReadLines bytes: Int) async throws(Problem) -> MemoryPermit? {
        try await memory(for: bytes * Self.copiesOfLine, workingOn: bytes)
    }

    /// Memory of `bytes`; nil where `size`, what is worked on, is small.
    ///
    /// Throws 503 when it does not come free in time.
    package func memory(for bytes: Int, workingOn size: Int) async throws(Problem) -> MemoryPermit?
    {
        guard size > Self.uncountedBytes else { return nil }
        if let permit = await memory.permit(for: bytes) { return permit }
        throw Problem(
            status: .serviceUnavailable, kind: "service-unavailable",
            detail: "Too much data is in flight; try again in a moment.",
            fields: [("Retry-After", "5")])
    }

    /// Bytes up to which work is not counted.
    private static let uncountedBytes = 64 * 1024
}
