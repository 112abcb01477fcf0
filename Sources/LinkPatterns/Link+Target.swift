// Converts links back to text.

import Text

extension Link {
    /// The path and the query as in a URL, percent-encoded: `/a%20b?c=d`.
    ///
    /// Parsing it gives an equal link, unless a component is empty or contains U+0000, which no
    /// parsed link does. The path begins with a slash (RFC 9112 §3.2.1).
    ///
    /// - Complexity: O(*n*) in the bytes.
    public var target: String {
        let path = "/" + components.map(\.percentEncoded).joined(separator: "/")
        if query.isEmpty { return path }
        return path + "?" + query.map(\.text).joined(separator: "&")
    }
}

extension QueryItem {
    fileprivate var text: String {
        guard let value else { return name.percentEncoded }
        return "\(name.percentEncoded)=\(value.percentEncoded)"
    }
}
