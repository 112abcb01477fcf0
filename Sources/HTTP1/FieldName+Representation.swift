// Names of the fields that select a representation or a part of one, and of those that identify the
// client.

extension FieldName {
    package static let acceptEncoding = FieldName("accept-encoding")
    package static let forwarded = FieldName("forwarded")
    package static let ifRange = FieldName("if-range")
    package static let range = FieldName("range")
    package static let forwardedFor = FieldName("x-forwarded-for")
    package static let forwardedHost = FieldName("x-forwarded-host")
    package static let forwardedProto = FieldName("x-forwarded-proto")
}
