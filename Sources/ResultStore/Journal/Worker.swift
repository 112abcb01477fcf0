// A thread with a mailbox. Putting something into the mailbox wakes the thread directly: no
// thread of Swift's pool has to be free for that.
//
// Invariant: one call of the work at a time, always on the thread; what was in the mailbox when the
// thread was told to stop is worked on before it ends. Left out: what mail is.

import CLinux
import Clocks
import Dispatch
import Foundation
import Synchronization

/// Works on what others put into its mailbox.
final class Worker<Mailbox: Sendable>: Sendable {
    /// When the thread looks into its mailbox.
    struct Alarm: Sendable {
        /// On the monotonic clock, in milliseconds; nil when nothing waits.
        fileprivate var due: UInt64?
        fileprivate var mustWake = false

        /// Has the thread work at the latest after so many milliseconds.
        mutating func ring(within milliseconds: UInt64 = 0) {
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
    private let state: Mutex<State>
    private let wakeup = DispatchSemaphore(value: 0)

    /// - Parameter name: shows in tools such as `top -H` (15 characters of it).
    init(name: String, _ mailbox: Mailbox) {
        self.name = name
        state = Mutex(State(mailbox: mailbox))
    }

    /// Looks into the mailbox; the thread is woken when `body` rings.
    ///
    /// `body` runs under a lock, and must not wait.
    func access<Value: Sendable>(_ body: (inout Mailbox, inout Alarm) -> Value) -> Value {
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
    /// It keeps this object, and what `work` keeps, until `stop` or `abandon`.
    func start(_ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.isRunning = true }
        Thread.detachNewThread { [self] in
            // SAFETY: the C string lives for the call. (Foundation's `name` stays in the process.)
            unsafe name.withCString { unsafe clinux_name_thread($0) }
            run(work)
        }
    }

    /// Returns when the thread has worked on what there is, and has ended.
    func stop() async {
        await withCheckedContinuation { continuation in
            let isRunning = state.withLock { state in
                state.isStopping = true
                if state.isRunning { state.stoppers.append(continuation) }
                return state.isRunning
            }
            if isRunning { wakeup.signal() } else { continuation.resume() }
        }
    }

    /// Tells the thread to end; for an owner that goes without `stop`.
    func abandon() {
        state.withLock { $0.isStopping = true }
        wakeup.signal()
    }

    private enum Turn {
        case work
        /// Milliseconds; nil for as long as nobody rings.
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
