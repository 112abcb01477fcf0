// The one seam between HTTP and what is served by it.

/// Answers requests.
///
/// Called on the connection's event loop: it may `await`, but must not block. A body is read
/// through `connection`; one that is not read is skipped or ends the connection.
package protocol RequestHandler: Sendable {
    /// Answers one request.
    func respond(to request: Request, over connection: inout Connection) async -> Response

    /// Answers a request that was refused before it reached the handler, as the service words it.
    func respond(to refusal: Refusal) -> Response
}
