// The fields that queries may name: the vendors' declarations in the store's form.

import ResultStore
import Vendors

extension FieldCatalog {
    /// The catalog of all vendors.
    package static let all: FieldCatalog = {
        var catalog = declared
        catalog.vendorAliases = Vendor.aliases.mapValues(\.rawValue)
        return catalog
    }()

    private static let declared = FieldCatalog(
        fields: Vendor.allCases.flatMap { vendor in
            vendor.declaration.resultFields.map { field in
                Field(
                    vendor: vendor.rawValue, name: field.name, paths: field.paths,
                    kind: Kind(field.kind), isIndexed: field.isKey,
                    isHidden: Redaction.isShared(field.name))
            }
        },
        words: Vendor.allCases.flatMap { vendor in
            vendor.declaration.searchedPaths.map { WordPath(vendor: vendor.rawValue, path: $0) }
        },
        vendors: Vendor.allCases.map(\.rawValue), contracts: Contract.allCases.map(\.rawValue),
        outcomes: Outcome.allCases.map(\.rawValue), verdicts: Verdict.allCases.map(\.rawValue))
}

extension FieldCatalog.Kind {
    init(_ kind: ResultField.Kind) {
        switch kind {
        case .number: self = .number
        case .text: self = .text
        case .flag: self = .flag
        }
    }
}
