// The queue of log lines for standard error. Its own thread writes them, so that a slow or broken
// reader (no one, a full disk, a blocked pipe) neither delays a request nor ends the process.
//
// Invariant: the queue is bounded. Each line is written whole, or dropped and counted; as soon as
// writing works again, a line reports the number of dropped lines.

import Clocks
import Dispatch
import Foundation
import Sockets
import Synchronization

/// A bounded queue of lines, and the thread that writes them.
final class LogQueue: Sendable {
    /// A line about the log itself.
    enum Notice: Equatable {
        /// Number of lines dropped, because writing failed or the queue was full.
        case dropped(Int)
        /// Number of lines of one message that were held back.
        case suppressed(LogThrottle.Suppressed)
    }

    /// Writes bytes, and returns how many of them were written.
    typealias Write = @Sendable ([UInt8]) -> Int

    private struct State {
        var lines: [[UInt8]] = []
        var bytes = 0
        /// Lines dropped since the last notice.
        var dropped = 0
        /// Whether dequeued lines are being written.
        var isWriting = false
        var throttle = LogThrottle(
            burst: Limits.logBurst, milliseconds: Limits.logIntervalMilliseconds,
            messages: Limits.logMessages)
        var nextReport: UInt64 = 0
    }

    private let state = Mutex(State())
    private let wakeup = DispatchSemaphore(value: 0)
    private let reportMilliseconds: UInt64
    private let write: Write
    private let text: @Sendable (Notice) -> [UInt8]

    /// Starts the thread, which runs as long as the process.
    ///
    /// - Parameters:
    ///   - reportMilliseconds: time from the first line that is held back to the notice of them.
    ///   - write: called on the thread only, and may block.
    ///   - text: makes a notice a line, with its end.
    init(
        reportMilliseconds: UInt64 = Limits.logReportMilliseconds,
        write: @escaping Write = { StandardStream.error.write($0) },
        text: @escaping @Sendable (Notice) -> [UInt8]
    ) {
        self.reportMilliseconds = reportMilliseconds
        self.write = write
        self.text = text
        Thread.detachNewThread { [self] in run() }
    }

    /// Whether to add a line of this message; if not, it is counted.
    func admits(_ message: String) -> Bool {
        let now = Clock.monotonicMilliseconds
        let (isAdmitted, isFirst) = state.withLock { state -> (Bool, Bool) in
            if state.throttle.admit(message, at: now) { return (true, false) }
            guard state.nextReport == 0 else { return (false, false) }
            state.nextReport = now + reportMilliseconds
            return (false, true)
        }
        // The thread may wait without a deadline.
        if isFirst { wakeup.signal() }
        return isAdmitted
    }

    /// Adds a line, with its end; drops it if the queue is full.
    ///
    /// Returns at once.
    func add(_ line: [UInt8]) {
        let isFirst = state.withLock { state in
            guard state.lines.count < Limits.logLines, state.bytes + line.count <= Limits.logBytes
            else {
                state.dropped += 1
                return false
            }
            state.lines.append(line)
            state.bytes += line.count
            return state.lines.count == 1
        }
        if isFirst { wakeup.signal() }
    }

    /// Returns when everything has been written, including notices, or after the timeout.
    func flush(within milliseconds: UInt64) {
        let deadline = Clock.monotonicMilliseconds + milliseconds
        state.withLock { state in
            if state.nextReport > 0 { state.nextReport = 1 }
        }
        wakeup.signal()
        while Clock.monotonicMilliseconds < deadline {
            let isDone = state.withLock {
                $0.lines.isEmpty && !$0.isWriting && $0.nextReport == 0
            }
            if isDone { return }
            Thread.sleep(forTimeInterval: 0.005)
        }
    }

    // MARK: The thread

    private func run() {
        var output = Output(write: write, text: text)
        while true {
            let (lines, dropped, suppressed) = take()
            for line in lines { output.put(line) }
            output.dropped += dropped
            output.reportDropped()
            for each in suppressed { output.put(text(.suppressed(each))) }
            let (isIdle, nextReport) = state.withLock { state in
                state.isWriting = false
                return (state.lines.isEmpty && state.dropped == 0, state.nextReport)
            }
            guard isIdle else { continue }
            var deadline = nextReport
            if output.dropped > 0 {
                deadline = Clock.monotonicMilliseconds + Limits.logRetryMilliseconds
            }
            if deadline == 0 {
                wakeup.wait()
            } else {
                let now = Clock.monotonicMilliseconds
                let milliseconds = Int(clamping: deadline > now ? deadline - now : 0)
                _ = wakeup.wait(timeout: .now() + .milliseconds(milliseconds))
            }
        }
    }

    /// The next lines to write.
    private func take() -> (lines: [[UInt8]], dropped: Int, suppressed: [LogThrottle.Suppressed]) {
        let now = Clock.monotonicMilliseconds
        return state.withLock { state in
            state.isWriting = true
            var suppressed: [LogThrottle.Suppressed] = []
            if state.nextReport > 0, now >= state.nextReport {
                suppressed = state.throttle.takeSuppressed()
                state.nextReport = 0
            }
            defer {
                state.lines = []
                state.bytes = 0
                state.dropped = 0
            }
            return (state.lines, state.dropped, suppressed)
        }
    }
}

extension LogQueue {
    /// The thread's state of the output.
    struct Output {
        let write: Write
        let text: @Sendable (Notice) -> [UInt8]
        /// Dropped lines that no notice has reported yet.
        var dropped = 0
        /// Whether the last line was cut short, so that the next one needs a line end before it.
        private var isTorn = false

        init(write: @escaping Write, text: @escaping @Sendable (Notice) -> [UInt8]) {
            self.write = write
            self.text = text
        }

        /// Writes a line, preceded by a notice of lines dropped before; counts the line if writing
        /// fails.
        mutating func put(_ line: [UInt8]) {
            reportDropped()
            if dropped > 0 || !writeWhole(line) { dropped += 1 }
        }

        /// Writes a notice of dropped lines, if there are any.
        mutating func reportDropped() {
            if dropped > 0, writeWhole(text(.dropped(dropped))) { dropped = 0 }
        }

        private mutating func writeWhole(_ line: [UInt8]) -> Bool {
            let bytes = isTorn ? [UInt8(ascii: "\n")] + line : line
            let count = write(bytes)
            if count > 0 { isTorn = count < bytes.count }
            return count == bytes.count
        }
    }
}
