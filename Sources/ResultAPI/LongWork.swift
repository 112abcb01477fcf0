// Where questions are worked on that take long: reading or decoding many results would hold up the
// loop of the connection that asks, and with it the callbacks of others.

/// A thread for work that takes long, beside the loops that serve peers.
package struct LongWork: Sendable {
    /// Nil for the threads that everything runs on, of a command that serves nobody.
    private let executor: (any TaskExecutor)?

    package init(on executor: (any TaskExecutor)? = nil) {
        self.executor = executor
    }

    /// Does something there; ends early, as the work does, when the task is cancelled.
    package func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        // Detached: a child would inherit the loop.
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

/// A sequence of parts that are made as long work.
package struct LongSequence<Base: AsyncSequence<[UInt8], any Error> & Sendable>: AsyncSequence,
    Sendable
where Base.AsyncIterator: Sendable {
    private let base: Base
    private let work: LongWork

    package init(_ base: Base, on work: LongWork) {
        self.base = base
        self.work = work
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: Base.AsyncIterator
        fileprivate let work: LongWork

        package mutating func next() async throws -> [UInt8]? {
            let (part, next) = try await work.run { [base] in
                var base = base
                let part = try await base.next()
                return (part, base)
            }
            base = next
            return part
        }
    }

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: base.makeAsyncIterator(), work: work)
    }
}
