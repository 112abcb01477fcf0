// The targets of a `Redactor` and their replacements.
//
// Invariant: a replacement is a whole value, so that valid JSON stays valid.

/// The names of values that must be replaced.
struct Sought: Sendable {
    /// How names are matched.
    private enum Names: Sendable {
        /// By parts: see `SecretName`.
        case credentials
        /// As a whole, in any letter case; if it `isLoose`, `_` and `-` are ignored.
        case listed([[UInt8]], isLoose: Bool)
    }

    private let names: Names

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
        self.names = .listed(
            names.map { name in Array(name.utf8.compactMap { Self.fold($0, isLoose: true) }) },
            isLoose: true)
        self.replacement = replacement
        mark = nil
    }

    /// Creates a search that replaces every match with `mark`.
    private init(_ names: Names, mark: String, withLooks: Bool) {
        self.names = names
        self.mark = withLooks ? Array(mark.utf8) : nil
        let (plain, quoted) = (Array(mark.utf8), Array("\"\(mark)\"".utf8))
        replacement = { _, _, isJSON in isJSON ? quoted : plain }
    }

    /// Values that must never be stored.
    static let credentials = Sought(.credentials, mark: Redaction.mark, withLooks: true)

    /// Values that are stored but shown only in the view of one result: the contracts' fields that
    /// are credentials.
    static let shared = Sought(
        .listed(
            Set(
                Contract.allCases.flatMap(\.fields).filter { $0.fieldClass == .credential }
                    .compactMap(\.path.last)
            ).sorted().map { Array($0.lowercased().utf8) }, isLoose: false),
        mark: Redaction.hiddenMark, withLooks: false)

    /// Whether `range` of `text` may contain a match; false is always correct.
    func mayBe(in text: [UInt8], _ range: Range<Int>) -> Bool {
        switch names {
        case .credentials: Glance.mayHoldCredential(text.span, range)
        case .listed(_, isLoose: false): Glance.mayHoldShared(text.span, range)
        case .listed: true
        }
    }

    /// The index of the decoded `name`; nil if it doesn't match.
    func index(of name: ArraySlice<UInt8>) -> Int? {
        guard case .listed(let listed, let isLoose) = names else {
            return SecretName.isSecret(name) ? 0 : nil
        }
        return listed.firstIndex { wanted in
            var (index, rest) = (0, name)
            while let byte = rest.popFirst() {
                guard let folded = Self.fold(byte, isLoose: isLoose) else { continue }
                guard index < wanted.count, wanted[index] == folded else { return false }
                index += 1
            }
            return index == wanted.count
        }
    }

    /// The index that the pair `name` matches, as `password` or `user[password][0]`.
    func index(ofPair name: ArraySlice<UInt8>) -> Int? {
        let last = name.lastIndex(of: UInt8(ascii: ".")).map { name[($0 + 1)...] } ?? name
        if case .credentials = names, let index = index(of: last) { return index }
        let parts = last.split { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }
        return parts.last { $0.contains { $0 &- UInt8(ascii: "0") > 9 } }.flatMap { index(of: $0) }
    }

    /// A byte of a name, folded for comparison; nil if it is ignored.
    private static func fold(_ byte: UInt8, isLoose: Bool) -> UInt8? {
        if isLoose, byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") { return nil }
        return byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }
}
