// Conditional requests for content that is made anew each time (RFC 9110 §13).

extension Response {
    /// Names the content by an entity tag, and answers a request that has it already with 304, or
    /// one that asks for another with 412.
    ///
    /// - Parameter entityTag: with its quotes, perhaps with `W/`.
    ///
    /// O(fields of the request).
    package mutating func name(_ entityTag: String, for request: Request) {
        add("ETag", entityTag)
        let outcome = Preconditions.evaluate(
            request, entityTag: Array(entityTag.utf8), lastModified: nil,
            now: HTTPDate(unixSeconds: 0))
        switch outcome {
        case .proceed: break
        case .notModified:
            status = .notModified
            content = .bytes([])
        case .failed:
            status = .preconditionFailed
            content = .bytes([])
        }
    }
}
