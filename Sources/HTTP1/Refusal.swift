// Why a request is refused: the table that maps errors in a message to a status.

import Text

/// An error response that ends the connection.
package struct Refusal: Error, Sendable, Equatable {
    /// The status of the response.
    package let status: Status

    /// One sentence that says what to change.
    package let detail: String

    /// A field that the response must have.
    package let field: Field?

    /// One field line.
    package struct Field: Sendable, Equatable {
        package let name: String
        package let value: String
    }

    package init(_ status: Status, _ detail: String, field: (String, String)? = nil) {
        self.status = status
        self.detail = detail
        self.field = field.map { Field(name: $0.0, value: $0.1) }
    }
}

extension Refusal {
    // Request line (RFC 9112 §2.2, §3).
    static let malformedRequestLine = Refusal(
        .badRequest, "The request line must read: method SP target SP HTTP/1.1 CRLF.")
    static let malformedAuthority = Refusal(
        .badRequest, "The request target's host or port is invalid (RFC 3986 §3.2).")
    static func malformedTarget(_ byte: UInt8, at offset: Int) -> Refusal {
        let digits = Hexadecimal.text(byte, digits: 2, uppercase: true)
        return Refusal(
            .badRequest,
            "The request target holds byte 0x\(digits) at offset \(offset), which RFC 3986 does not "
                + "allow; escape it as %\(digits).")
    }
    static let otherScheme = Refusal(
        .misdirectedRequest, "The target's scheme is not that of this connection.")
    static let targetForm = Refusal(
        .badRequest, "The form of the request target is invalid for the method (RFC 9112 §3.2).")
    static let version = Refusal(
        .versionNotSupported, "Only HTTP/1.0 and HTTP/1.1 are supported.")
    static let unknownMethod = Refusal(
        .notImplemented, "Unknown method; methods are case-sensitive.")
    static func longTarget(_ limit: Int) -> Refusal {
        Refusal(.uriTooLong, "The request target may have at most \(limit) bytes here.")
    }

    // Fields (RFC 9112 §5, RFC 6585 §5).
    static let malformedField = Refusal(
        .badRequest, "A field line must read: name \":\" value CRLF, with a token as its name.")
    static let foldedField = Refusal(
        .badRequest, "Field lines may not be folded (RFC 9112 §5.2).")
    static let fieldValue = Refusal(
        .badRequest, "A field value holds a control character (RFC 9110 §5.5).")
    static func manyFields(_ limit: Int) -> Refusal {
        Refusal(.fieldsTooLarge, "A request may have at most \(limit) field lines.")
    }
    static func largeFields(_ limit: Int) -> Refusal {
        Refusal(.fieldsTooLarge, "The field lines may have at most \(limit) bytes.")
    }
    static let host = Refusal(
        .badRequest, "A request needs exactly one valid Host field (RFC 9112 §3.2).")

    // Body (RFC 9112 §6, §7).
    static let contentLength = Refusal(
        .badRequest, "Content-Length must be one decimal number (RFC 9112 §6.3).")
    static let lengthTwice = Refusal(
        .badRequest, "Content-Length and Transfer-Encoding exclude each other (RFC 9112 §6.1).")
    static let transferCoding = Refusal(
        .notImplemented, "The only supported transfer coding is chunked.")
    static let chunkedNotLast = Refusal(
        .badRequest, "The last transfer coding must be chunked, once (RFC 9112 §6.3).")
    static let malformedChunk = Refusal(
        .badRequest, "The chunked body is malformed (RFC 9112 §7.1).")
    static let expectation = Refusal(
        .expectationFailed, "The only supported expectation is 100-continue.")
    static func largeBody(_ limit: Int) -> Refusal {
        Refusal(.contentTooLarge, "The body may have at most \(limit) bytes here.")
    }

    static let contentCoding = Refusal(
        .unsupportedMediaType, "The only supported content coding is gzip.",
        field: ("Accept-Encoding", "gzip"))
    static let malformedGzip = Refusal(
        .badRequest, "The body is not a valid gzip stream (RFC 1952).")
    static let inflatesTooMuch = Refusal(
        .contentTooLarge, "The body inflates to far more than was sent; send it uncompressed.")

    // Resources (RFC 9110 §13, §14).
    static let preconditionFailed = Refusal(
        .preconditionFailed, "The resource is not in the state that the request requires.")
    static let notAcceptable = Refusal(
        .notAcceptable, "Accept-Encoding leaves neither gzip nor identity.")
    static func unsatisfiableRange(_ size: Int) -> Refusal {
        Refusal(
            .rangeNotSatisfiable, "The resource has \(size) bytes; no requested range is in it.",
            field: ("Content-Range", "bytes */\(size)"))
    }

    // Connections.
    static let tooManyConnections = Refusal(
        .serviceUnavailable, "Too many connections; try again in a moment.",
        field: ("Retry-After", "5"))
    static let plainHTTP = Refusal(
        .badRequest, "This port needs TLS: use https.")

    static let noMemory = Refusal(
        .serviceUnavailable, "Too much data is in flight; try again in a moment.",
        field: ("Retry-After", "5"))

    // Time.
    static let slowRequest = Refusal(
        .requestTimeout, "The request did not arrive in time; send it again.")
}
