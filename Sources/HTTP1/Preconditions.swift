// Conditions that a request puts on the state of what it is about (RFC 9110 §13), for a resource
// that exists and that the request would otherwise be answered with 2xx for (§13.2.1).
//
// What can't be read never makes a request do more than it asked: a malformed If-Match is false
// (§13.1.1, "otherwise, the condition is false"), a malformed If-None-Match true (§13.1.2, the
// other way round), and dates that are none are ignored.

/// The evaluation of a request's conditional fields.
struct Preconditions {
    /// What the conditions come to.
    enum Outcome: Sendable, Equatable {
        /// The request is to be answered as if it had none.
        case proceed
        /// 304: the client has it already.
        case notModified
        /// 412: the method must not be applied.
        case failed
    }

    /// How much older than the present a modification must be for its date to be a strong
    /// validator, in seconds: nobody can change a resource twice in one second of the past, and no
    /// clocks differ by a minute (RFC 9110 §8.8.2.2).
    private static let strongDateSeconds: Int64 = 60

    /// Evaluates the conditions in the order of RFC 9110 §13.2.2, up to If-Range.
    ///
    /// - Parameters:
    ///   - entityTag: of the representation that a GET would select, with its quotes, perhaps
    ///     with `W/`.
    ///   - lastModified: nil leaves conditions on dates out.
    ///   - now: decides the century of a two-digit year.
    ///
    /// O(fields).
    static func evaluate(
        _ request: Request, entityTag: [UInt8], lastModified: HTTPDate?, now: HTTPDate
    ) -> Outcome {
        // Methods that select no representation have no conditions (§13.2.1).
        switch request.method {
        case .connect, .options, .trace: return .proceed
        case .get, .head, .post, .put, .delete, .patch: break
        }
        let matches = request.values(.ifMatch)
        if !matches.isEmpty {
            guard EntityTags(matches).contains(entityTag, .strong) else { return .failed }
        } else if let lastModified, let date = date(.ifUnmodifiedSince, request, now) {
            guard lastModified <= date else { return .failed }
        }
        let isSafe = request.method == .get || request.method == .head
        let noMatches = request.values(.ifNoneMatch)
        if !noMatches.isEmpty {
            guard EntityTags(noMatches).contains(entityTag, .weak) else { return .proceed }
            return isSafe ? .notModified : .failed
        }
        if isSafe, let lastModified, let date = date(.ifModifiedSince, request, now) {
            return lastModified <= date ? .notModified : .proceed
        }
        return .proceed
    }

    /// Whether a Range field of the request counts: only with GET (RFC 9110 §14.2), and only if
    /// If-Range, where there is one, names exactly this representation (§13.1.5).
    ///
    /// A tag must be equal by strong comparison, a date be the one of Last-Modified and more than
    /// a minute old. Anything else, two lines among it, makes the answer the whole. O(fields).
    ///
    /// - Parameters:
    ///   - entityTag: see `evaluate`.
    ///   - lastModified: see `evaluate`.
    ///   - now: the Date of the answer.
    static func allowsRange(
        _ request: Request, entityTag: [UInt8], lastModified: HTTPDate?, now: HTTPDate
    ) -> Bool {
        guard request.method == .get else { return false }
        let values = request.values(.ifRange)
        guard let value = values.first else { return true }
        guard values.count == 1 else { return false }
        if EntityTags.isTag(value) { return EntityTags.areSame(value, entityTag[...], .strong) }
        guard let lastModified, let date = HTTPDate(value, now: now) else { return false }
        return date == lastModified
            && lastModified.unixSeconds <= now.unixSeconds - strongDateSeconds
    }

    /// The date of a field with one line; nil, so that it is ignored, when it is no date or there
    /// are several (RFC 9110 §13.1.3, §13.1.4).
    private static func date(
        _ name: FieldName, _ request: Request, _ now: HTTPDate
    ) -> HTTPDate? {
        let values = request.values(name)
        return values.count == 1 ? HTTPDate(values[0], now: now) : nil
    }
}
