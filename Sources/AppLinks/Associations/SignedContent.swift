// Extracts the content of a CMS SignedData, without verifying its signature: files of iOS 8 were
// signed, and are still unwrapped. Parses only the ASN.1 (X.690, DER and indefinite lengths) that
// this needs.

/// Unwraps the content of a CMS SignedData (RFC 5652 §5.1, §5.2).
enum SignedContent {
    /// The signed content; nil if `bytes` aren't such a message.
    ///
    /// O(length).
    static func content(of bytes: [UInt8]) -> [UInt8]? {
        var whole = DERReader(bytes[...])
        // ContentInfo ::= SEQUENCE { contentType OID, content [0] EXPLICIT SignedData }
        guard var info = whole.read(0x30), info.read(0x06) != nil, var wrapped = info.read(0xA0),
            var data = wrapped.read(0x30),
            // SignedData ::= SEQUENCE { version, digestAlgorithms, encapContentInfo, … }
            data.read(0x02) != nil, data.read(0x31) != nil, var content = data.read(0x30),
            content.read(0x06) != nil, var octets = content.read(0xA0)
        else { return nil }
        return octets.octetString(depth: 0)
    }
}

/// A walk over values in DER or BER.
struct DERReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// The content of the next value, if it has the tag.
    mutating func read(_ tag: UInt8) -> DERReader? {
        guard rest.first == tag else { return nil }
        return value().map(DERReader.init)
    }

    /// The bytes of an octet string, in one or in several parts (X.690 §8.7).
    mutating func octetString(depth: Int) -> [UInt8]? {
        if rest.first == 0x04 { return value().map(Array.init) }
        guard depth < 4, var pieces = read(0x24) else { return nil }
        var bytes: [UInt8] = []
        while !pieces.rest.isEmpty, !pieces.rest.starts(with: [0, 0]) {
            guard let piece = pieces.octetString(depth: depth + 1) else { return nil }
            bytes += piece
        }
        return bytes
    }

    /// Reads the next value, and returns its content.
    private mutating func value() -> ArraySlice<UInt8>? {
        guard rest.count >= 2 else { return nil }
        let first = rest[rest.startIndex + 1]
        var content = rest.dropFirst(2)
        if first == 0x80 { return indefiniteValue(content) }
        var length = Int(first)
        if first > 0x80 {
            let count = Int(first & 0x7F)
            guard count <= 4, content.count >= count else { return nil }
            length = content.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            content = content.dropFirst(count)
        }
        guard length <= content.count else { return nil }
        rest = content.dropFirst(length)
        return content.prefix(length)
    }

    /// The content before the two zeros that end a value of indefinite length (X.690 §8.1.3.6).
    ///
    /// A value without an end contains everything that is left, as in files that were truncated
    /// after the content.
    private mutating func indefiniteValue(_ content: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var open = 1
        var inner = DERReader(content)
        while open > 0 {
            let end = inner.rest.startIndex
            if inner.rest.starts(with: [0, 0]) {
                inner.rest = inner.rest.dropFirst(2)
                open -= 1
                if open == 0 {
                    rest = inner.rest
                    return content[..<end]
                }
            } else if inner.rest.dropFirst().first == 0x80 {
                inner.rest = inner.rest.dropFirst(2)
                open += 1
            } else if inner.value() == nil {
                break
            }
        }
        rest = []
        return content
    }
}
