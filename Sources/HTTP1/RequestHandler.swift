// The interface between the HTTP server and the service.

/// Responds to requests.
///
/// Called on the connection's event loop: it may `await`, but must not block. It reads a body
/// through `connection`; an unread body is skipped or ends the connection.
package protocol RequestHandler: Sendable {
    /// Responds to one request.
    func respond(to request: Request, over connection: inout Connection) async -> Response

    /// Makes the response to a request that was refused before it reached the handler.
    func respond(to refusal: Refusal) -> Response
}
