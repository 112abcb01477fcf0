// The names of fields in queries.

extension QueryField {
    /// Finds a field by its full name; nil if neither the store nor the catalog has it.
    ///
    /// Paths may capture parameters of any name.
    ///
    /// O(fields).
    package init?(name: String, in catalog: FieldCatalog) {
        if let own = Self.own.first(where: { $0.name == name }) {
            self = own
        } else if name.hasPrefix(Self.parameterPrefix), name != Self.parameterPrefix {
            self = .parameter(String(name.dropFirst(Self.parameterPrefix.count)))
        } else if name.hasPrefix(Self.resultPrefix),
            catalog.kind(of: String(name.dropFirst(Self.resultPrefix.count))) != nil
        {
            self = .result(String(name.dropFirst(Self.resultPrefix.count)))
        } else {
            return nil
        }
    }

    /// The known name nearest to a misspelled one; adds a missing `result.`.
    static func nearest(to name: String, in catalog: FieldCatalog, mayBeHas: Bool) -> String? {
        let declared = catalog.names
        let known =
            own.map(\.name) + (mayBeHas ? ["has"] : []) + declared.map { resultPrefix + $0 }
        if declared.contains(name) { return resultPrefix + name }
        return Nearest.name(to: name, of: known)
            ?? Nearest.name(to: name, of: declared).map { resultPrefix + $0 }
    }
}
