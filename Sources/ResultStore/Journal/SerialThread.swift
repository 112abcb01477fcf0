// A thread of its own for an actor that blocks on the disk: such work must not sit on the pool that
// runs everybody's tasks, nor on an event loop.

import CLinux
import Dispatch
import Foundation
import Synchronization

/// Runs the jobs of the actors that have it as their executor, one at a time, on one thread.
final class SerialThread: SerialExecutor {
    private struct Queue: ~Copyable {
        var jobs: [UnownedJob] = []
        var isStopping = false
    }

    private let queue = Mutex(Queue())
    private let wakeup = DispatchSemaphore(value: 0)

    /// Starts the thread; `name` shows in tools such as `top -H` (15 characters of it).
    init(name: String) {
        Thread.detachNewThread { [self] in
            // SAFETY: the C string lives for the call. (Foundation's `name` stays in the process.)
            unsafe name.withCString { unsafe clinux_name_thread($0) }
            run()
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.withLock { $0.jobs.append(job) }
        wakeup.signal()
    }

    /// Ends the thread when its jobs are done.
    func stop() {
        queue.withLock { $0.isStopping = true }
        wakeup.signal()
    }

    private func run() {
        while true {
            wakeup.wait()
            let (jobs, isStopping) = queue.withLock { queue in
                let jobs = queue.jobs
                queue.jobs = []
                return (jobs, queue.isStopping)
            }
            // SAFETY: this object lives as long as its thread runs.
            for job in jobs { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
            if isStopping, jobs.isEmpty { return }
        }
    }
}
