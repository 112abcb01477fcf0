// The members of results that queries may name, as the vendors declare them.
// Invariant: fields of one name are of one kind. Data only: the store knows no vendor, and the code
// that makes `RecordFacts` decides where a value comes from.

/// The names that queries may use, and the values that they may ask for.
package struct FieldCatalog: Sendable, Hashable {
    /// The type of a field's values.
    package enum Kind: String, Sendable {
        case number
        case text
        case flag
    }

    /// A member of one vendor's `result`.
    package struct Field: Sendable, Hashable {
        package var vendor: String
        /// The name in queries, as in `result.name`: letters, digits, `_` and dots.
        ///
        /// Several vendors may declare one name, if they declare the same kind.
        package var name: String
        /// Member names or array indices (from 0) from the root of `result`; the first path that
        /// exists is used.
        package var paths: [[String]]
        package var kind: Kind
        /// Whether the index can find and order records by this field without reading the others.
        ///
        /// This costs every record a little when it is stored.
        package var isIndexed: Bool
        /// Whether its values can be queried, but are shown only when a single result is requested.
        package var isHidden: Bool

        /// Makes a declaration.
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

    /// A path in one vendor's `result` whose text is searched.
    package struct WordPath: Sendable, Hashable {
        var vendor: String
        /// Member names from the root of `result`; `*` matches every element or member.
        var path: [String]

        /// Makes a declaration.
        package init(vendor: String, path: [String]) {
            self.vendor = vendor
            self.path = path
        }
    }

    package var fields: [Field] { didSet { group() } }
    package var words: [WordPath] { didSet { group() } }
    /// The values of `vendor` that a query may name; `contracts`, `outcomes` and `verdicts` are the
    /// same for their fields.
    package var vendors: [String]
    /// Aliases of vendors, each with the name that records have.
    package var vendorAliases: [String: String] = [:]
    package var contracts: [String]
    package var outcomes: [String]
    package var verdicts: [String]

    /// What is declared for each vendor; a record has one vendor.
    private(set) var plans: [String: FieldPlan] = [:]

    /// Makes a catalog.
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
        plans = [:]
        for vendor in fields.map(\.vendor) + words.map(\.vendor) where plans[vendor] == nil {
            plans[vendor] = FieldPlan(vendor, fields: fields, words: words)
        }
    }
}

extension FieldCatalog {
    package static func == (left: Self, right: Self) -> Bool {
        left.fields == right.fields && left.words == right.words
            && left.vendors == right.vendors && left.vendorAliases == right.vendorAliases
            && left.contracts == right.contracts && left.outcomes == right.outcomes
            && left.verdicts == right.verdicts
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(fields)
        hasher.combine(words)
    }

    /// The type of a declared name's values; nil if no vendor declares it.
    ///
    /// O(fields).
    package func kind(of name: String) -> Kind? {
        fields.first { $0.name == name }?.kind
    }

    /// Whether a vendor declares a name.
    ///
    /// O(fields).
    func declares(_ name: String, for vendor: String) -> Bool {
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
