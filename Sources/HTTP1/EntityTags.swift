// Entity tags of a request, compared octet by octet. A tag has no escapes, so a comma or a
// backslash between its quotes is a part of it. Left out: what follows from a match.

import Text

/// The value of If-Match or If-None-Match (RFC 9110 §13.1.1, §13.1.2).
enum EntityTags: Sendable, Equatable {
    /// `*`: any existing representation.
    case any
    /// The tags as written, all of them well-formed; empty for an empty list.
    case list([ArraySlice<UInt8>])
    /// Invalid; it matches nothing.
    case malformed

    /// How tags are compared (RFC 9110 §8.8.3.2).
    enum Comparison: Sendable {
        /// Neither is weak, and they are equal.
        case strong
        /// They are equal apart from `W/`.
        case weak
    }

    /// Parses all lines of the field as one list; empty members are skipped (RFC 9110 §5.6.1).
    ///
    /// `*` with other members is malformed. O(size).
    init(_ values: [ArraySlice<UInt8>]) {
        if values.count == 1, values[0].elementsEqual("*".utf8) {
            self = .any
            return
        }
        let comma = UInt8(ascii: ",")
        var tags: [ArraySlice<UInt8>] = []
        for value in values {
            var rest = value.drop { $0.isBlank || $0 == comma }
            while !rest.isEmpty {
                guard let tag = Self.leadingTag(of: rest) else {
                    self = .malformed
                    return
                }
                tags.append(tag)
                let tail = rest[tag.endIndex...].drop(while: \.isBlank)
                guard tail.isEmpty || tail.first == comma else {
                    self = .malformed
                    return
                }
                rest = tail.drop { $0.isBlank || $0 == comma }
            }
        }
        self = .list(tags)
    }

    /// Whether `tag`, that of an existing representation, is in the list.
    ///
    /// O(size).
    func contains(_ tag: [UInt8], _ comparison: Comparison) -> Bool {
        switch self {
        case .any: true
        case .list(let tags): tags.contains { Self.areSame($0, tag[...], comparison) }
        case .malformed: false
        }
    }

    /// Compares two well-formed tags.
    static func areSame(
        _ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>, _ comparison: Comparison
    ) -> Bool {
        switch comparison {
        case .strong: left.elementsEqual(right) && !isWeak(left)
        case .weak: opaqueTag(left).elementsEqual(opaqueTag(right))
        }
    }

    /// Whether all of `text` is one entity tag.
    static func isTag(_ text: ArraySlice<UInt8>) -> Bool {
        leadingTag(of: text)?.endIndex == text.endIndex
    }

    /// The entity tag at the beginning of `text` (RFC 9110 §8.8.3).
    ///
    /// Blanks in tags are allowed: RFC 2616 allowed any quoted text, and a list with such a tag
    /// from another server may also contain ours.
    private static func leadingTag(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let opaque = opaqueTag(text)
        guard opaque.first == UInt8(ascii: "\""),
            let end = opaque.dropFirst().firstIndex(of: UInt8(ascii: "\""))
        else { return nil }
        let hasControls = opaque[..<end].contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
        return hasControls ? nil : text[...end]
    }

    /// `W/` is case-sensitive.
    private static func isWeak(_ tag: ArraySlice<UInt8>) -> Bool { tag.starts(with: "W/".utf8) }

    private static func opaqueTag(_ tag: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        isWeak(tag) ? tag.dropFirst(2) : tag
    }
}
