// The thread that works on a mailbox, and what needs no other thread.

import Dispatch
import Foundation
import Synchronization
import Testing

@testable import ResultStore

/// Runs the tasks that prefer it on a thread of its own, as an event loop does.
private final class OwnThread: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let wakeup = DispatchSemaphore(value: 0)
    private let isStopping = Mutex(false)

    init() {
        Thread.detachNewThread { [self] in
            while true {
                wakeup.wait()
                if isStopping.withLock({ $0 }) { return }
                let next = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                if let next { unsafe next.runSynchronously(on: unsafe asUnownedTaskExecutor()) }
            }
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        wakeup.signal()
    }

    func stop() {
        isStopping.withLock { $0 = true }
        wakeup.signal()
    }
}

@Suite struct WorkerTests {
    @Test func anAppendIsDurableWhileEveryThreadOfThePoolIsBlocked() throws {
        let folder = try TemporaryFolder()
        let store = try ResultStore(folder)
        let ownThread = OwnThread()
        let (release, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        // More than the pool has threads, and than it gets while this waits.
        let blockers = 64
        for _ in 0..<blockers { Task.detached { Self.block(release) } }
        Thread.sleep(forTimeInterval: 0.2)
        let receipt = Mutex<Receipt?>(nil)
        Task(executorPreference: ownThread) {
            let stored = try? await store.append(sampleRecord(1))
            receipt.withLock { $0 = stored }
            isDone.signal()
        }
        #expect(isDone.wait(timeout: .now() + 60) == .success)
        #expect(receipt.withLock { $0 }?.sequence == 1)
        for _ in 0..<blockers { release.signal() }
        ownThread.stop()
    }

    private static func block(_ semaphore: DispatchSemaphore) { semaphore.wait() }

    @Test func mailThatWaitsIsWorkedOnBeforeTheThreadEnds() async {
        let worker = Worker(name: "test", [Int]())
        let done = Mutex<[Int]>([])
        worker.start {
            let mail = worker.access { mailbox, _ in
                defer { mailbox = [] }
                return mailbox
            }
            done.withLock { $0 += mail }
        }
        for number in 1...100 {
            worker.access { mailbox, alarm in
                mailbox.append(number)
                alarm.ring(within: 3_600_000)
            }
        }
        await worker.stop()
        #expect(done.withLock { $0 } == Array(1...100))
    }

    @Test func anEarlierRingComesBeforeALaterOne() async {
        let worker = Worker(name: "test", 0)
        let isDone = DispatchSemaphore(value: 0)
        worker.start { isDone.signal() }
        worker.access { _, alarm in alarm.ring(within: 3_600_000) }
        worker.access { _, alarm in alarm.ring(within: 1) }
        let result = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: isDone.wait(timeout: .now() + 60))
            }
        }
        #expect(result == .success)
        await worker.stop()
    }
}
