// What patterns look at of a URL: its parts, decoded once. URLs without slashes, or with a query but
// no path, are what apps exchange: `scheme:?a=b`, `scheme://?a=b`, `scheme://Name?a=b`.

import Text

extension LinkURL {
    /// What a pattern is matched against; nil when the host or a component of the path holds a `%`
    /// without two hexadecimal digits, isn't UTF-8, or holds U+0000.
    ///
    /// Under `http` and `https`, and without a scheme, that is the path and the query; under any
    /// other scheme the host comes first, as a component (Deeper README). The fragment is ignored,
    /// and so are items of the query that can't be decoded.
    ///
    /// - Complexity: O(*n*) in the length of the URL.
    public var link: Link? {
        guard var link = Link(path: bytes[pathRange], query: queryRange.map { bytes[$0] }) else {
            return nil
        }
        guard let host, !host.isEmpty, scheme != nil, !isWebLink else { return link }
        guard let component = String(percentDecoding: Array(host.utf8)[...]) else { return nil }
        link.components.insert(component, at: 0)
        return link
    }
}
