// A callback whose JSON body is nothing but the URL that an app was opened with: `{"url":
// "https://…"}`. Back ends that only forward what their app got send this.
//
// Invariant: the URL's query counts as if it had been the request's own, and every diagnostic about
// it is placed in the body. Left out: objects with more members, because a contract may have its
// own `url`.

import JSON
import LinkPatterns

/// A link that came as a member of a JSON object.
struct WrappedLink {
    /// The callback as if the link had been requested, with the query of the request after its own.
    let callback: Callback

    /// The link itself, without its fragment.
    let target: [UInt8]

    /// As received.
    private let body: Callback.Body

    /// The link's text inside its quotation marks in the body.
    private let text: EscapedText

    /// The bytes of `callback.target` that the link is, and where the request's query begins in its
    /// own target.
    private let (linkCount, queryStart): (Int, Int)

    private static let name = Array(#""url""#.utf8)

    /// Unwraps a callback; nil if its body is anything else.
    ///
    /// O(length) for such a body; for others only their first bytes are read.
    ///
    /// - Parameter vendor: the one whose contracts decode it; nil if it is not known yet.
    init?(_ callback: Callback, to vendor: Vendor?) {
        guard vendor?.declaration.unwrapsLinks ?? true, let body = callback.body,
            BodyKind.isJSON(body)
        else { return nil }
        let bytes = body.bytes
        let brace = bytes.span.endOfBlanks(from: 0)
        let name = brace < bytes.count ? bytes.span.endOfBlanks(from: brace + 1) : brace
        guard name < bytes.count, bytes[name...].starts(with: Self.name),
            let root = try? JSONDocument(parsing: bytes).root
        else { return nil }
        var members = root.members
        guard let value = members.next()?.value, members.next() == nil, value.kind == .string
        else { return nil }
        let text = EscapedText(
            part: .body, bytes: bytes, range: value.innerRange, escaping: .jsonString)
        let link = text.unescaped().bytes.prefix { $0 != UInt8(ascii: "#") }
        guard let question = link.firstIndex(of: UInt8(ascii: "?")),
            LinkURL(utf8: Array(link[..<question])).scheme != nil
        else { return nil }
        self.body = body
        self.text = text
        target = Array(link)
        linkCount = link.count
        queryStart = Message.startOfQuery(in: callback.target) ?? callback.target.count
        let query = callback.target[queryStart...]
        self.callback = Callback(
            target: query.isEmpty ? Array(link) : link + [UInt8(ascii: "&")] + query,
            webhookID: callback.webhookID)
    }

    /// Decodes the link, with its diagnostics placed in the request; the first says that it was
    /// unwrapped.
    func decoding(from vendor: Vendor, contract pinned: Contract?) -> Decoding {
        var decoding = Decoding(of: callback, from: vendor, contract: pinned)
        var findings = Findings()
        findings.add(
            .info, .body, "wrapped_url", in: .body, at: text.range.lowerBound, pointer: "/url",
            expected: "the parameters of the callback", found: "the URL that carries them",
            hint: "the query of the URL is decoded")
        let placed = decoding.diagnostics.prefix(Limits.maximumDiagnostics - 1).map(place)
        decoding.diagnostics = findings.list + placed
        return decoding
    }

    private func place(_ diagnostic: Diagnostic) -> Diagnostic {
        guard diagnostic.part == .target else { return diagnostic }
        let offset = diagnostic.offset ?? 0
        if diagnostic.offset != nil, offset > linkCount {
            return diagnostic.moved(to: .target, at: queryStart + offset - linkCount - 1)
        }
        return diagnostic.moved(
            to: .body, at: diagnostic.offset.map { text.sourceOffset(ofUnescaped: $0) })
    }

    /// The body with another link in the place of this one.
    func body(carrying target: [UInt8]) -> Callback.Body {
        var json = JSONWriter()
        json.string(utf8: target)
        let quoted = text.range.lowerBound - 1..<text.range.upperBound + 1
        return body.mapBytes {
            Redaction.apply([Redactor.Edit(range: quoted, text: json.bytes)], to: $0)
        }
    }
}
