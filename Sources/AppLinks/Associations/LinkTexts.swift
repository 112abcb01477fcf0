// The parts of one URL in the forms in which rules compare them. Each form is made on first use,
// because one decision may evaluate two hundred rules.

import LinkPatterns
import Text

/// The parts of a URL, as rules compare them.
struct LinkTexts {
    /// The form that a rule compares.
    struct Form: Sendable, Hashable {
        /// Whether percent-encoded bytes are decoded: `percentEncoded: false`.
        let decodes: Bool
        /// Whether case is ignored: `caseSensitive: false`.
        let folds: Bool

        var index: Int { (decodes ? 2 : 0) + (folds ? 1 : 0) }
    }

    /// One `name=value` of the query.
    struct Item {
        let name: [UInt8]
        /// The text after the first `=`; empty if absent.
        let value: [UInt8]
    }

    private let url: LinkURL
    private var paths: [[UInt8]?] = [nil, nil, nil, nil]
    private var queries: [[UInt8]?] = [nil, nil, nil, nil]
    private var fragments: [[UInt8]?] = [nil, nil, nil, nil]
    private var items: [[Item]?] = [nil, nil, nil, nil]

    init(_ url: LinkURL) {
        self.url = url
    }

    /// The path, normalised.
    mutating func path(_ form: Form) -> [UInt8] {
        if let path = paths[form.index] { return path }
        let path = PathNormalization.normalized(Self.formed(url.bytes[url.pathRange], form)[...])
        paths[form.index] = path
        return path
    }

    /// The whole query; empty if absent.
    mutating func query(_ form: Form) -> [UInt8] {
        if let query = queries[form.index] { return query }
        let query = Self.formed(url.bytes[url.queryRange ?? 0..<0], form)
        queries[form.index] = query
        return query
    }

    /// The fragment; empty if absent.
    mutating func fragment(_ form: Form) -> [UInt8] {
        if let fragment = fragments[form.index] { return fragment }
        let fragment = Self.formed(url.bytes[url.fragmentRange ?? 0..<0], form)
        fragments[form.index] = fragment
        return fragment
    }

    /// The items of the query; names are never folded.
    mutating func items(_ form: Form) -> [Item] {
        if let items = items[form.index] { return items }
        var found: [Item] = []
        let pieces = url.bytes[url.queryRange ?? 0..<0].split(
            separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        for piece in pieces where !piece.isEmpty {
            let end = piece.firstIndex(of: UInt8(ascii: "=")) ?? piece.endIndex
            let name = Self.formed(piece[..<end], Form(decodes: form.decodes, folds: false))
            found.append(Item(name: name, value: Self.formed(piece[end...].dropFirst(), form)))
        }
        items[form.index] = found
        return found
    }

    private static func formed(_ bytes: ArraySlice<UInt8>, _ form: Form) -> [UInt8] {
        let decoded = form.decodes ? decoded(bytes) : Array(bytes)
        return form.folds ? CaseFolding.folded(decoded[...]) : decoded
    }

    /// The decoded bytes of a part; unchanged if they aren't UTF-8 after decoding.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        String(percentDecoding: bytes).map { Array($0.utf8) } ?? Array(bytes)
    }
}
