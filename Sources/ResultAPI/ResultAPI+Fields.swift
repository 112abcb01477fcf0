// `GET /api/v1/fields`: what queries may name, for suggestions while somebody types one.
//
// Invariant: the list is made of the catalog that parses queries, so that what it offers is valid.

import HTTP1
import JSON
import Problems
import ResultStore
import Vendors

extension ResultAPI {
    /// `GET /api/v1/fields`: the fields of queries, by name.
    func listFields(_ query: Query) throws(Problem) -> Response {
        try query.parameters.requireNone()
        let catalog = store.catalog
        let fields =
            QueryField.own + [.parameter("NAME")]
            + catalog.names.compactMap { QueryField(name: "result.\($0)", in: catalog) }
        var json = JSONWriter(reservingCapacity: 8192)
        json.object { json in
            json.array("fields") { json in
                for field in fields.sorted(by: { $0.name < $1.name }) {
                    Self.write(field, catalog, to: &json)
                }
            }
        }
        return try Self.named(Self.json(json.bytes), for: query)
    }

    private static func write(
        _ field: QueryField, _ catalog: FieldCatalog, to json: inout JSONWriter
    ) {
        let type = field.type(in: catalog)
        var declared: [ResultField] = []
        var vendors: [Vendor] = []
        if case .result(let name) = field {
            for vendor in Vendor.allCases {
                for known in vendor.declaration.resultFields where known.name == name {
                    declared.append(known)
                    vendors.append(vendor)
                }
            }
        }
        let wire = zip(vendors, declared).flatMap { $0.wireFields(of: $1) }
        let values = field.choices(in: catalog) ?? distinct(wire.flatMap(\.values))
        json.object { json in
            json.member("name", field.name)
            json.member("type", type.rawValue)
            json.key("operators")
            let ordered = ["gt", "gte", "lt", "lte", "range"]
            write(["eq"] + (type.isOrdered ? ordered : []) + ["has"], to: &json)
            json.key("values")
            if values.isEmpty { json.null() } else { write(values, to: &json) }
            json.key("vendors")
            write(vendors.map(\.rawValue), to: &json)
            json.member(
                "description",
                field.explanation ?? description(of: field, vendors, wire, catalog))
        }
    }

    /// The sentence about a declared field: type, bounds and vendors.
    private static func description(
        of field: QueryField, _ vendors: [Vendor], _ wire: [ContractField],
        _ catalog: FieldCatalog
    ) -> String {
        let titles = vendors.map(\.declaration.title).joined(separator: " and ")
        let bounds = wire.lazy.compactMap(\.range).first.map {
            " from \(Int($0.lowerBound)) to \(Int($0.upperBound))"
        }
        let kind =
            switch field.type(in: catalog) {
            case .number, .integer: "A number"
            case .text, .time: "A text"
            case .flag: "True or false,"
            }
        let isHidden = catalog.fields.contains { "result.\($0.name)" == field.name && $0.isHidden }
        return "\(kind)\(bounds ?? "") in the results of \(titles)."
            + (isHidden ? " Lists hide its value." : "")
    }

    private static func distinct(_ values: [String]) -> [String] {
        var seen: Set<String> = []
        return values.filter { seen.insert($0).inserted }
    }

    private static func write(_ texts: [String], to json: inout JSONWriter) {
        json.array { json in for text in texts { json.value(text) } }
    }
}

extension Vendor {
    /// The fields on the wire that a field of queries is read from.
    fileprivate func wireFields(of field: ResultField) -> [ContractField] {
        Contract.allCases.filter { $0.vendor == self }.flatMap(\.fields).filter { wire in
            field.paths.contains { wire.path.suffix($0.count).elementsEqual($0) }
        }
    }
}
