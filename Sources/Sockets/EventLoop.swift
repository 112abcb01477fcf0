// A thread with an epoll instance; it is also the executor of the tasks that run on it.
//
// Invariant: everything below "owned by the thread" is used by the loop's own thread only; other
// threads use `enqueue` and `stop`. A connection's task prefers this executor, so it starts, runs
// and ends here, and its state needs no lock. Left out: timers other than the deadlines of waits.
// Blocking work must run elsewhere.

import CLinux
import Clocks
import Synchronization

/// One thread that waits for descriptors and runs the tasks that prefer it.
///
/// The state is confined to the thread, as described above; data shared between threads is
/// protected by `inbox` and the atomics.
package final class EventLoop: TaskExecutor,
    @unchecked Sendable  // SAFETY: the state is confined to one thread.
{
    /// A task that lets others go first.
    ///
    /// SAFETY: the continuation is resumed once, by the round that takes it.
    @safe private struct YieldingTask {
        let continuation: UnsafeContinuation<Void, Never>
    }

    private let epoll: Descriptor
    private let wakeup: Descriptor
    private let inbox = Mutex<[UnownedJob]>([])
    private let isAsleep = Atomic<Bool>(false)
    private let isStopping = Atomic<Bool>(false)
    private let isQuick: Bool
    /// When a drain must be complete, on the monotonic clock; `notDraining` before a drain.
    private let drainDeadline = Atomic<UInt64>(EventLoop.notDraining)
    private static let notDraining = UInt64.max
    private var thread: UInt64 = 0

    // Owned by the thread.
    private var ready: [UnownedJob] = []
    private var running: [UnownedJob] = []
    private var yielding: [YieldingTask] = []
    private var events = [clinux_event](
        repeating: clinux_event(), count: Limits.eventsPerWait)
    private var table = RegistrationTable()
    private var pool: [[UInt8]] = []
    private var spare: [UInt8] = []
    private var waitersWithDeadline = 0
    private var nextSweep: UInt64 = 0
    private var second: (number: Int64, checkedAt: UInt64, text: [UInt8]) = (-1, .max, [])

    private var wokenAt: UInt64 = Clock.monotonicMilliseconds
    private var rounds: UInt64 = 0
    private var drains = false
    private var aborts = false

    // Computed: Swift checks each access to a stored `package` property for exclusivity at run time.

    /// The monotonic clock as of the loop's last wake-up, in milliseconds.
    package var now: UInt64 { wokenAt }

    /// How often the loop has looked at its descriptors.
    package var round: UInt64 { rounds }

    /// Whether the loop is draining: finish what has begun, then close.
    package var isDraining: Bool { drains }

    /// Whether the drain's time is over: all waits end.
    package var isAborting: Bool { aborts }

    /// The best number of loops: one for each of the machine's processors, but fewer if the process
    /// may have only `descriptors` open, because a loop and its listeners take some of them.
    package static func count(descriptors: Int) -> Int {
        count(processors: Int(clinux_core_count()), descriptors: descriptors)
    }

    /// Whether this process may have the threads of a server: those of the loops and of the system's
    /// pool, as many as there are processors each, and some more.
    ///
    /// Without them a server would wait for a thread that never begins.
    package static var hasThreads: Bool {
        clinux_try_threads(2 * clinux_core_count() + Limits.otherThreads) == 0
    }

    /// The best number of loops on a machine with `processors`.
    ///
    /// O(1).
    package static func count(processors: Int, descriptors: Int) -> Int {
        max(1, min(processors, descriptors / Limits.descriptorsPerLoop))
    }

    /// Creates a loop and starts its thread, named `name` (up to 15 characters are kept).
    ///
    /// - Parameter isQuick: whether it runs soon after it wakes, though others are busy. One for long
    ///   work gives way to them instead (`Pause`).
    package init(name: String, isQuick: Bool = true) throws(SocketError) {
        self.isQuick = isQuick
        epoll = try Descriptor("epoll_create1", clinux_epoll_create())
        wakeup = try Descriptor("eventfd", clinux_eventfd())
        let added = clinux_epoll_add(epoll.number, wakeup.number, RegistrationTable.wakeupID)
        guard added >= 0 else { throw SocketError("epoll_ctl", Int(added)) }
        try start(name)
    }

    /// Whether the caller runs on this loop's thread.
    private var isCurrent: Bool {
        // SAFETY: the two pointers are only compared.
        unsafe clinux_owner() == Unmanaged.passUnretained(self).toOpaque()
    }

    // MARK: Jobs

    /// Runs `job` on the loop's thread, in the order of the calls.
    ///
    /// Can be called from any thread.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent {
            ready.append(job)
            return
        }
        inbox.withLock { $0.append(job) }
        wakeIfAsleep()
    }

    private func wakeIfAsleep() {
        guard isAsleep.exchange(false, ordering: .sequentiallyConsistent) else { return }
        _ = clinux_eventfd_signal(wakeup.number)
    }

    // MARK: Life

    /// Makes the tasks on the loop finish what they have begun.
    ///
    /// Waits that may be abandoned end with `draining`; all other waits for readiness end so after
    /// `limit` milliseconds. Can be called from any thread; returns at once. A second call has no
    /// effect.
    package func drain(within limit: UInt64 = 60_000) {
        _ = drainDeadline.compareExchange(
            expected: Self.notDraining, desired: Clock.monotonicMilliseconds + limit,
            ordering: .sequentiallyConsistent)
        wakeIfAsleep()
    }

    /// Ends the thread and waits for it.
    ///
    /// All tasks of the loop must have ended.
    package func stop() {
        guard !isStopping.exchange(true, ordering: .sequentiallyConsistent) else { return }
        _ = clinux_eventfd_signal(wakeup.number)
        _ = clinux_join(thread)
    }

    private func start(_ name: String) throws(SocketError) {
        // SAFETY: the thread gets a retained reference, which its body takes over.
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        let result = unsafe name.withCString { name in
            unsafe clinux_start_thread(
                &thread, name,
                { context in
                    guard let context = unsafe context else { return }
                    let loop = unsafe Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue()
                    unsafe clinux_set_owner(context)
                    loop.run()
                    clinux_set_owner(nil)
                }, context)
        }
        if result < 0 {
            unsafe Unmanaged<EventLoop>.fromOpaque(context).release()
            throw SocketError("pthread_create", Int(result))
        }
    }

    private func run() {
        if isQuick { clinux_be_quick() } else { clinux_be_patient() }
        while !isStopping.load(ordering: .relaxed) {
            runReadyJobs()
            waitForEvents()
            resumeYielding()
            wokenAt = Clock.monotonicMilliseconds
            rounds &+= 1
            checkDrain()
            if waitersWithDeadline > 0, now >= nextSweep { sweepDeadlines() }
        }
    }

    /// Runs the jobs that are ready now.
    ///
    /// Jobs that they enqueue wait for the next round, so that descriptors get their turn.
    private func runReadyJobs() {
        inbox.withLock { jobs in
            guard !jobs.isEmpty else { return }
            ready.append(contentsOf: jobs)
            jobs.removeAll(keepingCapacity: true)
        }
        swap(&ready, &running)
        let executor = unsafe asUnownedTaskExecutor()
        for job in running {
            unsafe job.runSynchronously(on: executor)
        }
        running.removeAll(keepingCapacity: true)
    }

    private func waitForEvents() {
        var timeout = waitTimeout()
        if timeout != 0 {
            isAsleep.store(true, ordering: .sequentiallyConsistent)
            let mustStay =
                inbox.withLock { !$0.isEmpty }
                || (drainDeadline.load(ordering: .sequentiallyConsistent) != Self.notDraining)
                    != isDraining
            if mustStay { timeout = 0 }
        }
        // SAFETY: the array has `eventsPerWait` elements, and the shim writes no more.
        let count = unsafe events.withUnsafeMutableBufferPointer { buffer in
            unsafe clinux_epoll_wait(
                epoll.number, buffer.baseAddress, Int32(buffer.count), timeout)
        }
        isAsleep.store(false, ordering: .relaxed)
        guard count > 0 else { return }
        for index in 0..<Int(count) { dispatch(events[index]) }
    }

    /// Milliseconds that the kernel may wait: 0 if work is ready, unlimited without deadlines.
    private func waitTimeout() -> Int32 {
        if !ready.isEmpty || !yielding.isEmpty { return 0 }
        var next = waitersWithDeadline > 0 ? nextSweep : .max
        if isDraining, !isAborting { next = min(next, drainDeadline.load(ordering: .relaxed)) }
        guard next < .max else { return -1 }
        let current = Clock.monotonicMilliseconds
        return next > current ? Int32(clamping: next - current) : 0
    }

    private func dispatch(_ event: clinux_event) {
        if event.id == RegistrationTable.wakeupID {
            _ = clinux_eventfd_clear(wakeup.number)
            return
        }
        guard let registration = table[event.id] else { return }
        if event.ready & UInt32(clinux_hangup) != 0 {
            registration.isHungUp = true
            registration.hasPeerEnded = true
        }
        if event.ready & UInt32(clinux_readable) != 0 {
            registration.isReadable = true
            resume(registration, .reading, .ready)
        }
        if event.ready & UInt32(clinux_writable) != 0 {
            resume(registration, .writing, .ready)
        }
    }

    private func resumeYielding() {
        guard !yielding.isEmpty else { return }
        let tasks = yielding
        yielding = []
        for task in tasks { unsafe task.continuation.resume() }
    }

    // MARK: Waiting (called by tasks on the loop)

    /// Suspends the task until all that is ready now has had its turn.
    ///
    /// For long work on the loop. `Task.yield()` would take a thread of Swift's pool, which may be
    /// busy.
    package func yield() async {
        precondition(isCurrent, "a task yields to others of its own loop")
        await unsafe withUnsafeContinuation { continuation in
            yielding.append(unsafe YieldingTask(continuation: continuation))
        }
    }

    /// Registers a descriptor.
    ///
    /// The caller unregisters it before it is closed.
    func register(_ descriptor: Int32) throws(SocketError) -> Registration {
        let registration = table.insert()
        let result = clinux_epoll_add(epoll.number, descriptor, registration.id)
        guard result >= 0 else {
            table.remove(registration)
            throw SocketError("epoll_ctl", Int(result))
        }
        return registration
    }

    /// Removes a registration; its pending events are dropped.
    func unregister(_ registration: Registration) {
        table.remove(registration)
    }

    /// Suspends the task until the descriptor may be readable or writable.
    func wait(
        _ direction: Registration.Direction, of registration: Registration, until deadline: UInt64,
        endsOnDrain: Bool
    ) async -> Readiness {
        if isAborting || endsOnDrain && isDraining { return .draining }
        // Checked here too, because a peer that sends byte by byte never waits long enough for a
        // sweep.
        if deadline <= now { return .timedOut }
        if deadline != .max {
            // A scheduled sweep stays, so that a series of short waits can't postpone it.
            if nextSweep <= now { nextSweep = now + Limits.deadlineSweepMilliseconds }
            waitersWithDeadline += 1
        }
        return await unsafe withUnsafeContinuation { continuation in
            registration[direction] = unsafe Registration.Waiter(
                continuation: continuation, deadline: deadline, endsOnDrain: endsOnDrain)
        }
    }

    /// Ends the wait of a registration's reader, or its next wait if it isn't waiting.
    ///
    /// Must be called on the loop.
    func wake(_ registration: Registration) {
        precondition(isCurrent, "a socket's task is woken on its own loop")
        registration.isWoken = true
        resume(registration, .reading, .ready)
    }

    private func resume(
        _ registration: Registration, _ direction: Registration.Direction, _ readiness: Readiness
    ) {
        guard let waiter = registration[direction] else { return }
        registration[direction] = nil
        if waiter.deadline != .max { waitersWithDeadline -= 1 }
        unsafe waiter.continuation.resume(returning: readiness)
    }

    private func sweepDeadlines() {
        nextSweep = now + Limits.deadlineSweepMilliseconds
        for case let registration? in table.slots {
            if let waiter = registration[.reading], waiter.deadline <= now {
                resume(registration, .reading, .timedOut)
            }
            if let waiter = registration[.writing], waiter.deadline <= now {
                resume(registration, .writing, .timedOut)
            }
        }
    }

    private func checkDrain() {
        let deadline = drainDeadline.load(ordering: .relaxed)
        guard deadline != Self.notDraining, !isAborting else { return }
        if now >= deadline { aborts = true } else if isDraining { return }
        drains = true
        for case let registration? in table.slots {
            if let waiter = registration[.reading], isAborting || waiter.endsOnDrain {
                resume(registration, .reading, .draining)
            }
            if isAborting { resume(registration, .writing, .draining) }
        }
    }

    // MARK: Text of the current second

    /// A text that changes once a second, such as a date: rendered once in each second in which it
    /// is requested.
    ///
    /// Each loop has one, so all callers on it must request the same text.
    package func text(ofSecond render: (_ unixSeconds: Int64) -> [UInt8]) -> [UInt8] {
        if second.checkedAt != now {
            second.checkedAt = now
            let number = Clock.unixMilliseconds / 1000
            if number != second.number {
                second.number = number
                second.text = render(number)
            }
        }
        return second.text
    }

    // MARK: Buffers

    /// A buffer of `readBufferBytes` bytes, from the pool if it has one.
    func takeBuffer() -> [UInt8] {
        pool.popLast() ?? [UInt8](repeating: 0, count: Limits.readBufferBytes)
    }

    /// Returns an empty array, with the capacity of the one that `leaveSpare` kept, if any.
    package func takeSpare() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &spare)
        return taken
    }

    /// Keeps the capacity of an empty array for the next `takeSpare`; frees more than
    /// `readBufferBytes`.
    package func leaveSpare(_ array: inout [UInt8]) {
        if array.capacity <= Limits.readBufferBytes, array.capacity > spare.capacity {
            swap(&array, &spare)
        }
        array = []
    }

    /// Takes a buffer back; frees it if its size differs or the pool is full.
    func returnBuffer(_ buffer: [UInt8]) {
        guard buffer.count == Limits.readBufferBytes, pool.count < Limits.pooledBuffers else {
            return
        }
        pool.append(buffer)
    }
}
