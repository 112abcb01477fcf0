// Link patterns: whatever the text, reading and matching it ends soon, and what was read prints and
// reads again as the same pattern. What a router finds is what matching finds.

import LinkPatterns

extension FuzzTarget {
    /// An input is a pattern, and behind a line feed perhaps a URL to match with it.
    static func checkPattern(_ bytes: [UInt8]) {
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        let text = String(decoding: line, as: UTF8.self)
        let url = String(decoding: bytes[line.endIndex...].dropFirst(), as: UTF8.self)
        let pattern: LinkPattern
        do throws(LinkPatternError) {
            pattern = try LinkPattern(text)
        } catch {
            expect((0...text.utf8.count).contains(error.offset), "a fault outside the text")
            return
        }
        let printed = pattern.description
        expect(printed.utf8.count <= text.utf8.count, "printed it is longer")
        let again = try? LinkPattern(printed)
        expect(again == pattern, "printed it is another pattern")
        expect(again?.description == printed, "a normal form that is none")
        if let link = LinkURL(url).link { checkMatch(pattern, link) }
    }

    private static func checkMatch(_ pattern: LinkPattern, _ link: Link) {
        let parameters = pattern.match(link)
        var router = Router<Int>()
        router.add(pattern, 0)
        expect(router.match(link)?.parameters == parameters, "a router finds something else")
        let mismatch = pattern.mismatch(link)
        expect((mismatch == nil) == (parameters != nil), "a mismatch of what matches")
        guard let parameters else { return }
        let texts = link.components + link.query.compactMap(\.value)
        let values = Dictionary(
            parameters.captures.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }
        )
        expect(values.count == parameters.captures.count, "a name twice")
        expect(values.values.allSatisfy(texts.contains), "a text that the link doesn't hold")
        // What was captured can be written, and then means the same, or is refused with a reason.
        guard let written = try? pattern.link(with: values) else { return }
        expect(LinkURL(written.target).link == written, "written it is another link")
        let again = pattern.match(written)?.captures ?? []
        expect(again.count == values.count, "written it has other values")
        expect(again.allSatisfy { values[$0.name] == $0.value }, "written it has other values")
    }
}
