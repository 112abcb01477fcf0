// A thread with a mailbox. Putting mail into the mailbox wakes the thread directly, so no thread of
// Swift's pool needs to be free.
//
// Invariant: `work` runs one call at a time, always on the thread; mail that was in the mailbox
// when the thread was stopped is processed before it ends. Left out: what the mail is.

import CLinux
import Clocks
import Dispatch
import Foundation
import Synchronization

/// Processes what others put into its mailbox.
package final class Worker<Mailbox: Sendable>: Sendable {
    /// When the thread checks its mailbox.
    package struct Alarm: Sendable {
        /// On the monotonic clock, in milliseconds; nil if nothing waits.
        fileprivate var due: UInt64?
        fileprivate var mustWake = false

        /// Makes the thread work within this many milliseconds.
        package mutating func ring(within milliseconds: UInt64 = 0) {
            let moment = milliseconds == 0 ? 0 : Clock.monotonicMilliseconds + milliseconds
            guard moment < due ?? .max else { return }
            due = moment
            mustWake = true
        }
    }

    private struct State: Sendable {
        var mailbox: Mailbox
        var alarm = Alarm()
        var isRunning = false
        var isStopping = false
        var stoppers: [CheckedContinuation<Void, Never>] = []
    }

    private let name: String
    private let isQuick: Bool
    private let state: Mutex<State>
    private let wakeup = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - name: shown in tools such as `top -H` (up to 15 characters).
    ///   - isQuick: whether the thread runs soon after it is woken, though others are busy.
    package init(name: String, isQuick: Bool = false, _ mailbox: Mailbox) {
        self.name = name
        self.isQuick = isQuick
        state = Mutex(State(mailbox: mailbox))
    }

    /// Accesses the mailbox; wakes the thread if `body` rings the alarm.
    ///
    /// `body` runs under a lock and must not wait.
    package func access<Value: Sendable>(_ body: (inout Mailbox, inout Alarm) -> Value) -> Value {
        let (result, mustWake) = state.withLock { state in
            let result = body(&state.mailbox, &state.alarm)
            defer { state.alarm.mustWake = false }
            return (result, state.alarm.mustWake)
        }
        if mustWake { wakeup.signal() }
        return result
    }

    /// Starts the thread.
    ///
    /// The thread keeps this object and the captures of `work` alive until `stop` or `abandon`.
    package func start(_ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.isRunning = true }
        Thread.detachNewThread { [self] in
            // SAFETY: the C string lives for the call. (Foundation's `name` would stay within the
            // process.)
            unsafe name.withCString { unsafe clinux_name_thread($0) }
            if isQuick { clinux_be_quick() }
            run(work)
        }
    }

    /// Returns when the thread has processed its mail and has ended.
    package func stop() async {
        await withCheckedContinuation { continuation in
            let isRunning = state.withLock { state in
                state.isStopping = true
                if state.isRunning { state.stoppers.append(continuation) }
                return state.isRunning
            }
            if isRunning { wakeup.signal() } else { continuation.resume() }
        }
    }

    /// Ends the thread, for an owner that is released without calling `stop`.
    package func abandon() {
        state.withLock { $0.isStopping = true }
        wakeup.signal()
    }

    private enum Turn {
        case work
        /// Milliseconds; nil until the alarm rings.
        case wait(UInt64?)
        case end([CheckedContinuation<Void, Never>])
    }

    private func run(_ work: () -> Void) {
        while true {
            let turn = state.withLock { state -> Turn in
                let now = Clock.monotonicMilliseconds
                if let due = state.alarm.due, due <= now || state.isStopping {
                    state.alarm.due = nil
                    return .work
                }
                guard state.isStopping else { return .wait(state.alarm.due.map { $0 - now }) }
                state.isRunning = false
                return .end(state.stoppers)
            }
            switch turn {
            case .work: work()
            case .wait(nil): wakeup.wait()
            case .wait(let milliseconds?):
                _ = wakeup.wait(timeout: .now() + .milliseconds(Int(milliseconds)))
            case .end(let stoppers):
                for stopper in stoppers { stopper.resume() }
                return
            }
        }
    }
}
