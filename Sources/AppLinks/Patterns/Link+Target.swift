// Links back into text.

import Text

extension Link {
    /// The path and the query as a URL has them, percent-encoded: `/a%20b?c=d`.
    ///
    /// Reading it gives an equal link, unless a component is empty or holds U+0000: such links
    /// aren't read either. The path begins with a slash (RFC 9112 §3.2.1).
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
