// The iterator of a live stream's parts, handed from task to task: each part is awaited by a task of
// its own, which can be cancelled.

/// Parts of content, one after the other.
///
/// SAFETY: `@unchecked Sendable`, because it is used by one task at a time: the next part is asked for when
/// the task that awaited the one before has ended.
final class PartSource: @unchecked Sendable {
    private var parts: any AsyncIteratorProtocol<[UInt8], any Error>

    init(_ parts: some AsyncSequence<[UInt8], any Error>) {
        self.parts = parts.makeAsyncIterator()
    }

    /// The next part; nil behind the last, or the error that ended them.
    func next() async -> Result<[UInt8]?, any Error> {
        do {
            return .success(try await parts.next(isolation: nil))
        } catch {
            return .failure(error)
        }
    }
}
