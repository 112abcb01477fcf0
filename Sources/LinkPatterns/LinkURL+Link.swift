// The parts of a URL that patterns match, decoded once. Apps also exchange URLs without slashes, or
// with a query but no path: `scheme:?a=b`, `scheme://?a=b`, `scheme://Name?a=b`.

import Text

extension LinkURL {
    /// The input of a pattern; nil if the host or a component of the path contains a `%` without
    /// two hexadecimal digits, invalid UTF-8, or U+0000.
    ///
    /// Under `http` and `https`, and without a scheme, it is the path and the query. Under any
    /// other scheme the host is the first component (Deeper README). The fragment is ignored, and
    /// so are query items that can't be decoded.
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
