// The field names that the server itself reads, in lowercase, as bytes; and those that proxies add.

/// A field name in lowercase.
package struct FieldName: Sendable {
    package let octets: [UInt8]

    /// Makes the name; `name` must be lowercase ASCII.
    package init(_ name: StaticString) {
        octets = Array(name.description.utf8)
    }

    package static let authorization = FieldName("authorization")
    static let connection = FieldName("connection")
    static let contentEncoding = FieldName("content-encoding")
    static let contentLength = FieldName("content-length")
    package static let contentType = FieldName("content-type")
    package static let expect = FieldName("expect")
    static let host = FieldName("host")
    static let ifMatch = FieldName("if-match")
    static let ifModifiedSince = FieldName("if-modified-since")
    static let ifNoneMatch = FieldName("if-none-match")
    static let ifUnmodifiedSince = FieldName("if-unmodified-since")
    static let requestID = FieldName("x-request-id")
    static let transferEncoding = FieldName("transfer-encoding")
    // Fields that select a representation or a part of one, and that identify the client.
    static let acceptEncoding = FieldName("accept-encoding")
    package static let forwarded = FieldName("forwarded")
    static let ifRange = FieldName("if-range")
    static let range = FieldName("range")
    static let forwardedFor = FieldName("x-forwarded-for")
    static let forwardedHost = FieldName("x-forwarded-host")
    static let forwardedProto = FieldName("x-forwarded-proto")

    /// Whether proxies and tunnels add a field of this name, which must be lowercase.
    package static func isProxyField(_ name: String) -> Bool {
        proxyFields.contains(name) || proxyPrefixes.contains { name.hasPrefix($0) }
    }

    private static let proxyFields: Set<String> = [
        "forwarded", "via", "cdn-loop", "x-real-ip", "x-client-ip", "x-cluster-client-ip",
        "true-client-ip",
    ]

    /// X-Forwarded-For and similar; Cloudflare, ngrok, Tailscale, Fly, Fastly and dev tunnels.
    private static let proxyPrefixes = [
        "x-forwarded", "cf-", "ngrok-", "tailscale-", "fly-", "fastly-", "x-tunnel-",
    ]
}
