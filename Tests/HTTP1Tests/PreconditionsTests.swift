// Conditional requests (RFC 9110 §13): each field by itself, their order, and what is ignored.

import Testing

@testable import HTTP1

struct PreconditionsTests {
    private static let modified = HTTPDate(unixSeconds: 784_111_777)
    private static let now = HTTPDate(unixSeconds: 1_795_241_580)
    private static let before = "Sun, 06 Nov 1994 08:49:36 GMT"
    private static let exactly = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let after = "Sun, 06 Nov 1994 08:49:38 GMT"

    private static func request(_ method: String, _ fields: [String]) throws -> Request {
        try Request(lines: ["\(method) / HTTP/1.1", "Host: a"] + fields)
    }

    private static func outcome(
        _ method: String, _ fields: [String], tag: String = "\"v1\"",
        lastModified: HTTPDate? = modified
    ) throws -> Preconditions.Outcome {
        Preconditions.evaluate(
            try request(method, fields), entityTag: Array(tag.utf8), lastModified: lastModified,
            now: now)
    }

    @Test("RFC 9110 §13: without conditions every method goes on", arguments: methods)
    func unconditional(_ method: String) throws {
        #expect(try Self.outcome(method, []) == .proceed)
        #expect(try Self.outcome(method, ["If-Range: \"v2\"", "Range: bytes=0-"]) == .proceed)
    }

    private static let methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]

    @Test(
        "RFC 9110 §13.1.1: If-Match compares strongly, and anything else than a match fails",
        arguments: [
            (["\"v1\""], .proceed), (["*"], .proceed), (["\"v2\", \"v1\""], .proceed),
            (["\"v2\"", "\"v1\""], .proceed), ([",,\"v1\""], .proceed),
            (["\"a,b\",\"v1\""], .proceed),
            (["\"a\\\", \"v1\""], .proceed), (["\"v2\""], .failed), (["W/\"v1\""], .failed),
            (["\"v2\", W/\"v1\""], .failed), (["\"V1\""], .failed), (["\"a,\"v1\""], .failed),
            (["\"v2,\\\"v1\\\"\""], .failed),
            // Malformed, the match in it or not: the condition is false (§13.1.1, 3).
            (["v1"], .failed), (["\"v1\"x"], .failed), (["\"v1\", v2"], .failed), ([""], .failed),
            (["*, \"v1\""], .failed), (["*", "*"], .failed), (["\"v1"], .failed),
        ] as [([String], Preconditions.Outcome)])
    func ifMatch(_ values: [String], _ outcome: Preconditions.Outcome) throws {
        let fields = values.map { "If-Match: \($0)" }
        for method in Self.methods.dropLast() {
            #expect(try Self.outcome(method, fields) == outcome)
            #expect(try Self.outcome(method, fields, lastModified: nil) == outcome)
        }
    }

    @Test(
        "RFC 9110 §13.1.2: If-None-Match compares weakly, and what is no list doesn't match",
        arguments: [
            (["\"v1\""], true), (["W/\"v1\""], true), (["*"], true), (["\"v2\", \"v1\""], true),
            (["\"v2\"", "W/\"v1\""], true), (["\"a, b\", \"v1\""], true), ([", ,\"v1\""], true),
            (["\"a\\\", \"v1\""], true), (["\"v2\""], false), (["\"V1\""], false), ([""], false),
            (["\"v2,\\\"v1\\\"\""], false),
            // Malformed, the match in it or not: the condition is true (§13.1.2, 3).
            (["\"a,\"v1\""], false), (["v1"], false), (["w/\"v1\""], false), (["W/ \"v1\""], false),
            (["\"v1"], false), (["\"v1\", v2"], false), (["*, \"v1\""], false),
            (["*", "*"], false),
        ] as [([String], Bool)])
    func ifNoneMatch(_ values: [String], _ isMatch: Bool) throws {
        let fields = values.map { "If-None-Match: \($0)" }
        for method in Self.methods.dropLast() {
            let matched: Preconditions.Outcome =
                method == "GET" || method == "HEAD" ? .notModified : .failed
            #expect(try Self.outcome(method, fields) == (isMatch ? matched : .proceed))
        }
    }

    @Test("RFC 9110 §8.8.3.2: a weak tag of our own matches weakly, and never strongly")
    func ownWeakTag() throws {
        let tag = "W/\"v1\""
        #expect(try Self.outcome("GET", ["If-None-Match: \"v1\""], tag: tag) == .notModified)
        #expect(try Self.outcome("GET", ["If-None-Match: W/\"v1\""], tag: tag) == .notModified)
        #expect(try Self.outcome("PUT", ["If-Match: \"v1\""], tag: tag) == .failed)
        #expect(try Self.outcome("PUT", ["If-Match: W/\"v1\""], tag: tag) == .failed)
        #expect(try Self.outcome("PUT", ["If-Match: *"], tag: tag) == .proceed)
    }

    @Test(
        "RFC 9110 §13.1.3: If-Modified-Since is for GET and HEAD",
        arguments: [
            (before, .proceed), (exactly, .notModified), (after, .notModified),
            ("Sunday, 06-Nov-94 08:49:37 GMT", .notModified),
            ("Sun Nov  6 08:49:37 1994", .notModified),
            ("Sunday, 06-Nov-94 08:49:36 GMT", .proceed),
            ("Sun, 06 Nov 2094 08:49:37 GMT", .notModified),
        ] as [(String, Preconditions.Outcome)])
    func ifModifiedSince(_ date: String, _ outcome: Preconditions.Outcome) throws {
        let fields = ["If-Modified-Since: \(date)"]
        for method in Self.methods {
            let expected = method == "GET" || method == "HEAD" ? outcome : .proceed
            #expect(try Self.outcome(method, fields) == expected)
            #expect(try Self.outcome(method, fields, lastModified: nil) == .proceed)
        }
    }

    @Test(
        "RFC 9110 §13.1.4: If-Unmodified-Since is for every method that has a representation",
        arguments: [
            (before, .failed), (exactly, .proceed), (after, .proceed),
            ("Sunday, 06-Nov-94 08:49:36 GMT", .failed), ("Sun Nov  6 08:49:37 1994", .proceed),
        ] as [(String, Preconditions.Outcome)])
    func ifUnmodifiedSince(_ date: String, _ outcome: Preconditions.Outcome) throws {
        let fields = ["If-Unmodified-Since: \(date)"]
        for method in Self.methods.dropLast() {
            #expect(try Self.outcome(method, fields) == outcome)
            #expect(try Self.outcome(method, fields, lastModified: nil) == .proceed)
        }
    }

    @Test(
        "RFC 9110 §13.1.3, §13.1.4: what isn't one valid date is ignored",
        arguments: [
            [""], ["0"], ["-1"], ["784111777"], ["now"], ["1994-11-06T08:49:37Z"], ["\"v1\""],
            ["*"],
            ["Sun, 06 Nov 1994 08:49:37"], ["Sun, 31 Feb 2094 08:49:37 GMT"],
            ["Sun, 06 Nov 1994 08:49:37 UTC"], ["Sun, 06 Nov 1994 25:49:37 GMT"],
            [exactly, exactly], [before, after], [exactly, ""], ["\(exactly), \(exactly)"],
        ])
    func invalidDates(_ values: [String]) throws {
        #expect(try Self.outcome("GET", values.map { "If-Modified-Since: \($0)" }) == .proceed)
        #expect(try Self.outcome("PUT", values.map { "If-Unmodified-Since: \($0)" }) == .proceed)
    }

    @Test(
        "RFC 9110 §13.2.2: the order of precedence, for GET and for PUT",
        arguments: [
            // If-Match goes before everything, and puts If-Unmodified-Since out of force.
            (["If-Match: \"v2\"", "If-None-Match: \"v1\""], .failed, .failed),
            (["If-None-Match: \"v1\"", "If-Match: \"v1\""], .notModified, .failed),
            (["If-Match: \"v1\"", "If-None-Match: \"v2\""], .proceed, .proceed),
            (["If-Match: \"v1\"", "If-Unmodified-Since: \(before)"], .proceed, .proceed),
            (["If-Match: \"v2\"", "If-Unmodified-Since: \(after)"], .failed, .failed),
            (["If-Match: v1", "If-Unmodified-Since: \(after)"], .failed, .failed),
            (["If-Match: \"v1\"", "If-Modified-Since: \(after)"], .notModified, .proceed),
            // Then If-Unmodified-Since, before those that may say 304.
            (["If-Unmodified-Since: \(before)", "If-None-Match: \"v1\""], .failed, .failed),
            (["If-Unmodified-Since: \(after)", "If-None-Match: \"v1\""], .notModified, .failed),
            (["If-Unmodified-Since: \(before)", "If-Modified-Since: \(after)"], .failed, .failed),
            (["If-Unmodified-Since: x", "If-None-Match: \"v1\""], .notModified, .failed),
            // If-None-Match puts If-Modified-Since out of force, however it is written.
            (["If-None-Match: \"v2\"", "If-Modified-Since: \(after)"], .proceed, .proceed),
            (["If-None-Match: v1", "If-Modified-Since: \(after)"], .proceed, .proceed),
            (["If-None-Match:", "If-Modified-Since: \(after)"], .proceed, .proceed),
            (["If-None-Match: \"v1\"", "If-Modified-Since: \(before)"], .notModified, .failed),
            (
                [
                    "If-Modified-Since: \(after)", "If-None-Match: \"v2\"",
                    "If-Unmodified-Since: \(before)", "If-Match: \"v1\"",
                ], .proceed, .proceed
            ),
        ] as [([String], Preconditions.Outcome, Preconditions.Outcome)])
    func order(
        _ fields: [String], _ get: Preconditions.Outcome, _ put: Preconditions.Outcome
    ) throws {
        #expect(try Self.outcome("GET", fields) == get)
        #expect(try Self.outcome("HEAD", fields) == get)
        #expect(try Self.outcome("PUT", fields) == put)
    }

    @Test("RFC 9110 §13.2.1: methods without a representation have no conditions")
    func otherMethods() throws {
        let fields = [
            "If-Match: \"v2\"", "If-None-Match: *", "If-Unmodified-Since: \(Self.before)",
        ]
        for line in ["OPTIONS / HTTP/1.1", "TRACE / HTTP/1.1", "CONNECT a:80 HTTP/1.1"] {
            let request = try Request(lines: [line, "Host: a:80"] + fields)
            let outcome = Preconditions.evaluate(
                request, entityTag: Array("\"v1\"".utf8), lastModified: Self.modified, now: Self.now
            )
            #expect(outcome == .proceed, "\(line)")
        }
    }

    private static func allowsRange(
        _ method: String, _ values: [String], tag: String = "\"v1\"",
        lastModified: HTTPDate? = modified, now: HTTPDate = now
    ) throws -> Bool {
        let fields = ["Range: bytes=0-"] + values.map { "If-Range: \($0)" }
        return Preconditions.allowsRange(
            try request(method, fields), entityTag: Array(tag.utf8), lastModified: lastModified,
            now: now)
    }

    @Test(
        "RFC 9110 §13.1.5: If-Range names exactly one representation, or the answer is the whole",
        arguments: [
            ([], true), (["\"v1\""], true), (["\"v2\""], false), (["W/\"v1\""], false),
            (["\"V1\""], false), (["v1"], false), (["*"], false), ([""], false),
            (["\"v1\"x"], false),
            (["\"v1\", \"v1\""], false), (["\"v1\",\"v2\""], false), (["\"v1\"", "\"v1\""], false),
            (["\"v1\"", exactly], false), ([exactly], true), ([before], false), ([after], false),
            (["Sunday, 06-Nov-94 08:49:37 GMT"], true), (["Sun Nov  6 08:49:37 1994"], true),
            ([exactly, exactly], false), (["Sun, 06 Nov 2094 08:49:37 GMT"], false),
            (["Sun, 06 Nov 1994 08:49:37"], false), (["W/"], false), (["\""], false),
        ] as [([String], Bool)])
    func ifRange(_ values: [String], _ isAllowed: Bool) throws {
        #expect(try Self.allowsRange("GET", values) == isAllowed)
    }

    @Test("RFC 9110 §13.1.5: a weak tag of our own never allows a range")
    func ifRangeWeak() throws {
        #expect(try !Self.allowsRange("GET", ["W/\"v1\""], tag: "W/\"v1\""))
        #expect(try !Self.allowsRange("GET", ["\"v1\""], tag: "W/\"v1\""))
    }

    @Test(
        "RFC 9110 §8.8.2.2: a date is strong when it lies a minute back",
        arguments: [(-1, false), (0, false), (1, false), (59, false), (60, true), (61, true)]
            as [(Int64, Bool)])
    func strongDate(_ age: Int64, _ isAllowed: Bool) throws {
        let now = HTTPDate(unixSeconds: Self.modified.unixSeconds + age)
        #expect(try Self.allowsRange("GET", [Self.exactly], now: now) == isAllowed)
        #expect(try Self.allowsRange("GET", ["\"v1\""], now: now))
    }

    @Test("RFC 9110 §13.1.5: without a modification date no date is the same")
    func ifRangeWithoutDate() throws {
        #expect(try !Self.allowsRange("GET", [Self.exactly], lastModified: nil))
        #expect(try Self.allowsRange("GET", ["\"v1\""], lastModified: nil))
    }

    @Test("RFC 9110 §14.2: ranges are for GET only", arguments: methods)
    func rangeMethods(_ method: String) throws {
        #expect(try Self.allowsRange(method, []) == (method == "GET"))
        #expect(try Self.allowsRange(method, ["\"v1\""]) == (method == "GET"))
    }
}
