// An export as bytes, part by part. Lines are a backup, and hold all that is stored; the other formats
// are for people and programs elsewhere, and hide what opens something.

import ResultStore

/// The parts of an export in one format.
struct ExportParts: AsyncSequence, Sendable {
    private let export: ResultExport
    private let format: ExportFormat
    private let catalog: FieldCatalog
    private let onDamage: @Sendable ([StoreError]) -> Void

    /// - Parameter onDamage: hears of what can't be exported.
    init(
        _ export: ResultExport, as format: ExportFormat, catalog: FieldCatalog,
        onDamage: @escaping @Sendable ([StoreError]) -> Void
    ) {
        self.export = export
        self.format = format
        self.catalog = catalog
        self.onDamage = onDamage
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(parts: self, pages: export.makeAsyncIterator())
    }

    struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        private let parts: ExportParts
        private var pages: ResultExport.AsyncIterator
        private let csv: CSVExport
        private let har = HARExport(version: Landfall.version)
        private var hasBegun = false
        private var hasEnded = false
        private var isFirst = true

        fileprivate init(parts: ExportParts, pages: ResultExport.AsyncIterator) {
            self.parts = parts
            self.pages = pages
            csv = CSVExport(fields: parts.catalog.fields)
        }

        mutating func next() async throws -> [UInt8]? {
            if hasEnded { return nil }
            var part: [UInt8] = []
            if !hasBegun {
                hasBegun = true
                part = opening
            }
            guard let page = try await pages.next() else {
                hasEnded = true
                return part + (parts.format == .har ? har.suffix : [])
            }
            parts.onDamage(page.damage)
            part.reserveCapacity(page.lines.reduce(part.count) { $0 + $1.size + 1 })
            for line in page.lines { append(line, to: &part) }
            return part
        }

        private var opening: [UInt8] {
            switch parts.format {
            case .ndjson: []
            case .csv: csv.header
            case .har: har.prefix
            }
        }

        private mutating func append(_ line: StoredLine, to part: inout [UInt8]) {
            switch parts.format {
            case .ndjson:
                part += line.stored
                part.append(UInt8(ascii: "\n"))
            case .csv:
                guard let row = csv.row(of: ListedRecord.text(of: line.text)) else {
                    return parts.onDamage([.unreadable])
                }
                part += row
            case .har:
                guard let entry = har.entry(of: ListedRecord.text(of: line.text), isFirst: isFirst)
                else {
                    return parts.onDamage([.unreadable])
                }
                isFirst = false
                part += entry
            }
        }
    }
}
