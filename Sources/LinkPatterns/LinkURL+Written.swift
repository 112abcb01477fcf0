// A URL as people write it. Browsers and URL types percent-encode letters beyond ASCII before a link
// is compared with anything. Left out: hosts, which they write in Punycode.

import Text

extension LinkURL {
    /// The URL that devices make of a text; nil if it has a blank or a control character.
    ///
    /// Bytes beyond ASCII in the path, the query and the fragment are percent-encoded. A decision
    /// about the text as written would differ from that of a device.
    ///
    /// - Complexity: O(length).
    package init?(written text: String) {
        let bytes = Array(text.utf8)
        if bytes.contains(where: { $0 <= 0x20 || $0 == 0x7F }) { return nil }
        let start = LinkURL(utf8: bytes).pathRange.lowerBound
        let rest: [UInt8] = bytes[start...].flatMap { byte in
            byte < 0x80 ? [byte] : PercentEncoding.encode([byte])
        }
        self.init(utf8: Array(bytes[..<start]) + rest)
    }
}
