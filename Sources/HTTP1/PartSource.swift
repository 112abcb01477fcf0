// The iterator of a stream's parts, passed from task to task: each part is awaited by a task
// of its own, which can be cancelled.

/// Parts of content, one after another.
///
/// The next part is requested when the task that awaited the previous one has ended.
final class PartSource: @unchecked Sendable {  // SAFETY: one task at a time uses it.
    private var parts: any AsyncIteratorProtocol<[UInt8], any Error>

    init(_ parts: some AsyncSequence<[UInt8], any Error>) {
        self.parts = parts.makeAsyncIterator()
    }

    /// The next part; nil after the last one, or the error that ended them.
    func next() async -> Result<[UInt8]?, any Error> {
        do {
            return .success(try await parts.next(isolation: nil))
        } catch {
            return .failure(error)
        }
    }
}
