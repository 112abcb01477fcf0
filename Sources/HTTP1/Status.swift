// The status codes that this server sends, with the phrases of RFC 9110 §15.

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

    private init(_ code: Int, _ phrase: String) {
        self.code = code
        self.phrase = phrase
        line = Array("HTTP/1.1 \(code) \(phrase)\r\n".utf8)
    }

    package static let ok = Status(200, "OK")
    package static let created = Status(201, "Created")
    package static let accepted = Status(202, "Accepted")
    package static let noContent = Status(204, "No Content")
    package static let partialContent = Status(206, "Partial Content")
    package static let multi = Status(207, "Multi-Status")
    package static let found = Status(302, "Found")
    package static let notModified = Status(304, "Not Modified")
    package static let permanentRedirect = Status(308, "Permanent Redirect")
    package static let badRequest = Status(400, "Bad Request")
    package static let unauthorized = Status(401, "Unauthorized")
    package static let forbidden = Status(403, "Forbidden")
    package static let notFound = Status(404, "Not Found")
    package static let methodNotAllowed = Status(405, "Method Not Allowed")
    package static let notAcceptable = Status(406, "Not Acceptable")
    package static let requestTimeout = Status(408, "Request Timeout")
    package static let conflict = Status(409, "Conflict")
    package static let preconditionFailed = Status(412, "Precondition Failed")
    package static let contentTooLarge = Status(413, "Content Too Large")
    package static let uriTooLong = Status(414, "URI Too Long")
    package static let unsupportedMediaType = Status(415, "Unsupported Media Type")
    package static let rangeNotSatisfiable = Status(416, "Range Not Satisfiable")
    package static let expectationFailed = Status(417, "Expectation Failed")
    package static let misdirectedRequest = Status(421, "Misdirected Request")
    package static let unprocessableContent = Status(422, "Unprocessable Content")
    package static let fieldsTooLarge = Status(431, "Request Header Fields Too Large")
    package static let internalServerError = Status(500, "Internal Server Error")
    package static let notImplemented = Status(501, "Not Implemented")
    package static let serviceUnavailable = Status(503, "Service Unavailable")
    package static let versionNotSupported = Status(505, "HTTP Version Not Supported")
    package static let insufficientStorage = Status(507, "Insufficient Storage")
}
