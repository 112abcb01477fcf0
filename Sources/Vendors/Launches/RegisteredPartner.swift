// A partner that a vendor knows: its name in launches, and where its results may go (vendor document
// 2.1). What the vendor compares isn't published; query parameters after the registered ones pass,
// because partners put their own context there.

import LinkPatterns

/// A partner that a vendor has registered.
public struct RegisteredPartner: Sendable, Equatable {
    /// The name that its launches give.
    public let source: String
    /// The callbacks that it may name: URLs, or Android activities.
    public let callbacks: [String]

    /// Creates a partner.
    public init(source: String, callbacks: [String]) {
        self.source = source
        self.callbacks = callbacks
    }

    /// Whether a launch of the partner may name a callback; a flow id in it doesn't count.
    func accepts(_ callback: CallbackURL) -> Bool {
        let given = callback.comparable
        return callbacks.contains { text in
            guard let own = (try? CallbackURL(text))?.comparable else { return false }
            return given == own || given.hasPrefix(own + (own.contains("?") ? "&" : "?"))
        }
    }
}

extension CallbackURL {
    /// The text without flow id and fragment, with scheme and host in lower case.
    fileprivate var comparable: String {
        let bytes = Self.withoutFlow(Array(description.utf8))
        let url = LinkURL(utf8: bytes)
        guard kind != .component else { return description }
        let start = String(decoding: bytes[..<url.pathRange.lowerBound], as: UTF8.self)
        let path = url.receiverPath?.withoutFlow ?? url.path
        return start.lowercased() + path + (url.query.map { "?" + $0 } ?? "")
    }
}
