// Maps declared fields to columns of the index. Vendors that declare the same name share a column.

/// The columns for declared fields.
struct IndexColumns: Sendable {
    /// Column names by field name: `f0`, `f1`, ….
    let names: [String: String]
    /// The columns that have an index.
    let indexed: Set<String>
    /// The column of each field in the catalog.
    let columnOfField: [Int]
    /// The vendor of each field in the catalog.
    let vendorOfField: [String]
    /// Number of columns.
    let count: Int

    init(_ catalog: FieldCatalog) {
        var names: [String: String] = [:]
        var indexed: Set<String> = []
        var columnOfField: [Int] = []
        var columns: [String: Int] = [:]
        for field in catalog.fields {
            let column = columns[field.name] ?? columns.count
            columns[field.name] = column
            names[field.name] = "f\(column)"
            if field.isIndexed { indexed.insert("f\(column)") }
            columnOfField.append(column)
        }
        self.names = names
        self.indexed = indexed
        self.columnOfField = columnOfField
        vendorOfField = catalog.fields.map(\.vendor)
        count = columns.count
    }
}
