// The input of decoding: the two parts of a request that vendors use.
//
// Invariant: bytes are as received; every offset in a diagnostic refers to them. Left out: method,
// fields and all other HTTP, except the field that marks a webhook delivery.

/// A received callback.
public struct Callback: Sendable {
    /// The body of a request, by its content type.
    public enum Body: Sendable {
        /// `application/x-www-form-urlencoded`: parameters in which `+` is a space.
        case form([UInt8])
        /// JSON text: an object whose members are the parameters, or the vendor's payload itself.
        case json([UInt8])
        /// `multipart/form-data`: parameters in parts (RFC 7578); the boundary is nil if the
        /// content type has no valid one.
        case multipart(boundary: [UInt8]?, [UInt8])
        /// Another content type, which no contract knows.
        case other(contentType: String, [UInt8])
    }

    /// The request target or whole URL; the query is between the first `?` and `#`.
    public var target: [UInt8]

    /// The body; nil if there was none.
    public var body: Body?

    /// The id of a webhook delivery, from the field `svix-id` or `webhook-id`; nil without one.
    ///
    /// Vendor document 1.4. Only servers send it, so it distinguishes Flux's webhook from a posted
    /// item.
    public var webhookID: String?

    /// Creates a callback from its parts as received.
    public init(target: [UInt8], body: Body? = nil, webhookID: String? = nil) {
        self.target = target
        self.body = body
        self.webhookID = webhookID
    }
}
