// Values that many records share: kind, vendor, contract, outcome, verdict and method. A query is
// decided first for each combination, and only then for records.

import ResultStore

/// A facet with its number and the number of its records.
struct KnownFacet: Sendable {
    let id: Int64
    let values: ResultCount

    /// Reads all facets with records.
    static let statement = Statement(
        sql: """
            SELECT id, kind, vendor, contract, outcome, verdict, method, count FROM facets
            WHERE count > 0
            """, isKept: true)

    init(_ row: Reply.Row) {
        id = row.integer(0) ?? 0
        values = ResultCount(
            kind: RecordKind(number: row.int(1)) ?? .callback, vendor: row.text(2) ?? "",
            contract: row.text(3), outcome: row.text(4), verdict: row.text(5) ?? "",
            method: row.text(6) ?? "", count: row.int(7))
    }
}

/// Facets whose records may match, with the condition that remains to be checked.
struct FacetGroup {
    let residual: Condition
    var facets: [KnownFacet]
    var count: Int { facets.reduce(0) { $0 + $1.values.count } }

    /// The facets that may match, by what remains.
    static func groups(_ facets: [KnownFacet], _ matcher: Matcher) -> [FacetGroup] {
        var groups: [FacetGroup] = []
        for facet in facets {
            let values = facet.values
            let residual = matcher.simplified(
                kind: values.kind, vendor: values.vendor, contract: values.contract,
                outcome: values.outcome, verdict: values.verdict, method: values.method)
            if residual == .nothing { continue }
            if let index = groups.firstIndex(where: { $0.residual == residual }) {
                groups[index].facets.append(facet)
            } else {
                groups.append(FacetGroup(residual: residual, facets: [facet]))
            }
        }
        return groups
    }

    /// Whether a record is of these facets, as SQL.
    var membership: String {
        "facet IN (\(facets.map { "\($0.id)" }.joined(separator: ",")))"
    }
}
