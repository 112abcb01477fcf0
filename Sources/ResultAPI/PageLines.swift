// Reads the lines of a page piece by piece, so that memory stays bounded.
//
// Invariant: a piece is small, or a permit for the memory to process it is taken before it is read.

import HTTP1
import Problems
import ResultStore

/// Reads the lines of one page.
struct PageLines {
    private let api: ResultAPI
    private let outline: PageOutline
    private let pieceBytes: Int
    /// Number of lines that have been read.
    private(set) var index = 0

    /// Number of lines of the last piece that are damaged, and left out of it.
    private(set) var damaged = 0

    /// The permit for the last piece, if it is large.
    private(set) var permit: MemoryPermit?

    /// - Parameter pieceBytes: limit for several lines that are read at once.
    init(_ api: ResultAPI, _ outline: PageOutline, pieceBytes: Int = 64 * 1024) {
        self.api = api
        self.outline = outline
        self.pieceBytes = pieceBytes
    }

    /// Whether all lines have been read.
    var isAtEnd: Bool { index == outline.count }

    /// The next lines; nil at the end.
    ///
    /// Releases the permit of the previous lines. May wait for memory; throws 503 if there is none.
    mutating func next() async throws(Problem) -> [StoredLine]? {
        permit = nil
        guard index < outline.count else { return nil }
        let (range, bytes) = outline.piece(from: index, upTo: pieceBytes)
        permit = try await api.memory(toReadLines: bytes)
        let (api, outline) = (api, outline)
        let (lines, damage) = try await api.ask { () async throws(StoreError) in
            try await api.store.lines(of: outline, range)
        }
        api.report(damage)
        damaged = damage.count
        index = range.upperBound
        return lines
    }
}

extension ResultAPI {
    /// Memory to read, cut and write a line, as a multiple of its size: the line, its text, a body
    /// that is decoded and encoded again, and the output.
    private static let copiesOfLine = 6

    /// Memory to decode and store a body, as a multiple of its size.
    private static let copiesOfBody = 16

    /// A permit to decode a body and store the result; nil if it is small.
    ///
    /// Throws 503 if the memory is not available in time.
    ///
    /// - Parameters:
    ///   - additional: bytes that are stored or held in addition to the body.
    ///   - former: the request's permit so far, which is given back first: a request that waits
    ///     for memory while it holds some may wait for itself.
    package func memory(
        toDecode body: [UInt8], and additional: Int = 0, insteadOf former: MemoryPermit? = nil
    ) async throws(Problem) -> MemoryPermit? {
        former?.release()
        return try await memory(
            for: body.count * Self.copiesOfBody + additional * Self.copiesOfLine,
            workingOn: body.count + additional)
    }

    /// A permit to process lines of `bytes` bytes; nil if they are small.
    ///
    /// Throws 503 if the memory is not available in time.
    package func memory(toReadLines bytes: Int) async throws(Problem) -> MemoryPermit? {
        try await memory(for: bytes * Self.copiesOfLine, workingOn: bytes)
    }

    /// A permit for `bytes` bytes; nil if `size`, the size of the input, is small.
    ///
    /// Throws 503 if the memory is not available in time.
    package func memory(for bytes: Int, workingOn size: Int) async throws(Problem) -> MemoryPermit?
    {
        guard size > Self.uncountedBytes else { return nil }
        if let permit = await memory.permit(for: bytes) { return permit }
        throw Problem(
            status: .serviceUnavailable, kind: "service-unavailable",
            detail: "Too much data is in flight; try again in a moment.",
            fields: [("Retry-After", "5")])
    }

    /// Inputs up to this size need no permit.
    private static let uncountedBytes = 64 * 1024
}
