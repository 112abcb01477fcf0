// What the server needs to know of media types: which content is worth compressing.

/// Media types of RFC 9110 §8.3.1.
enum MediaType {
    private static let compressible: Set = [
        "application/json", "application/javascript", "application/xml", "application/xhtml+xml",
        "application/x-ndjson", "image/x-icon",
    ]

    /// Whether content of this type is essentially text, and not compressed already.
    static func isCompressible(_ contentType: String) -> Bool {
        let type = contentType.prefix { $0 != ";" && $0 != " " }.lowercased()
        return type.hasPrefix("text/") || type.hasSuffix("+json") || type.hasSuffix("+xml")
            || compressible.contains(type)
    }
}
