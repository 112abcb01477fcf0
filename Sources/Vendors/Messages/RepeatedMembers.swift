// Handles repeated members of one object: RFC 8259 allows them, and readers differ about which one
// is used. The contract says whether it is the first or the last.
//
// Invariant: no object of `document`, and no value that is kept, has a name twice. Removed members
// are kept by pointer, up to `Limits.maximumRepeatedMembers` and to the length of the text.

import JSON

/// A JSON text without repeated members, and those members.
struct RepeatedMembers {
    /// All values of one name in one object.
    struct Values {
        /// The pointer to the member, valid with and without the repetitions.
        let pointer: String
        /// The values in order, including the one that is used, as compact JSON.
        var texts: [[UInt8]]
    }

    /// The text without repetitions.
    let document: JSONDocument

    /// The removed ranges, ascending; none contains another.
    let cuts: [Range<Int>]

    /// The first repetition, in the original text.
    let first: JSONMember

    /// Number of repetitions.
    let count: Int

    /// The values of repeated members.
    private(set) var values: [Values] = []

    /// Removes the repetitions in `source`; nil if there are none.
    ///
    /// O(length) without any.
    ///
    /// - Parameter preference: which of the members of one name stays.
    init?(in source: JSONDocument, keeping preference: Message.Preference = .first) {
        let repeated = source.repeatedNames
        guard let first = repeated.first?.repetition else { return nil }
        let all =
            switch preference {
            case .first: repeated.map { Self.cut(of: $0.repetition, in: source.bytes) }
            case .last: Self.cuts(ofAllButTheLast: repeated, in: source.bytes)
            }
        let outermost = Self.outermost(all)
        let rest = Self.text(source.bytes, source.bytes.indices, without: outermost)
        guard let document = try? JSONDocument(parsing: rest) else { return nil }
        self.document = document
        self.first = first
        cuts = outermost
        count = repeated.count
        // Long names and nested values could make the output many times longer than the text.
        var room = source.bytes.count
        for member in repeated.prefix(Limits.maximumRepeatedMembers) where room > 0 {
            let pointer = member.repetition.value.pointer
            let text = Self.text(of: member.repetition.value, without: all, at: pointer)
            room -= text.count
            if let known = values.firstIndex(where: { $0.pointer == pointer }) {
                values[known].texts.append(text)
            } else {
                let first = Self.text(of: member.first.value, without: all, at: pointer)
                values.append(Values(pointer: pointer, texts: [first, text]))
                room -= pointer.utf8.count + first.count
            }
        }
    }

    /// The range of a member with the comma before it; a repetition is never the first.
    private static func cut(of member: JSONMember, in bytes: [UInt8]) -> Range<Int> {
        let start = member.name.byteRange.lowerBound
        let comma = bytes[..<start].lastIndex(of: UInt8(ascii: ",")) ?? start
        return comma..<member.value.byteRange.upperBound
    }

    /// The ranges of repeated members with the comma after them, ascending, except the last of
    /// each name.
    private static func cuts(
        ofAllButTheLast repeated: [JSONRepeatedName], in bytes: [UInt8]
    ) -> [Range<Int>] {
        // By the place of the first member of the name.
        var last: [Int: JSONMember] = [:]
        var cuts: [Range<Int>] = []
        for name in repeated {
            let place = name.first.name.byteRange.lowerBound
            let member = last[place] ?? name.first
            let end = member.value.byteRange.upperBound
            // Another member follows, so there is a comma.
            let comma = bytes[end...].firstIndex(of: UInt8(ascii: ",")) ?? end
            cuts.append(member.name.byteRange.lowerBound..<min(comma + 1, bytes.count))
            last[place] = name.repetition
        }
        return cuts.sorted { $0.lowerBound < $1.lowerBound }
    }

    /// The ascending `cuts` that no other one contains.
    private static func outermost(_ cuts: [Range<Int>]) -> [Range<Int>] {
        var outermost: [Range<Int>] = []
        for cut in cuts where cut.lowerBound >= outermost.last?.upperBound ?? 0 {
            outermost.append(cut)
        }
        return outermost
    }

    private static func text(
        _ bytes: [UInt8], _ range: Range<Int>, without cuts: [Range<Int>]
    ) -> [UInt8] {
        var text: [UInt8] = []
        var copied = range.lowerBound
        for cut in cuts {
            text += bytes[copied..<cut.lowerBound]
            copied = cut.upperBound
        }
        return text + bytes[copied..<range.upperBound]
    }

    /// A value as compact JSON; the mark if it is a credential.
    private static func text(
        of value: JSONNode, without cuts: [Range<Int>], at pointer: String
    ) -> [UInt8] {
        let names = Array(pointer.utf8).split(separator: UInt8(ascii: "/"))
        if names.contains(where: Redaction.isCredential) {
            return Array("\"\(Redaction.mark)\"".utf8)
        }
        let range = value.byteRange
        let inner = cuts.filter { range.contains($0.lowerBound) }
        let bytes = text(value.document.bytes, range, without: outermost(inner))
        return (try? JSONDocument(parsing: bytes))?.root.compactText ?? value.compactText
    }
}
