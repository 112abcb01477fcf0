// The sources of `landfall results`: a folder that the command opens, or a running server. Both
// return the same heads and bytes, because the same code makes them.

import HTTPClient
import Synchronization

/// A source of results.
protocol ResultSource: Sendable {
    /// Runs a query, passes the content on as it arrives, and returns the head at the end.
    ///
    /// Throws if there is no response; a refusal is a response.
    func ask(
        _ query: CommandQuery, handing take: @escaping Client.PartTaker
    ) async throws(CommandFailure) -> ResponseHead

    /// Imports exported lines; returns the report.
    ///
    /// Throws if there is no response, and the errors of `parts`.
    func importLines(_ parts: FileParts) async throws(CommandFailure) -> ClientResponse

    /// Releases what was opened.
    func close() async
}

extension ResultSource {
    /// The whole response to a query.
    ///
    /// Throws for a refusal, too, and for a response that isn't Landfall's.
    func answer(to query: CommandQuery) async throws(CommandFailure) -> ClientResponse {
        let content = CollectedContent()
        let head = try await ask(query) { _, part in content.append(part) }
        let answer = ClientResponse(head: head, body: content.bytes)
        guard query.isAnswered(by: head) else { throw CommandFailure(answer, query) }
        return answer
    }
}

/// Content that grows part by part.
final class CollectedContent: Sendable {
    private let content = Mutex<[UInt8]>([])

    /// The bytes collected so far.
    var bytes: [UInt8] { content.withLock { $0 } }

    func append(_ part: [UInt8]) {
        content.withLock { $0 += part }
    }
}
