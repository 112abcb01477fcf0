// Imports exported lines into a store. Lines whose id the store has are skipped, so a second import
// changes nothing; an invalid line is reported and the next one read.

import Clocks
import JSON
import ResultStore

/// An import in progress.
package actor ResultImport {
    /// The result of the lines so far.
    package struct Report: Sendable {
        /// A line that was not imported.
        package struct Refused: Sendable {
            /// The line number, from 1.
            let line: Int
            let reason: String
        }

        package var imported = 0
        /// Number of results that the store already had.
        var known = 0
        var refusedCount = 0
        /// The first refused lines.
        package var refused: [Refused] = []

        /// The report as a JSON object.
        package var json: [UInt8] {
            JSONWriter.object { json in
                json.member("imported", imported)
                json.member("known", known)
                json.member("refused_count", refusedCount)
                json.objects("refused", of: refused) { json, refused in
                    json.member("line", refused.line)
                    json.member("reason", refused.reason)
                }
            }
        }
    }

    /// Maximum number of refused lines that are listed.
    private static let reportedLines = 100

    /// Records that are stored with one wait for the disk.
    private static let batchRecords = 256

    /// Bytes of lines with which fewer records are stored: each is in memory several times.
    private static let batchBytes = 4 * 1024 * 1024

    private let store: ResultStore
    private let reader: RecordImport
    private var lines = NDJSONLines()
    private var waiting: [NewRecord] = []
    private var waitingBytes = 0
    package private(set) var report = Report()

    package init(into store: ResultStore) {
        self.store = store
        reader = RecordImport(catalog: store.catalog, isIntact: { StoredLine.isIntact($0) })
    }

    /// The lines that end in the next bytes; after the last bytes, nil gives the last line, which may
    /// lack its end.
    package func lines(in part: [UInt8]?) -> [NDJSONLines.Line] {
        guard let part else { return lines.finish().map { [$0] } ?? [] }
        return lines.lines(in: part)
    }

    /// Takes the next line.
    ///
    /// Throws if the store can't take more; everything counted as imported is stored.
    package func take(_ line: NDJSONLines.Line) async throws(StoreError) {
        Pause.giveWay()
        switch line {
        case .tooLong(let number):
            refuse(number, "The line is longer than \(NDJSONLines.defaultLineBytes) bytes.")
        case .text(let number, let bytes):
            do throws(RecordImportError) {
                waiting.append(try reader.record(bytes))
                waitingBytes += bytes.count
            } catch {
                refuse(number, "\(error)")
            }
            if waiting.count >= Self.batchRecords || waitingBytes >= Self.batchBytes {
                try await store()
            }
        }
    }

    private func refuse(_ line: Int, _ reason: String) {
        report.refusedCount += 1
        if report.refused.count < Self.reportedLines {
            report.refused.append(Report.Refused(line: line, reason: reason))
        }
    }

    /// Stores the pending records, except those that the store already has.
    package func store() async throws(StoreError) {
        let records = waiting
        (waiting, waitingBytes) = ([], 0)
        let added = try await store.appendMissing(records)
        report.imported += added
        report.known += records.count - added
    }
}
