// The check of a URL's host and port, which is that of a request's.

import HTTP1
import LinkPatterns

extension LinkURL {
    /// Whether there is a host, and host and port are valid (RFC 3986 §3.2.2 and §3.2.3).
    ///
    /// Characters beyond ASCII are taken for those of internationalized names (RFC 3987).
    package var hasValidAuthority: Bool {
        guard let authority else { return false }
        return Authority(authority.utf8.map { $0 < 0x80 ? $0 : UInt8(ascii: "x") }[...]) != nil
    }
}
