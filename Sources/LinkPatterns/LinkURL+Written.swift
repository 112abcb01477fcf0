// A URL as people write it. Browsers and URL types percent-encode letters beyond ASCII and some
// others before a link is compared with anything. Left out: hosts, which they write in Punycode.

import Text

extension LinkURL {
    /// The URL that devices make of a text; nil if it has a blank or a control character.
    ///
    /// In the path, the query and the fragment, `"`, `<`, `>` and bytes beyond ASCII are
    /// percent-encoded; in the path also `{`, `}` and a backtick, in a web link's query `'`, and in
    /// the fragment a backtick. A decision about the text as written would differ from that of a
    /// device.
    ///
    /// - Complexity: O(length).
    package init?(written text: String) {
        let bytes = Array(text.utf8)
        if bytes.contains(where: { $0 <= 0x20 || $0 == 0x7F }) { return nil }
        let url = LinkURL(utf8: bytes)
        let isWebLink = url.isWebLink
        let path = url.pathRange
        let fragment = url.fragmentRange ?? bytes.count..<bytes.count
        let rest = (path.lowerBound..<bytes.count).flatMap { index -> [UInt8] in
            let byte = bytes[index]
            let isEncoded =
                switch index {
                case path: byte.isEncodedInPaths
                case fragment: byte.isEncodedInFragments
                default: isWebLink ? byte.isEncodedInQueries : byte.isEncodedInURLs
                }
            return isEncoded ? PercentEncoding.encode([byte]) : [byte]
        }
        self.init(utf8: Array(bytes[..<path.lowerBound]) + rest)
    }
}
