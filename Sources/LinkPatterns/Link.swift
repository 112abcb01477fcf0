// The input of a pattern: decoded path components and query items. A component is decoded exactly
// once, after splitting, so `%2F` never divides a path. Left out: scheme, host and fragment. To
// match the host, insert it as the first component.

import Text

/// The parts of a URL that patterns match.
public struct Link: Sendable, Equatable {
    /// Percent-decoded path components; none is empty if the link was parsed from bytes.
    public var components: [String]

    /// Query items, in their original order.
    public var query: [QueryItem]

    /// Makes a link of parts that are already split and decoded.
    public init(components: [String], query: [QueryItem] = []) {
        self.components = components
        self.query = query
    }

    /// Splits the path and the query of a request target, then decodes each part once.
    ///
    /// Empty components are dropped, so leading, trailing and doubled slashes have no effect
    /// (Deeper README). A plus sign stays a plus sign. Query items that are empty or can't be
    /// decoded are left out: patterns ignore items that they don't name, and a callback must reach
    /// its route even if its query is damaged.
    ///
    /// - Parameters:
    ///   - path: bytes before the first `?`.
    ///   - query: bytes after it; nil if there is no `?`.
    /// - Returns: nil if a path component contains a `%` without two hexadecimal digits, invalid
    ///   UTF-8, or U+0000 (RFC 3986 §2.1, §2.4, §7.3).
    /// - Complexity: O(*n*) in the bytes of both.
    public init?(path: ArraySlice<UInt8>, query: ArraySlice<UInt8>? = nil) {
        var components: [String] = []
        var rest = path
        while let piece = rest.popPiece(before: UInt8(ascii: "/")) {
            if piece.isEmpty { continue }
            guard let component = String(percentDecoding: piece) else { return nil }
            components.append(component)
        }
        self.components = components
        self.query = query.map(Self.items) ?? []
    }

    private static func items(of query: ArraySlice<UInt8>) -> [QueryItem] {
        var items: [QueryItem] = []
        var rest = query
        while var value = rest.popPiece(before: UInt8(ascii: "&")) {
            guard !value.isEmpty, let name = value.popPiece(before: UInt8(ascii: "=")),
                let decodedName = String(percentDecoding: name)
            else { continue }
            // Without "=", the name takes everything, and the slice ends with the name.
            guard name.endIndex < value.startIndex else {
                items.append(QueryItem(name: decodedName, value: nil))
                continue
            }
            guard let decodedValue = String(percentDecoding: value) else { continue }
            items.append(QueryItem(name: decodedName, value: decodedValue))
        }
        return items
    }
}

extension ArraySlice<UInt8> {
    /// Removes the bytes before `separator`, and the separator.
    ///
    /// - Returns: the bytes before it; nil at the end, so that there is no empty piece after a last
    ///   separator.
    fileprivate mutating func popPiece(before separator: UInt8) -> ArraySlice<UInt8>? {
        if isEmpty { return nil }
        let end = firstIndex(of: separator) ?? endIndex
        let piece = self[startIndex..<end]
        self = self[Swift.min(end + 1, endIndex)...]
        return piece
    }
}

/// A name in a link's query, with its value.
public struct QueryItem: Sendable, Equatable {
    /// The text before the first `=`; may be empty.
    public var name: String

    /// The text after the first `=`, possibly empty; nil if there is no `=`.
    public var value: String?

    /// Makes an item of decoded text.
    public init(name: String, value: String?) {
        self.name = name
        self.value = value
    }
}
