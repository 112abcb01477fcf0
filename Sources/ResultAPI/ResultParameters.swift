// The query parameters that all lists of results share: filters, `q`, `kind`, `sort` and `fields`.
//
// Invariant: a list holds callbacks and nothing else, unless `kind` or `q` asks for other kinds.

import Clocks
import Problems
import ResultStore

/// Which results a request asks for, and how it wants them.
package struct ResultParameters {
    package let query: ResultQuery
    package let fields: FieldSelection?

    /// What doesn't change which results are asked for.
    private static let others: Set = ["cursor", "limit", "fields", "after", "within", "count"]

    /// Takes the shared parameters; what is wrong with them becomes findings.
    ///
    /// - Parameters:
    ///   - isOrdered: whether `sort` may be given.
    ///   - kinds: what is asked for where neither `kind` nor `q` says it.
    package init(
        _ parameters: inout QueryParameters, catalog: FieldCatalog, isOrdered: Bool,
        kinds: [RecordKind] = [.callback]
    ) {
        let asked = Self.condition(&parameters, catalog)
        let wanted = Self.kinds(&parameters) ?? (asked.asksForKind ? RecordKind.allCases : kinds)
        let isAny = wanted.count == RecordKind.allCases.count
        var query = ResultQuery(isAny ? asked : .all([asked, .kinds(wanted)]))
        if isOrdered, let (key, isDescending) = Self.order(&parameters, catalog) {
            query.key = key
            query.isDescending = isDescending
        }
        query.source = parameters.source(without: Self.others)
        self.query = query
        fields = parameters.take(
            "fields", expected: "names with commas between them, of \(FieldSelection.names)"
        ) { FieldSelection($0) }
    }

    /// The kinds that `kind` names; nil without it.
    package static func kinds(_ parameters: inout QueryParameters) -> [RecordKind]? {
        let names = RecordKind.allCases.map(\.rawValue)
        let expected = "any, or names with commas between them, of \(names.joined(separator: ", "))"
        return parameters.take("kind", expected: expected) { text in
            if text == "any" { return RecordKind.allCases }
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            let kinds = Set(parts.compactMap { RecordKind(rawValue: String($0)) })
            return kinds.count == parts.count ? RecordKind.allCases.filter(kinds.contains) : nil
        }
    }

    /// The conditions of `q` and of the simple parameters, which must all hold.
    private static func condition(
        _ parameters: inout QueryParameters, _ catalog: FieldCatalog
    ) -> Condition {
        let now = Timestamp.now
        var conditions: [Condition] = []
        let names = Condition.parameterNames + parameters.names(beginningWith: "result.")
        for name in names + ["q"] {
            guard var value = parameters.take(name, expected: "", { $0 }) else { continue }
            if name == "inbox", !Inbox.isValid(value) {
                parameters.add(name, "Expected \(Inbox.rule).")
                continue
            }
            // No time holds a space, but an offset such as +02:00 a plus that was not escaped.
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
        // The order would tell of values that lists don't show, and the cursor would hold one.
        let declared = catalog.names.filter { name in
            !catalog.fields.contains { $0.name == name && $0.isHidden }
        }
        let names = ["received_at", "seq"] + declared.map { "result.\($0)" }
        let expected =
            "received_at, seq or a declared result.NAME, with a hyphen before it for descending"
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
