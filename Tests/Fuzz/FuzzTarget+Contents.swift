// Compressed contents and links: limits hold to the byte, cuts mean nothing, and what is written in
// the same format again is read as the same.

import LinkPatterns

@testable import Gzip

extension FuzzTarget {
    private struct Inflation: Equatable {
        var content: [UInt8] = []
        var error: GzipError?

        init(_ bytes: [UInt8], cuts: [Int], limit: Int, ratio: Int) {
            var inflater = Inflater(limit: limit, ratio: ratio)
            do throws(GzipError) {
                for (start, end) in zip([0] + cuts, cuts + [bytes.count]) {
                    try inflater.inflate(Array(bytes[start..<end]), into: &content)
                }
                try inflater.finish()
            } catch {
                self.error = error
            }
        }
    }

    /// An input is a compressed body, and also a content to compress.
    static func checkGzip(_ bytes: [UInt8]) {
        var choices = Choices(bytes)
        let limit = choices.one(of: [choices.below(500), 70_000, 200_000])
        let ratio = choices.one(of: [1, Gzip.Limits.inflationRatio])
        let whole = Inflation(bytes, cuts: [], limit: limit, ratio: ratio)
        let cuts = choices.cuts(of: bytes)
        let cut = Inflation(bytes, cuts: cuts, limit: limit, ratio: ratio)
        expect(cut == whole, "cut at \(cuts) with limit \(limit): \(cut.error as Any)")
        expect(whole.content.count <= limit, "\(whole.content.count) bytes of \(limit)")
        let allowance = Gzip.Limits.uncountedBytes + bytes.count * ratio
        expect(whole.content.count <= allowance, "\(whole.content.count) bytes of \(allowance)")
        let shorter = Inflation(bytes, cuts: [], limit: limit / 2, ratio: ratio)
        expect(whole.content.starts(with: shorter.content), "a limit changes the content")
        expect(shorter.error != nil || whole.error == nil, "a larger limit is an error")

        checkCompression(bytes, &choices)
    }

    private static func checkCompression(_ bytes: [UInt8], _ choices: inout Choices) {
        // Slow, so not every time.
        guard choices.below(8) == 0 else { return }
        let level = 1 + choices.below(9)
        guard let packed = Gzip.compress(bytes, level: level) else { return }
        expect(packed.count < bytes.count, "compressed it is larger")
        let unpacked = Inflation(
            packed + packed, cuts: choices.cuts(of: packed + packed), limit: 2 * bytes.count,
            ratio: Gzip.Limits.inflationRatio)
        expect(unpacked.error == nil && unpacked.content == bytes + bytes, "it does not come back")
    }

    /// An input is a path, perhaps with a query behind its first `?`.
    static func checkLink(_ bytes: [UInt8]) {
        let path = bytes.prefix { $0 != UInt8(ascii: "?") }
        let query = path.endIndex < bytes.endIndex ? bytes[(path.endIndex + 1)...] : nil
        guard let link = Link(path: path, query: query) else {
            expect(Link(path: [], query: query) != nil, "a query makes a link wrong")
            return
        }
        let texts =
            link.components + link.query.flatMap { [$0.name, $0.value ?? ""] }
        expect(!texts.contains { $0.utf8.contains(0) }, "U+0000")
        expect(!link.components.contains(""), "an empty component")
        if query == nil { expect(link.query.isEmpty, "items of no query") }
        // Each part written with every octet escaped is read as the same.
        let components = link.components.map { "/" + escaped($0) }.joined()
        let items = link.query.map { escaped($0.name) + ($0.value.map { "=" + escaped($0) } ?? "") }
        let again = Link(
            path: Array(components.utf8)[...], query: Array(items.joined(separator: "&").utf8)[...])
        expect(again == link, "escaped it is another link")
    }

    private static func escaped(_ text: String) -> String {
        text.utf8.map { octet in
            let digits = String(octet, radix: 16, uppercase: octet.isMultiple(of: 2))
            return (octet < 16 ? "%0" : "%") + digits
        }.joined()
    }
}
