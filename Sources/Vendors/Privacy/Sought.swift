// The targets of a `Redactor` and their replacements.
//
// Invariant: a replacement is a whole value, so that valid JSON stays valid.

import Text

/// The names of values that must be replaced; a class, because each part of each request asks for
/// one, and a copy counts references that all event loops share.
final class Sought: Sendable {
    /// How names are matched.
    private enum Names: Sendable {
        /// By parts: see `SecretName`.
        case credentials
        /// As a whole, in any letter case and without `_` and `-`.
        case listed([[UInt8]])
    }

    private let names: Names

    /// Finds nothing in texts without a match; nil if there is no cheap check.
    private let glance: Glance?

    /// Makes the replacement of a value.
    ///
    /// Its arguments are the index of the name, the value as written, including quotation marks,
    /// and whether it is JSON rather than the escaped value of a pair.
    let replacement: @Sendable (_ name: Int, _ value: ArraySlice<UInt8>, _ isJSON: Bool) -> [UInt8]

    /// Replaces credentials that are recognised by their look; nil leaves them alone.
    ///
    /// If set, userinfo in URLs and values next to their names are replaced too.
    let mark: [UInt8]?

    /// Creates a search for `names`, each with its own replacement.
    init(
        _ names: [String],
        replacement: @escaping @Sendable (Int, ArraySlice<UInt8>, Bool) -> [UInt8]
    ) {
        self.names = .listed(names.map { Self.folded($0.utf8) })
        glance = nil
        self.replacement = replacement
        mark = nil
    }

    /// Creates a search that replaces every match with `mark`.
    private init(_ names: Names, _ glance: Glance, mark: String, withLooks: Bool) {
        self.names = names
        self.glance = glance
        self.mark = withLooks ? Array(mark.utf8) : nil
        let (plain, quoted) = (Array(mark.utf8), Array("\"\(mark)\"".utf8))
        replacement = { _, _, isJSON in isJSON ? quoted : plain }
    }

    /// Values that must never be stored.
    static let credentials = Sought(
        .credentials, .credentials, mark: Redaction.mark, withLooks: true)

    /// Values that are stored but shown only in the view of one result: the contracts' fields that
    /// are credentials.
    static let shared = {
        let fields = Contract.allCases.flatMap(\.fields).filter { $0.fieldClass == .credential }
        let names = Set(fields.compactMap { $0.path.last?.lowercased() }).sorted()
        return Sought(
            .listed(names.map { folded($0.utf8) }), Glance(words: names),
            mark: Redaction.hiddenMark, withLooks: false)
    }()

    /// Whether `range` of `text` may contain a match; false is always correct.
    func mayBe(in text: [UInt8], _ range: Range<Int>) -> Bool {
        glance?.mayMatch(text.span, range) ?? true
    }

    /// The index of the decoded `name` as a whole; nil if it doesn't match.
    private func index(of name: ArraySlice<UInt8>) -> Int? {
        switch names {
        case .credentials: SecretName.isSecret(name) ? 0 : nil
        case .listed(let listed): listed.firstIndex(of: Self.folded(name))
        }
    }

    /// The index that a decoded name matches: as `password`, `connect.sid` or
    /// `user[password][0]`.
    ///
    /// - Parameter mayBeHost: whether the name may be a host before its port, whose last part alone
    ///   is looked at.
    func index(ofName name: ArraySlice<UInt8>, mayBeHost: Bool = false) -> Int? {
        var name = name.drop { $0 == 0x20 }
        while name.last == 0x20 { name.removeLast() }
        if case .credentials = names, !mayBeHost, let index = index(of: name) { return index }
        let last = name.lastIndex(of: UInt8(ascii: ".")).map { name[($0 + 1)...] } ?? name
        if let index = index(of: last) { return index }
        let parts = last.split { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }
        let part = parts.last { !$0.allSatisfy(\.isDigit) }
        return part == last ? nil : part.flatMap { index(of: $0) }
    }

    private static func folded(_ name: some Sequence<UInt8>) -> [UInt8] {
        name.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }.map(\.lowercased)
    }
}
