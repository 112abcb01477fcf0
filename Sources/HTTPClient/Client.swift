// The HTTP client of the program: it sends a request and receives the response, whole or in parts.
// Left out: redirects, proxies, persistent connections.

import Synchronization

/// Sends requests to HTTP/1.1 servers.
///
/// Calls suspend the task; resolving, connecting and TLS run on the client's own thread.
package enum Client {
    /// Takes a part of a response's content; called again only after it has returned.
    package typealias PartTaker = @Sendable (ResponseHead, [UInt8]) async throws -> Void

    /// Sends a request and receives the whole response, up to `Limits.responseBytes`.
    ///
    /// Throws any `ClientError`.
    package static func send(_ request: ClientRequest) async throws(ClientError) -> ClientResponse {
        let content = Mutex<[UInt8]>([])
        let head = try await send(request) { _, part in
            try content.withLock { content throws(ClientError) in
                guard part.count <= Limits.responseBytes - content.count else {
                    throw .tooLarge(bytes: Limits.responseBytes)
                }
                content += part
            }
        }
        return ClientResponse(head: head, body: content.withLock { $0 })
    }

    /// Sends a request and passes the response's content on as it arrives.
    ///
    /// Cancelling the task closes the connection.
    ///
    /// - Parameter take: called for each part, never with an empty one.
    /// - Returns: the head, when the response is complete.
    ///
    /// Throws any `ClientError`; `ended` if `take` or the parts of the body throw.
    package static func send(
        _ request: ClientRequest, handing take: @escaping PartTaker
    ) async throws(ClientError) -> ResponseHead {
        try await send(Transfer(request, to: RequestPlace(request.url)), handing: take)
    }

    /// Sends a request and drops the response's content; beyond `bytes`, and a second after the
    /// head, the connection closes.
    ///
    /// - Returns: the head, also if its content is cut off, or doesn't come in time.
    ///
    /// Throws any `ClientError` if there is no head.
    package static func head(
        of request: ClientRequest, dropping bytes: Int
    ) async throws(ClientError) -> ResponseHead {
        let transfer = Transfer(
            request, to: try RequestPlace(request.url),
            contentMilliseconds: Limits.droppedContentMilliseconds)
        let dropped = Mutex(0)
        do throws(ClientError) {
            return try await send(transfer) { _, part in
                let total = dropped.withLock { dropped in
                    dropped += part.count
                    return dropped
                }
                guard total <= bytes else { throw ClientError.tooLarge(bytes: bytes) }
            }
        } catch {
            guard let head = transfer.head else { throw error }
            return head
        }
    }

    private static func send(
        _ transfer: Transfer, handing take: @escaping PartTaker
    ) async throws(ClientError) -> ResponseHead {
        let loop = TransferLoop.shared
        let result = await withTaskCancellationHandler {
            do throws(ClientError) {
                try loop.start(transfer)
                return Result<ResponseHead, ClientError>.success(
                    try await exchange(transfer, transfer.request.body, take))
            } catch {
                loop.cancel(transfer)
                return .failure(error)
            }
        } onCancel: {
            loop.cancel(transfer)
        }
        return try result.get()
    }

    private static func exchange(
        _ transfer: Transfer, _ body: ClientRequest.Body, _ take: PartTaker
    ) async throws(ClientError) -> ResponseHead {
        var parts: (any AsyncIteratorProtocol<[UInt8], any Error>)?
        if case .parts(let sequence) = body { parts = iterator(of: sequence) }
        while true {
            switch await transfer.next() {
            case .end(let result): return try result.get()
            case .part(let head, let part): try await hand(part, of: head, to: take)
            case .wantsBody:
                do {
                    transfer.supply(try await parts?.next(isolation: nil))
                } catch {
                    throw .ended(reason: "\(error)")
                }
            }
        }
    }

    private static func iterator(
        of sequence: some AsyncSequence<[UInt8], any Error>
    ) -> any AsyncIteratorProtocol<[UInt8], any Error> {
        sequence.makeAsyncIterator()
    }

    private static func hand(
        _ part: [UInt8], of head: ResponseHead, to take: PartTaker
    ) async throws(ClientError) {
        do {
            try await take(head, part)
        } catch let error as ClientError {
            throw error
        } catch {
            throw .ended(reason: "\(error)")
        }
    }
}
