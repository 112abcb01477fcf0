// The parts of one URL in the forms in which rules compare them, each made when it is first needed:
// one decision may ask two hundred rules.

import Text

/// The parts of a URL, as rules compare them.
struct LinkTexts {
    /// How a rule wants them.
    struct Form: Sendable, Hashable {
        /// Whether percent-encoded bytes are decoded: `percentEncoded: false`.
        let decodes: Bool
        /// Whether letters that differ in case are equal: `caseSensitive: false`.
        let folds: Bool

        var index: Int { (decodes ? 2 : 0) + (folds ? 1 : 0) }
    }

    /// One `name=value` of the query.
    struct Item {
        let name: [UInt8]
        /// What stands behind the first `=`; empty when there is none.
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

    /// The whole query; empty when there is none.
    mutating func query(_ form: Form) -> [UInt8] {
        if let query = queries[form.index] { return query }
        let query = Self.formed(url.bytes[url.queryRange ?? 0..<0], form)
        queries[form.index] = query
        return query
    }

    /// The fragment; empty when there is none.
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

    /// The bytes that a part stands for; itself, when it can't be decoded to UTF-8.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        String(percentDecoding: bytes).map { Array($0.utf8) } ?? Array(bytes)
    }
}
