// The simple parameters of the API, a short form of the query language. Values are literal here: no
// quotes, no wildcards, and ranges for number fields only.

import Clocks

extension Condition {
    /// The parameters that `parameter(name:value:catalog:now:)` accepts, except `result.NAME`.
    package static let parameterNames = [
        "vendor", "contract", "inbox", "outcome", "verdict", "flow", "method", "host", "path",
        "trace", "received_after", "received_before",
    ]

    /// The condition of one simple parameter.
    ///
    /// `received_after` and `received_before` exclude the time itself. `result.NAME` takes a value,
    /// a value after `eq:`, `gt:`, `gte:`, `lt:` or `lte:`, or a range `a..b`.
    /// - Parameter now: the base of relative times such as `-15m`.
    /// - Throws: what is wrong with the value, with a position in `value`; for an unknown name,
    ///   with a position in `name`.
    package static func parameter(
        name: String, value: String, catalog: FieldCatalog, now: Timestamp
    ) throws(QueryError) -> Condition {
        let reader = QueryValueReader(catalog: catalog, now: now)
        let text = Array(value.utf8)
        if text.isEmpty { throw QueryError(at: 0, of: text, expected: "a value of \(name)") }
        do throws(QueryValueFault) {
            switch name {
            case "received_after": return try received(.greater, text, now: now)
            case "received_before": return try received(.less, text, now: now)
            default: break
            }
            if let field = QueryField(name: name, in: catalog) {
                if case .result = field { return try result(field, text, reader: reader) }
                if parameterNames.contains(name) {
                    return try reader.condition(field, nil, text, isLiteral: true)
                }
            }
        } catch {
            let offset = max(error.offset, 0)
            throw QueryError(
                at: offset, of: text, expected: error.expected,
                found: String(decoding: text[offset...], as: UTF8.self), hint: error.hint)
        }
        let known = parameterNames + catalog.names.map { QueryField.resultPrefix + $0 }
        throw QueryError(
            at: 0, of: name.utf8,
            expected: "a known parameter, or a result.NAME of GET /api/v1/fields", found: name,
            hint: Nearest.name(to: name, of: known))
    }

    private static func received(
        _ relation: Relation, _ text: [UInt8], now: Timestamp
    ) throws(QueryValueFault) -> Condition {
        guard let moment = QueryMoment(text, now: now), moment.first == moment.last else {
            throw QueryValueFault("a time such as 2026-11-20T10:00:00Z or -15m")
        }
        return .compare(.receivedAt, relation, .time(moment.first))
    }

    private static func result(
        _ field: QueryField, _ text: [UInt8], reader: QueryValueReader
    ) throws(QueryValueFault) -> Condition {
        let relations: [(prefix: String, relation: Relation)] = [
            ("eq:", .equal), ("gt:", .greater), ("gte:", .greaterOrEqual), ("lt:", .less),
            ("lte:", .lessOrEqual),
        ]
        guard let (prefix, relation) = relations.first(where: { text.starts(with: $0.prefix.utf8) })
        else {
            let isText =
                if case .result(let name) = field {
                    reader.catalog.kind(of: name) == .text
                } else {
                    false
                }
            return try reader.condition(field, nil, text, isLiteral: isText)
        }
        let size = prefix.utf8.count
        if text.count == size {
            throw QueryValueFault(at: size, "a value of \(field.name) after \(prefix)")
        }
        do throws(QueryValueFault) {
            return try reader.condition(
                field, relation, Array(text.dropFirst(size)), isLiteral: true)
        } catch {
            throw QueryValueFault(
                at: error.offset < 0 ? 0 : error.offset + size, error.expected, hint: error.hint)
        }
    }
}
