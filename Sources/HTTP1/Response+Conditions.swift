// Conditional requests for content that is generated for each request (RFC 9110 §13).

extension Response {
    /// Sets the content's entity tag; turns the response into 304 if the client has this content
    /// already.
    ///
    /// Throws 412 if the request requires other content.
    ///
    /// - Parameters:
    ///   - entityTag: with its quotes, possibly with `W/`.
    ///   - request: nil sets only the tag.
    ///
    /// O(fields of the request).
    package mutating func name(_ entityTag: String, for request: Request?) throws(Refusal) {
        add("ETag", entityTag)
        guard let request else { return }
        let outcome = Preconditions.evaluate(
            request, entityTag: Array(entityTag.utf8), lastModified: nil,
            now: HTTPDate(unixSeconds: 0))
        switch outcome {
        case .proceed: break
        case .notModified:
            status = .notModified
            content = .bytes([])
        case .failed: throw .preconditionFailed
        }
    }
}
