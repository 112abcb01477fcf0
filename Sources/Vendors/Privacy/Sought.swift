// What `Redactor` looks for, and what it puts in the place of what it finds.
//
// Invariant: a replacement is a whole value, so that valid JSON stays valid. Names are compared as
// `CredentialName` packs them: letter case, `_` and `-` don't matter.

/// The names of values that must be replaced.
struct Sought: Sendable {
    /// The names; of one that is longer than 16 bytes, its end counts.
    let names: [CredentialName]

    /// What stands in the place of a value.
    ///
    /// Given are the index of its name, the value as it stands in the text, with its quotation
    /// marks, and whether it is JSON or else the escaped value of a pair.
    let replacement: @Sendable (_ name: Int, _ value: ArraySlice<UInt8>, _ isJSON: Bool) -> [UInt8]

    /// What stands in the place of what a URL says before its host; nil leaves that alone.
    let userInformation: [UInt8]?

    /// Whether a text without any of the names is known at a glance: see `CredentialName.ends`.
    private let isGlanceable: Bool

    /// Creates a search for `names`, each of which gets a replacement of its own.
    init(
        _ names: [String],
        replacement: @escaping @Sendable (Int, ArraySlice<UInt8>, Bool) -> [UInt8]
    ) {
        self.names = names.map { CredentialName($0) }
        self.replacement = replacement
        userInformation = nil
        isGlanceable = false
    }

    /// Creates a search for `names`, whose values all become `mark`.
    private init(_ names: [CredentialName], mark: String, inURLs: Bool = false) {
        self.names = names
        userInformation = inURLs ? Array(mark.utf8) : nil
        let (plain, quoted) = (Array(mark.utf8), Array("\"\(mark)\"".utf8))
        replacement = { _, _, isJSON in isJSON ? quoted : plain }
        isGlanceable = true
    }

    /// What must never reach the disk.
    static let credentials = Sought(
        CredentialName.credentials, mark: Redaction.mark, inURLs: true)

    /// What is stored, and shown only where one result is looked at: the fields of contracts that
    /// are credentials.
    static let shared = Sought(
        Set(
            Contract.allCases.flatMap(\.fields).filter { $0.fieldClass == .credential }
                .compactMap(\.path.last)
        ).sorted().map { CredentialName($0) },
        mark: Redaction.hiddenMark)

    /// Whether a value may stand in `range` of `text`; never wrong when it says no.
    func mayBe(in text: [UInt8], _ range: Range<Int>) -> Bool {
        !isGlanceable || Redaction.mayHold(names, text, range)
    }
}
