// Log lines that can't be written are dropped, counted and reported, and no caller waits for them.
// Tests/curl/logging.bats does the same with the program's own standard error.

import Dispatch
import Synchronization
import Testing

@testable import ProgramLog
@testable import Server
@testable import Text

@Suite struct LogQueueTests {
    /// The other end of a log, which takes only as many bytes as it has room for, and nothing while it is
    /// blocked.
    private final class Reader: Sendable {
        let written = Mutex<[UInt8]>([])
        let room = Mutex(Int.max)
        let gate = DispatchSemaphore(value: 0)
        let isBlocked: Bool

        init(isBlocked: Bool = false) { self.isBlocked = isBlocked }

        func take(_ bytes: [UInt8]) -> Int {
            if isBlocked {
                gate.wait()
                gate.signal()
            }
            let count = room.withLock { room in
                let count = min(room, bytes.count)
                room -= count
                return count
            }
            written.withLock { $0 += bytes.prefix(count) }
            return count
        }

        var text: String { written.withLock { String(decoding: $0, as: UTF8.self) } }
    }

    private static func text(_ notice: LogQueue.Notice) -> [UInt8] {
        switch notice {
        case .dropped(let lines): Array("dropped \(lines)\n".utf8)
        case .suppressed(let suppressed):
            Array("left out \(suppressed.lines) \(suppressed.message)\n".utf8)
        }
    }

    @Test func linesAreWrittenInOrder() {
        let reader = Reader()
        let queue = LogQueue(write: { reader.take($0) }, text: Self.text)
        for number in 0..<500 { queue.add(Array("\(number)\n".utf8)) }
        queue.flush(within: 10_000)
        #expect(reader.text == (0..<500).map { "\($0)\n" }.joined())
    }

    @Test func aReaderThatDoesNotReadHoldsNobodyUpAndIsToldOfDroppedLines() {
        let reader = Reader(isBlocked: true)
        let queue = LogQueue(write: { reader.take($0) }, text: Self.text)
        let count = 3 * Limits.logLines
        for _ in 0..<count { queue.add([UInt8(ascii: "x"), UInt8(ascii: "\n")]) }
        queue.flush(within: 10)
        #expect(reader.text.isEmpty)
        reader.gate.signal()
        queue.flush(within: 10_000)
        let lines = reader.text.split(separator: "\n")
        // One notice follows each batch.
        let dropped = lines.filter { $0.hasPrefix("dropped ") }
            .compactMap { Int($0.dropFirst(8)) }.reduce(0, +)
        #expect(lines.count { $0 == "x" } + dropped == count)
        #expect(dropped >= Limits.logLines)
    }

    @Test func linesThatWaitAreBoundedInBytes() {
        let reader = Reader(isBlocked: true)
        let queue = LogQueue(write: { reader.take($0) }, text: Self.text)
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: Limits.logBytes / 2) + [10]
        for _ in 0..<6 { queue.add(line) }
        reader.gate.signal()
        queue.flush(within: 10_000)
        let lines = reader.text.split(separator: "\n")
        // One may have been taken before the others came.
        #expect((1...2).contains(lines.count { $0.hasPrefix("x") }))
        #expect(lines.last?.hasPrefix("dropped") == true)
    }

    @Test func aLineThatWasCutShortIsEndedBeforeTheNextOne() {
        let reader = Reader()
        var output = LogQueue.Output(write: { reader.take($0) }, text: Self.text)
        reader.room.withLock { $0 = 4 }
        output.put(Array("first\n".utf8))
        output.put(Array("second\n".utf8))
        #expect(output.dropped == 2)
        reader.room.withLock { $0 = .max }
        output.put(Array("third\n".utf8))
        #expect(reader.text == "firs\ndropped 2\nthird\n")
        #expect(output.dropped == 0)
    }

    @Test func whatIsHeldBackIsReportedThoughNoLineFollows() async throws {
        let reader = Reader()
        let queue = LogQueue(
            reportMilliseconds: 1, write: { reader.take($0) }, text: Self.text)
        queue.flush(within: 10_000)
        // Until the thread waits.
        try await Task.sleep(for: .milliseconds(50))
        while queue.admits("noise") {}
        for _ in 0..<3_000 where reader.text.isEmpty {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(reader.text == "left out 1 noise\n")
    }

    @Test func whatIsHeldBackIsToldAtTheEnd() {
        let reader = Reader()
        let queue = LogQueue(write: { reader.take($0) }, text: Self.text)
        let admitted = (0..<(Limits.logBurst + 50)).count { _ in queue.admits("noise") }
        queue.flush(within: 10_000)
        let left = Limits.logBurst + 50 - admitted
        #expect(admitted >= Limits.logBurst && left > 0)
        #expect(reader.text == "left out \(left) noise\n")
    }
}
