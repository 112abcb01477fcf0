// Which column of the index holds which declared field. Vendors that declare the same name share a
// column.

/// The columns for declared fields.
struct IndexColumns: Sendable {
    /// By name: `f0`, `f1`, ….
    let names: [String: String]
    /// The catalog's fields by column: of all vendors that declare it.
    let fieldsByColumn: [[Int]]

    init(_ catalog: FieldCatalog) {
        var names: [String: String] = [:]
        var fields: [[Int]] = []
        var columns: [String: Int] = [:]
        for (index, field) in catalog.fields.enumerated() {
            if let column = columns[field.name] {
                fields[column].append(index)
            } else {
                columns[field.name] = fields.count
                names[field.name] = "f\(fields.count)"
                fields.append([index])
            }
        }
        self.names = names
        fieldsByColumn = fields
    }

    /// A record's value for a column; nil where it has none.
    func value(_ column: Int, of facts: RecordFacts) -> FieldValue? {
        for index in fieldsByColumn[column] {
            if let value = facts.fields[index] { return value }
        }
        return nil
    }
}
