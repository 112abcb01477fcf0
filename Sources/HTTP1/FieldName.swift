// The field names that the server itself reads, in lowercase, as bytes.

/// A field name in lowercase.
package struct FieldName: Sendable {
    package let octets: [UInt8]

    /// Makes the name; `name` must be lowercase ASCII.
    package init(_ name: StaticString) {
        octets = Array(name.description.utf8)
    }

    package static let authorization = FieldName("authorization")
    package static let connection = FieldName("connection")
    package static let contentEncoding = FieldName("content-encoding")
    package static let contentLength = FieldName("content-length")
    package static let contentType = FieldName("content-type")
    package static let expect = FieldName("expect")
    package static let host = FieldName("host")
    package static let ifMatch = FieldName("if-match")
    package static let ifModifiedSince = FieldName("if-modified-since")
    package static let ifNoneMatch = FieldName("if-none-match")
    package static let ifUnmodifiedSince = FieldName("if-unmodified-since")
    package static let requestID = FieldName("x-request-id")
    package static let transferEncoding = FieldName("transfer-encoding")
    // Fields that select a representation or a part of one, and that identify the client.
    package static let acceptEncoding = FieldName("accept-encoding")
    package static let forwarded = FieldName("forwarded")
    package static let ifRange = FieldName("if-range")
    package static let range = FieldName("range")
    package static let forwardedFor = FieldName("x-forwarded-for")
    package static let forwardedHost = FieldName("x-forwarded-host")
    package static let forwardedProto = FieldName("x-forwarded-proto")
}
