// A few threads that run what others wait for, so that no event loop and no thread of Swift's pool
// waits for a disk or a database, and so that queries need no thread that may not be had.
//
// Invariant: each thread runs one job at a time; jobs begin in the order in which they came.
// Left out: what a job is.

import Synchronization

/// Threads that run jobs, one each at a time.
package final class WorkerPool: Sendable {
    private typealias Job = @Sendable (_ thread: Int) -> Void

    private struct State: Sendable {
        var jobs: [Job] = []
        var idle: Set<Int>
        var isClosed = false
    }

    private enum Admission {
        /// The thread with this number has to be woken.
        case woken(Int)
        case queued
        case refused
    }

    private let state: Mutex<State>
    private let workers: [Worker<Void>]

    /// Starts the threads, all named `name` (see `Worker`).
    package init(name: String, count: Int) {
        state = Mutex(State(idle: Set(0..<count)))
        workers = (0..<count).map { _ in Worker(name: name, ()) }
        for (number, worker) in workers.enumerated() {
            worker.start { [weak self] in self?.drain(number) }
        }
    }

    deinit { for worker in workers { worker.abandon() } }

    /// Runs `body` on the first thread that is free, with the thread's number, from 0.
    ///
    /// `closed` after `close`, and `cancelled` if the task is cancelled before.
    package func run<Value: Sendable>(
        _ body: @escaping @Sendable (_ thread: Int) -> Result<Value, StoreError>
    ) async -> Result<Value, StoreError> {
        if Task.isCancelled { return .failure(.cancelled) }
        return await withCheckedContinuation { continuation in
            switch add({ continuation.resume(returning: body($0)) }) {
            case .woken(let thread): workers[thread].access { _, alarm in alarm.ring() }
            case .queued: break
            case .refused: continuation.resume(returning: .failure(.closed))
            }
        }
    }

    /// Ends the threads; jobs that wait run before.
    package func close() async {
        state.withLock { $0.isClosed = true }
        for worker in workers { await worker.stop() }
    }

    private func add(_ job: @escaping Job) -> Admission {
        state.withLock { state in
            if state.isClosed { return .refused }
            state.jobs.append(job)
            return state.idle.popFirst().map { .woken($0) } ?? .queued
        }
    }

    private func drain(_ number: Int) {
        while true {
            let job = state.withLock { state -> Job? in
                if state.jobs.isEmpty {
                    state.idle.insert(number)
                    return nil
                }
                // Moves the jobs that wait, at most one for each request that waits.
                return state.jobs.removeFirst()
            }
            guard let job else { return }
            job(number)
        }
    }
}
