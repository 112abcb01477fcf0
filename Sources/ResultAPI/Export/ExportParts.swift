// An export as bytes, part by part. NDJSON is a backup and holds everything stored; the other
// formats are for people and other programs and hide credentials.
//
// Invariant: a damaged record is left out and counted; the others are complete.

import Clocks
import ResultStore
import Synchronization

/// The parts of an export in one format.
struct ExportParts: AsyncSequence, Sendable {
    private let api: ResultAPI
    private let export: ResultExport
    private let format: ExportFormat
    private let losses = Losses()

    /// Number of damaged records that the parts so far left out.
    var leftOut: Int { losses.count }

    init(_ api: ResultAPI, _ export: ResultExport, as format: ExportFormat) {
        self.api = api
        self.export = export
        self.format = format
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(parts: self, pages: export.makeAsyncIterator())
    }

    struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        private let parts: ExportParts
        private var pages: ResultExport.AsyncIterator
        private var page: PageLines?
        private let csv: CSVExport
        private let har: HARExport
        private var hasBegun = false
        private var hasEnded = false
        private var isFirst = true

        fileprivate init(parts: ExportParts, pages: ResultExport.AsyncIterator) {
            self.parts = parts
            self.pages = pages
            har = HARExport(version: parts.api.version)
            csv = CSVExport(fields: parts.api.store.catalog.fields)
        }

        mutating func next() async throws -> [UInt8]? {
            if hasEnded { return nil }
            if !hasBegun {
                hasBegun = true
                return opening
            }
            while true {
                if let lines = try await page?.next() {
                    parts.losses.add(page?.damaged ?? 0)
                    var part: [UInt8] = []
                    part.reserveCapacity(lines.reduce(0) { $0 + $1.size + 1 })
                    for line in lines {
                        Pause.giveWay()
                        append(line, to: &part)
                    }
                    page?.permit?.finish(holding: part.count)
                    return part
                }
                let next = try await parts.api.ask { () async throws(StoreError) in
                    try await pages.nextOutline()
                }
                guard let outline = next else {
                    hasEnded = true
                    return parts.format == .har ? har.suffix : []
                }
                page = PageLines(parts.api, outline)
            }
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
                guard let row = csv.row(of: FieldSelection?.none.apply(to: line.text)) else {
                    return leaveOutUnreadable()
                }
                part += row
            case .har:
                guard let entry = har.entry(of: ListedRecord.text(of: line.text), isFirst: isFirst)
                else {
                    return leaveOutUnreadable()
                }
                isFirst = false
                part += entry
            }
        }

        private func leaveOutUnreadable() {
            parts.api.report([.unreadable])
            parts.losses.add(1)
        }
    }

    /// Counts what is left out, for the export and its iterators together.
    private final class Losses: Sendable {
        private let number = Mutex(0)

        var count: Int { number.withLock { $0 } }

        func add(_ count: Int) {
            number.withLock { $0 += count }
        }
    }
}
