// Evaluates conditional requests (RFC 9110 §13) for an existing resource that would otherwise be
// served with 2xx (§13.2.1).
//
// An unreadable condition never makes a request do more than it asked. A malformed If-Match is
// false (§13.1.1, "otherwise, the condition is false"), a malformed If-None-Match is true (§13.1.2,
// the reverse), and invalid dates are ignored.

/// The evaluation of a request's conditional fields.
struct Preconditions {
    /// The result of the conditions.
    enum Outcome: Sendable, Equatable {
        /// Process the request as if it had no conditions.
        case proceed
        /// 304: the client has the representation already.
        case notModified
        /// 412: the method must not be applied.
        case failed
    }

    /// How far in the past a modification must be for its date to be a strong validator, in
    /// seconds.
    ///
    /// A resource can't change twice in the same past second, and clocks don't differ by a minute
    /// (RFC 9110 §8.8.2.2).
    private static let strongDateSeconds: Int64 = 60

    /// Evaluates the conditions in the order of RFC 9110 §13.2.2, up to If-Range.
    ///
    /// - Parameters:
    ///   - entityTag: of the representation that a GET would select, with its quotes, possibly with
    ///     `W/`.
    ///   - lastModified: nil to ignore conditions on dates.
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

    /// Whether the request's Range field applies: only with GET (RFC 9110 §14.2), and only if
    /// If-Range, if present, names exactly this representation (§13.1.5).
    ///
    /// A tag must be equal by strong comparison; a date must equal Last-Modified and be more than a
    /// minute old. For anything else, including two lines, the whole representation is sent.
    /// O(fields).
    ///
    /// - Parameters:
    ///   - entityTag: see `evaluate`.
    ///   - lastModified: see `evaluate`.
    ///   - now: the response's Date.
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

    /// The date of a field with one line; nil if it is invalid or there are several lines, so that
    /// it is ignored (RFC 9110 §13.1.3, §13.1.4).
    private static func date(
        _ name: FieldName, _ request: Request, _ now: HTTPDate
    ) -> HTTPDate? {
        let values = request.values(name)
        return values.count == 1 ? HTTPDate(values[0], now: now) : nil
    }
}
