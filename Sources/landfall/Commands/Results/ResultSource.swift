// Who answers the questions of `landfall results`: a folder that the command opens, or a running
// server. Both answer with the same heads and bytes, because the same code makes them.

import HTTPClient

/// Something that answers questions about results.
protocol ResultSource: Sendable {
    /// Asks, hands the content on as it comes, and returns the head when the answer is whole.
    ///
    /// Throws when nobody answers; a refusal is an answer.
    func ask(
        _ question: ResultQuestion, handing take: @escaping Client.PartTaker
    ) async throws(CommandFailure) -> ResponseHead

    /// Takes exported lines in, and answers with what became of them.
    ///
    /// Throws when nobody answers, and what `parts` throw.
    func importLines(_ parts: FileParts) async throws(CommandFailure) -> ClientResponse

    /// Lets go of what was opened.
    func close() async
}

extension ResultSource {
    /// The whole answer to a question.
    ///
    /// Throws a refusal too.
    func answer(to question: ResultQuestion) async throws(CommandFailure) -> ClientResponse {
        let content = CollectedContent()
        let head = try await ask(question) { _, part in content.append(part) }
        let answer = ClientResponse(head: head, body: content.bytes)
        guard (200...299).contains(head.status) else { throw CommandFailure(answer, question) }
        return answer
    }
}
