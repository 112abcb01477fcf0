// The message to decode: the two parts of a request that vendors put things into.
//
// Invariant: bytes are as they were received; every offset in a diagnostic counts in them.
// Left out: method, fields and all else of HTTP, but for the one that marks a webhook's delivery.

/// A callback as it was received.
public struct Callback: Sendable {
    /// The content of a request, by what its content type says it is.
    public enum Body: Sendable {
        /// `application/x-www-form-urlencoded`: parameters in which `+` is a space.
        case form([UInt8])
        /// JSON text: an object whose members are the parameters, or the vendor's payload itself.
        case json([UInt8])
        /// Another content type, which no contract knows.
        case other(contentType: String, [UInt8])
    }

    /// The request target or whole URL; the query is what follows the first `?`, up to `#`.
    public var target: [UInt8]

    /// The content; nil when there was none.
    public var body: Body?

    /// The id of a webhook's delivery, from the field `svix-id` or `webhook-id`; nil without one.
    ///
    /// Vendor document 1.4. Only servers send it, so it tells Flux's webhook from a posted item.
    public var webhookID: String?

    /// Creates a callback from its parts as received.
    public init(target: [UInt8], body: Body? = nil, webhookID: String? = nil) {
        self.target = target
        self.body = body
        self.webhookID = webhookID
    }
}
