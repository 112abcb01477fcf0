// Runs long work off the event loops: reading or decoding many results, or a large one, would block
// the connection's loop, and with it the callbacks of others.

/// Threads for long work, separate from the loops that serve peers.
package struct LongWork: Sendable {
    /// Bytes up to which the loop copies, compresses or searches a result: a pass over them takes
    /// about a millisecond.
    package static let loopBytes = 64 * 1024

    /// Bytes up to which the loop decodes and redacts what a peer sent.
    ///
    /// This may take half a microsecond for each byte, because text can be encoded several times
    /// over.
    package static let receivedBytes = 4 * 1024

    /// Nil uses the default executor: as many threads as the machine has processors.
    private let executor: (any TaskExecutor)?

    package init(on executor: (any TaskExecutor)? = nil) {
        self.executor = executor
    }

    /// Runs work on `bytes` bytes: here if they are few, otherwise on those threads.
    package func run<Value: Sendable, Failure: Error>(
        over bytes: Int, _ work: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        if bytes <= Self.loopBytes { return try await work() }
        return try await run(work)
    }

    /// Decodes or redacts `bytes` bytes that a peer sent: here if they are few, otherwise on those
    /// threads.
    package func run<Value: Sendable, Failure: Error>(
        overReceived bytes: Int, _ work: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        if bytes <= Self.receivedBytes { return try await work() }
        return try await run(work)
    }

    /// Runs work on those threads; cancelling the task cancels the work.
    package func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        // Detached: a child task would inherit the loop.
        let task = Task.detached(executorPreference: executor) { () -> Result<Value, Failure> in
            do throws(Failure) {
                return .success(try await work())
            } catch {
                return .failure(error)
            }
        }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        return try result.get()
    }
}

/// A sequence whose parts are made as long work.
struct LongSequence<Base: AsyncSequence<[UInt8], any Error> & Sendable>: AsyncSequence,
    Sendable
{
    private let base: Base
    private let work: LongWork

    init(_ base: Base, on work: LongWork) {
        self.base = base
        self.work = work
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let parts: Parts
        fileprivate let work: LongWork

        mutating func next() async throws -> [UInt8]? {
            try await work.run { [parts] in try await parts.iterator.next() }
        }
    }

    /// The only iterator of the parts: a copy would keep the memory of a former part.
    ///
    /// The connection that sends the parts asks for one after the other, and waits for the long work
    /// that makes it.
    fileprivate final class Parts: @unchecked Sendable {  // SAFETY: one task at a time uses it.
        var iterator: Base.AsyncIterator

        init(_ iterator: Base.AsyncIterator) { self.iterator = iterator }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(parts: Parts(base.makeAsyncIterator()), work: work)
    }
}
