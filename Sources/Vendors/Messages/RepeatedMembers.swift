// Members of one object that have one name: RFC 8259 allows them, and readers differ about which
// one counts. Here the first one does, as of parameters.
//
// Invariant: no object of `document` has a name twice, and neither has a value that is kept. What
// was cut out is kept by pointer, up to `Limits.maximumRepeatedMembers` and to the length of the text.

import JSON

/// A JSON text without the members that repeat, and those members.
struct RepeatedMembers {
    /// All values of one name in one object.
    struct Values {
        /// Where the member stands, in the text with and without repetitions.
        let pointer: String
        /// The values in the order of the text, the one that counts included, as compact JSON.
        var texts: [[UInt8]]
    }

    /// The text without repetitions.
    let document: JSONDocument

    /// What is missing in it, ascending; none of them lies in another one.
    let cuts: [Range<Int>]

    /// The first repetition, in the text as it came.
    let first: JSONMember

    /// How many repetitions there are.
    let count: Int

    /// The values of members that repeat.
    private(set) var values: [Values] = []

    /// Takes the repetitions out of `source`; nil when there are none.
    ///
    /// O(length) without any.
    init?(in source: JSONDocument) {
        let repeated = source.repeatedNames
        guard let first = repeated.first?.repetition else { return nil }
        let all = repeated.map { Self.cut(of: $0.repetition, in: source.bytes) }
        let outermost = Self.outermost(all)
        let rest = Self.text(source.bytes, source.bytes.indices, without: outermost)
        guard let document = try? JSONDocument(parsing: rest) else { return nil }
        self.document = document
        self.first = first
        cuts = outermost
        count = repeated.count
        // Names as long as the text, and values inside of each other, would make it many times longer.
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

    /// Where a member stands with the comma in front of it; a repetition is never the first.
    private static func cut(of member: JSONMember, in bytes: [UInt8]) -> Range<Int> {
        let start = member.name.byteRange.lowerBound
        let comma = bytes[..<start].lastIndex(of: UInt8(ascii: ",")) ?? start
        return comma..<member.value.byteRange.upperBound
    }

    /// Those of `cuts`, which ascend, that lie in no other one.
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

    /// A value as compact JSON; the mark where it belongs to a credential.
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
