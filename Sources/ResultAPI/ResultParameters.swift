// The query parameters of all result lists: filters, `q`, `kind`, `sort` and `fields`.
//
// Invariant: a list holds callbacks only, unless `kind` or `q` asks for other kinds.

import Clocks
import Problems
import ResultStore

/// The filters, order and fields of a request.
struct ResultParameters {
    let query: ResultQuery
    let fields: FieldSelection?

    /// Parameters that don't change which results match.
    private static let others: Set = ["cursor", "limit", "fields", "after", "within", "count"]

    /// Takes the shared parameters; errors in them become findings.
    ///
    /// - Parameters:
    ///   - isOrdered: whether `sort` is allowed.
    ///   - kinds: the default if neither `kind` nor `q` gives them.
    ///   - fieldsRefusal: why `fields` isn't supported; nil if it is.
    init(
        _ parameters: inout QueryParameters, catalog: FieldCatalog, isOrdered: Bool,
        kinds: [RecordKind] = [.callback], fieldsRefusal: String? = nil
    ) {
        let asked = Self.condition(&parameters, catalog)
        let wanted = Self.kinds(&parameters) ?? (asked.filtersByKind ? RecordKind.allCases : kinds)
        let isAny = wanted.count == RecordKind.allCases.count
        var query = ResultQuery(isAny ? asked : .all([asked, .kinds(wanted)]))
        if isOrdered, let (key, isDescending) = Self.order(&parameters, catalog) {
            query.key = key
            query.isDescending = isDescending
        }
        query.source = parameters.source(without: Self.others)
        self.query = query
        if let fieldsRefusal {
            parameters.refuse("fields", fieldsRefusal)
            fields = nil
        } else {
            fields = parameters.take(
                "fields", expected: "names with commas between them, of \(FieldSelection.names)"
            ) { FieldSelection($0) }
        }
    }

    /// The kinds that `kind` names; nil if it is missing.
    static func kinds(_ parameters: inout QueryParameters) -> [RecordKind]? {
        let names = RecordKind.allCases.map(\.rawValue)
        let expected = "any, or names with commas between them, of \(names.joined(separator: ", "))"
        return parameters.take("kind", expected: expected) { text in
            if text == "any" { return RecordKind.allCases }
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            let kinds = parts.compactMap { RecordKind(rawValue: String($0)) }
            return kinds.count == parts.count ? RecordKind.allCases.filter(kinds.contains) : nil
        }
    }

    /// The conjunction of `q` and the simple parameters.
    private static func condition(
        _ parameters: inout QueryParameters, _ catalog: FieldCatalog
    ) -> Condition {
        let now = Timestamp.now
        var conditions: [Condition] = []
        let results = parameters.names(beginningWith: "result.", known: "result.NAME")
        let names = Condition.parameterNames + results
        for name in names + ["q"] {
            guard var value = parameters.take(name, expected: "", { $0 }) else { continue }
            // A valid time holds no space; a space is the unescaped plus of an offset such as
            // +02:00.
            if name.hasPrefix("received_") { value = value.replacing(" ", with: "+") }
            do throws(QueryError) {
                conditions.append(
                    name == "q"
                        ? try QueryParser.parse(value, catalog: catalog, now: now)
                        : try .parameter(name: name, value: value, catalog: catalog, now: now))
            } catch {
                parameters.add(name, error.description, at: error.character)
            }
        }
        return conditions.count == 1 ? conditions[0] : .all(conditions)
    }

    private static func order(
        _ parameters: inout QueryParameters, _ catalog: FieldCatalog
    ) -> (ResultQuery.Key, isDescending: Bool)? {
        // Sorting would reveal values that lists hide, and the cursor would hold one.
        let declared = catalog.names.filter { name in
            !catalog.fields.contains { $0.name == name && $0.isHidden }
        }
        let names = ["received_at", "seq"] + declared.map { "result.\($0)" }
        let expected =
            "received_at, seq or a declared result.NAME that lists show, with a hyphen before it "
            + "for descending; GET /api/v1/fields lists them"
        return parameters.take("sort", expected: expected) { text in
            let isDescending = text.hasPrefix("-")
            let name = isDescending ? String(text.dropFirst()) : text
            guard names.contains(name) else { return nil }
            let key: ResultQuery.Key =
                switch name {
                case "received_at": .receivedAt
                case "seq": .seq
                default: .result(String(name.dropFirst("result.".count)))
                }
            return (key, isDescending)
        }
    }
}
