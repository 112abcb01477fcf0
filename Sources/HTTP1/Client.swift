// The smallest client that the program's own commands need: one request on one connection, plain or
// under TLS. What is large goes out and comes in part by part. Left out: redirects, keep-alive.

import Sockets
import Synchronization

/// Sends one request to an HTTP/1.1 server.
package enum Client {
    /// What came back, whole.
    package struct Answer: Sendable {
        package let head: AnswerHead
        package let body: [UInt8]

        /// 200 to 599.
        package var status: Int { head.status }

        package init(head: AnswerHead, body: [UInt8]) {
            self.head = head
            self.body = body
        }
    }

    /// Takes a part of an answer's content; the next one comes when it has returned.
    package typealias PartTaker = @Sendable (AnswerHead, [UInt8]) async throws -> Void

    /// Bytes of an answer that is kept whole.
    private static let answerBytes = 64 * 1024 * 1024

    /// Sends a request and reads the whole answer.
    ///
    /// Throws a sentence that says what went wrong.
    package static func send(_ request: ClientRequest) async throws(ClientError) -> Answer {
        let content = Mutex<[UInt8]>([])
        let head = try await send(request) { _, part in
            try content.withLock { content throws(ClientError) in
                guard part.count <= answerBytes - content.count else {
                    throw ClientError("The answer has more than \(answerBytes) bytes.")
                }
                content += part
            }
        }
        return Answer(head: head, body: content.withLock { $0 })
    }

    /// Sends a request and hands the answer's content on as it comes.
    ///
    /// - Parameter take: called for each part, never for an empty one.
    /// - Returns: the head, when the answer came to its end.
    ///
    /// Throws a sentence that says what went wrong: an answer that breaks off, among others, and
    /// what `take` or the parts of the body throw.
    package static func send(
        _ request: ClientRequest, handing take: @escaping PartTaker
    ) async throws(ClientError) -> AnswerHead {
        let place = try Place(request.url)
        let loop: EventLoop
        let accepted: AcceptedSocket
        let tls: TLSClientContext?
        do throws(SocketError) {
            loop = try EventLoop(name: "client")
            accepted = try AcceptedSocket(
                connectingTo: place.address, port: place.port,
                within: Int32(clamping: request.milliseconds))
            tls = place.isSecure ? try context(trusting: request.authorities) : nil
        } catch {
            throw ClientError(place, error)
        }
        defer { loop.stop() }
        let task = Task(executorPreference: loop) { () -> Result<AnswerHead, ClientError> in
            do throws(ClientError) {
                var exchange = try ClientExchange(accepted, request, place, on: loop)
                if let tls { try await exchange.startTLS(tls) }
                return .success(try await exchange.run(handing: take))
            } catch {
                return .failure(error)
            }
        }
        return try await task.value.get()
    }

    private static func context(
        trusting authorities: [UInt8]?
    ) throws(SocketError) -> TLSClientContext {
        do throws(TLSError) {
            return try TLSClientContext(trusting: authorities)
        } catch {
            throw .tls(reason: "\(error)")
        }
    }
}

/// A sentence about a request that could not be made, or was not answered whole.
package struct ClientError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }

    /// What a socket's failure means to who asked.
    init(_ place: Client.Place, _ error: SocketError) {
        description =
            error == .timedOut
            ? "\(place.authority) did not answer in time."
            : "\(place.authority) can't be reached: \(error)."
    }
}
