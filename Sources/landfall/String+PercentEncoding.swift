// Text as a part of a URL.

extension String {
    /// The text with everything but unreserved characters escaped (RFC 3986 §2.3).
    ///
    /// O(size).
    var percentEncoded: String {
        var text = ""
        for octet in utf8 {
            if HTTPText.isAlphanumeric(octet) || "-._~".utf8.contains(octet) {
                text.unicodeScalars.append(Unicode.Scalar(octet))
            } else {
                let digits = String(octet, radix: 16, uppercase: true)
                text += octet < 16 ? "%0" + digits : "%" + digits
            }
        }
        return text
    }
}
