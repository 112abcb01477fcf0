// A dedicated thread for an actor that blocks on the disk. Such work must not occupy Swift's thread
// pool or an event loop.
//
// Invariant: the thread ends when its owner is released, even if the owner's initializer throws:
// the thread keeps only the queue alive, not this object.

import CLinux
import Dispatch
import Foundation
import Synchronization

/// Runs the jobs of the actors that use it as their executor, one at a time, on one thread.
final class SerialThread: SerialExecutor {
    /// State that the thread shares with the callers that enqueue jobs.
    private final class Queue: Sendable {
        private struct State: ~Copyable {
            var jobs: [UnownedJob] = []
            var isStopping = false
        }

        private let state = Mutex(State())
        private let wakeup = DispatchSemaphore(value: 0)

        func append(_ job: UnownedJob) {
            state.withLock { $0.jobs.append(job) }
            wakeup.signal()
        }

        func stop() {
            state.withLock { $0.isStopping = true }
            wakeup.signal()
        }

        /// Runs jobs until it is stopped and none is left.
        func run(on executor: UnownedSerialExecutor) {
            while true {
                wakeup.wait()
                let (jobs, isStopping) = state.withLock { state in
                    let jobs = state.jobs
                    state.jobs = []
                    return (jobs, state.isStopping)
                }
                // SAFETY: a job keeps its actor alive, and the actor its executor.
                for job in jobs { unsafe job.runSynchronously(on: executor) }
                if isStopping, jobs.isEmpty { return }
            }
        }
    }

    private let queue = Queue()

    /// Starts the thread.
    ///
    /// `name` is shown in tools such as `top -H` (up to 15 characters).
    init(name: String) {
        let queue = queue
        // SAFETY: it is used for jobs only, which keep this object alive.
        let executor = unsafe asUnownedSerialExecutor()
        Thread.detachNewThread {
            // SAFETY: the C string lives for the call. (Foundation's `name` would stay within the
            // process.)
            unsafe name.withCString { unsafe clinux_name_thread($0) }
            clinux_be_patient()
            // SAFETY: as above.
            unsafe queue.run(on: executor)
        }
    }

    deinit { queue.stop() }

    func enqueue(_ job: consuming ExecutorJob) {
        queue.append(UnownedJob(job))
    }

    /// Ends the thread when its jobs are done.
    func stop() {
        queue.stop()
    }
}
