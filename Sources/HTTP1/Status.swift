// The status codes that this server sends, with the phrases of IANA's registry (RFC 9110 §16.2.1).

/// A response status code.
package struct Status: Sendable, Hashable {
    /// 200 to 599.
    package let code: Int

    /// The reason phrase.
    package let phrase: String

    /// The status line with its CRLF.
    let line: [UInt8]

    /// Whether a response with this status may have content (RFC 9110 §6.4.1).
    var allowsContent: Bool { code >= 200 && code != 204 && code != 304 }

    /// Makes a status; one that RFC 9110 and its successors don't name has an empty phrase
    /// (RFC 9112 §4).
    ///
    /// - Parameter code: 200 to 599.
    package init(code: Int) {
        self.code = code
        phrase = Self.phrases[code] ?? ""
        line = Array("HTTP/1.1 \(code) \(phrase)\r\n".utf8)
    }

    package static let ok = Status(code: 200)
    package static let created = Status(code: 201)
    package static let accepted = Status(code: 202)
    package static let noContent = Status(code: 204)
    static let partialContent = Status(code: 206)
    package static let multi = Status(code: 207)
    package static let found = Status(code: 302)
    package static let notModified = Status(code: 304)
    package static let permanentRedirect = Status(code: 308)
    package static let badRequest = Status(code: 400)
    package static let unauthorized = Status(code: 401)
    package static let forbidden = Status(code: 403)
    package static let notFound = Status(code: 404)
    package static let methodNotAllowed = Status(code: 405)
    package static let notAcceptable = Status(code: 406)
    static let requestTimeout = Status(code: 408)
    package static let conflict = Status(code: 409)
    static let preconditionFailed = Status(code: 412)
    package static let contentTooLarge = Status(code: 413)
    package static let uriTooLong = Status(code: 414)
    package static let unsupportedMediaType = Status(code: 415)
    static let rangeNotSatisfiable = Status(code: 416)
    static let expectationFailed = Status(code: 417)
    package static let misdirectedRequest = Status(code: 421)
    package static let unprocessableContent = Status(code: 422)
    static let fieldsTooLarge = Status(code: 431)
    package static let internalServerError = Status(code: 500)
    static let notImplemented = Status(code: 501)
    package static let serviceUnavailable = Status(code: 503)
    static let versionNotSupported = Status(code: 505)
    package static let insufficientStorage = Status(code: 507)

    private static let phrases = [
        200: "OK", 201: "Created", 202: "Accepted", 203: "Non-Authoritative Information",
        204: "No Content", 205: "Reset Content", 206: "Partial Content", 207: "Multi-Status",
        208: "Already Reported", 226: "IM Used", 300: "Multiple Choices", 301: "Moved Permanently",
        302: "Found", 303: "See Other", 304: "Not Modified", 305: "Use Proxy",
        307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request",
        401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required",
        408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required",
        412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long",
        415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed",
        421: "Misdirected Request", 422: "Unprocessable Content", 423: "Locked",
        424: "Failed Dependency", 425: "Too Early", 426: "Upgrade Required",
        428: "Precondition Required", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway",
        503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported",
        506: "Variant Also Negotiates", 507: "Insufficient Storage", 508: "Loop Detected",
        511: "Network Authentication Required",
    ]
}
