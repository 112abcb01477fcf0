// The media type that a request names for its body, without its parameters.

import HTTP1

extension Request {
    /// Type and subtype of the body in lower case (RFC 9110 §8.3.1); empty without the field.
    package var mediaType: String {
        let type = (first(.contentType) ?? []).prefix {
            $0 != UInt8(ascii: ";") && $0 != 0x20 && $0 != 0x09
        }
        return String(decoding: type, as: UTF8.self).lowercased()
    }
}
