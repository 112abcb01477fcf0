// What `Redactor` looks for, and what it puts in the place of what it finds.
//
// Invariant: a replacement is a whole value, so that valid JSON stays valid.

/// The names of values that must be replaced.
struct Sought: Sendable {
    /// How a name is known.
    private enum Names: Sendable {
        /// By its parts: see `SecretName`.
        case credentials
        /// By all of it, in any letter case; where it `isLoose`, `_` and `-` don't matter.
        case listed([[UInt8]], isLoose: Bool)
    }

    private let names: Names

    /// What stands in the place of a value.
    ///
    /// Given are the index of its name, the value as it stands in the text, with its quotation
    /// marks, and whether it is JSON or else the escaped value of a pair.
    let replacement: @Sendable (_ name: Int, _ value: ArraySlice<UInt8>, _ isJSON: Bool) -> [UInt8]

    /// What stands in the place of credentials that are known by their look; nil leaves them alone.
    ///
    /// With it, what a URL says before its host is replaced, and so are values beside their names.
    let mark: [UInt8]?

    /// Creates a search for `names`, each of which gets a replacement of its own.
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

    /// Creates a search whose finds all become `mark`.
    private init(_ names: Names, mark: String, withLooks: Bool) {
        self.names = names
        self.mark = withLooks ? Array(mark.utf8) : nil
        let (plain, quoted) = (Array(mark.utf8), Array("\"\(mark)\"".utf8))
        replacement = { _, _, isJSON in isJSON ? quoted : plain }
    }

    /// What must never reach the disk.
    static let credentials = Sought(.credentials, mark: Redaction.mark, withLooks: true)

    /// What is stored, and shown only where one result is looked at: the fields of contracts that
    /// are credentials.
    static let shared = Sought(
        .listed(
            Set(
                Contract.allCases.flatMap(\.fields).filter { $0.fieldClass == .credential }
                    .compactMap(\.path.last)
            ).sorted().map { Array($0.lowercased().utf8) }, isLoose: false),
        mark: Redaction.hiddenMark, withLooks: false)

    /// Whether a value may stand in `range` of `text`; never wrong when it says no.
    func mayBe(in text: [UInt8], _ range: Range<Int>) -> Bool {
        switch names {
        case .credentials: Glance.mayHoldCredential(text.span, range)
        case .listed(_, isLoose: false): Glance.mayHoldShared(text.span, range)
        case .listed: true
        }
    }

    /// Which of the names `name` is, all of it unescaped; nil for none.
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

    /// Which of the names the pair `name` belongs to, as `password` or `user[password][0]`.
    func index(ofPair name: ArraySlice<UInt8>) -> Int? {
        let last = name.lastIndex(of: UInt8(ascii: ".")).map { name[($0 + 1)...] } ?? name
        if case .credentials = names, let index = index(of: last) { return index }
        let parts = last.split { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }
        return parts.last { $0.contains { $0 &- UInt8(ascii: "0") > 9 } }.flatMap { index(of: $0) }
    }

    /// A byte of a name as it is compared; nil for one that doesn't matter.
    private static func fold(_ byte: UInt8, isLoose: Bool) -> UInt8? {
        if isLoose, byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") { return nil }
        return byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }
}
