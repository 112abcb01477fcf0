// A thread of its own for an actor that blocks on the disk: such work must not sit on the pool that
// runs everybody's tasks, nor on an event loop.
//
// Invariant: the thread ends when its owner does, also one whose initializer throws halfway: what
// the thread itself keeps alive is the queue, not this object.

import CLinux
import Dispatch
import Foundation
import Synchronization

/// Runs the jobs of the actors that have it as their executor, one at a time, on one thread.
final class SerialThread: SerialExecutor {
    /// What the thread and those who hand in jobs share.
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
                // SAFETY: a job keeps its actor alive, and that its executor.
                for job in jobs { unsafe job.runSynchronously(on: executor) }
                if isStopping, jobs.isEmpty { return }
            }
        }
    }

    private let queue = Queue()

    /// Starts the thread; `name` shows in tools such as `top -H` (15 characters of it).
    init(name: String) {
        let queue = queue
        // SAFETY: it is used for jobs only, which keep this object alive.
        let executor = unsafe asUnownedSerialExecutor()
        Thread.detachNewThread {
            // SAFETY: the C string lives for the call. (Foundation's `name` stays in the process.)
            unsafe name.withCString { unsafe clinux_name_thread($0) }
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
