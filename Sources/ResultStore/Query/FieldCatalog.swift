// The members of results that queries may name, as the vendors declare them.
// Invariant: fields of one name are of one kind. Data only: the store knows no vendor, and what a
// value is taken from is for whoever makes `RecordFacts`.

/// What queries may name, and the values that they may ask for.
package struct FieldCatalog: Sendable, Hashable {
    /// What a field's values are.
    package enum Kind: String, Sendable {
        case number
        case text
        case flag
    }

    /// One vendor's member of `result`.
    package struct Field: Sendable, Hashable {
        package var vendor: String
        /// What is asked for as `result.name`: small letters, digits, `_` and dots.
        ///
        /// Several vendors may declare one name, then of one kind.
        package var name: String
        /// Members from the root of `result`, or elements from 0; the first path that exists counts.
        package var paths: [[String]]
        package var kind: Kind
        /// Whether few records among many are found by it, or ordered by it, without looking at the
        /// others; that costs every record a little when it is stored.
        package var isIndexed: Bool
        /// Whether its values may be asked for, but are not told where nobody has asked for one
        /// result.
        package var isHidden: Bool

        /// Makes a declaration of its parts.
        package init(
            vendor: String, name: String, paths: [[String]], kind: Kind, isIndexed: Bool = true,
            isHidden: Bool = false
        ) {
            self.vendor = vendor
            self.name = name
            self.paths = paths
            self.kind = kind
            self.isIndexed = isIndexed
            self.isHidden = isHidden
        }
    }

    /// A place in one vendor's `result` whose text is searched.
    package struct WordPath: Sendable, Hashable {
        package var vendor: String
        /// Members from the root of `result`; `*` is every element or member.
        package var path: [String]

        /// Makes a declaration of its parts.
        package init(vendor: String, path: [String]) {
            self.vendor = vendor
            self.path = path
        }
    }

    package var fields: [Field] { didSet { group() } }
    package var words: [WordPath] { didSet { group() } }
    /// The vendors that a query may ask for, and so on for the other three.
    package var vendors: [String]
    /// Further names of vendors, each with the one that records have.
    package var vendorAliases: [String: String] = [:]
    package var contracts: [String]
    package var outcomes: [String]
    package var verdicts: [String]

    /// The indices of a vendor's fields, and its paths of words: records are of one vendor each.
    private(set) var fieldsByVendor: [String: [Int]] = [:]
    private(set) var wordsByVendor: [String: [WordPath]] = [:]

    /// Makes a catalog of its parts.
    package init(
        fields: [Field], words: [WordPath], vendors: [String], contracts: [String],
        outcomes: [String], verdicts: [String]
    ) {
        self.fields = fields
        self.words = words
        self.vendors = vendors
        self.contracts = contracts
        self.outcomes = outcomes
        self.verdicts = verdicts
        group()
    }

    private mutating func group() {
        fieldsByVendor = Dictionary(grouping: fields.indices) { fields[$0].vendor }
        wordsByVendor = Dictionary(grouping: words, by: \.vendor)
    }
}

extension FieldCatalog {
    /// What the values of a declared name are; nil when no vendor declares it.
    ///
    /// O(fields).
    package func kind(of name: String) -> Kind? {
        fields.first { $0.name == name }?.kind
    }

    /// Whether a vendor declares a name.
    ///
    /// O(fields).
    package func declares(_ name: String, for vendor: String) -> Bool {
        fields.contains { $0.name == name && $0.vendor == vendor }
    }

    /// The declared names, each once, in the order of their first declaration.
    ///
    /// O(fields).
    package var names: [String] {
        var seen: Set<String> = []
        return fields.map(\.name).filter { seen.insert($0).inserted }
    }
}
