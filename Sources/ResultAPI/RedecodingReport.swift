// The result of decoding all records again.

import Clocks
import JSON
import ResultStore
import Vendors

/// A run of the current decoders over a store.
struct RedecodingReport: Sendable {
    /// A record that would change.
    struct Entry: Sendable {
        let id: String
        let sequence: Int
        let vendor: String
        let changes: [Redecoding.Change]
    }

    /// Maximum number of records that are listed.
    static let reportedRecords = 1000

    private(set) var checked = 0
    private(set) var changed = 0
    /// Records whose request can't be read.
    private(set) var unreadable = 0
    private(set) var isApplied = false
    /// The first records that would change.
    private(set) var entries: [Entry] = []

    /// Decodes all records again, and stores the changes if requested.
    ///
    /// - Parameter vendor: only this vendor's records; nil for all.
    ///
    /// Throws the store's errors; changes applied before that remain.
    init(_ store: ResultStore, vendor: Vendor?, applies: Bool) async throws {
        isApplied = applies
        let vendors = vendor.map { [Condition.compare(.vendor, .equal, .text($0.rawValue))] }
        let condition = Condition.all((vendors ?? []) + [.kinds([.callback])])
        for try await page in store.export(condition) {
            checked += page.damage.count
            unreadable += page.damage.count
            for line in page.lines {
                Pause.giveWay()
                if Task.isCancelled { throw StoreError.cancelled }
                checked += 1
                guard let redecoding = Redecoding(line.text, at: .now) else {
                    unreadable += 1
                    continue
                }
                if redecoding.changes.isEmpty { continue }
                if applies, try await !Self.replace(redecoding.record, in: store) { continue }
                changed += 1
                if entries.count < Self.reportedRecords {
                    entries.append(
                        Entry(
                            id: redecoding.id.description, sequence: redecoding.sequence,
                            vendor: redecoding.vendor.rawValue, changes: redecoding.changes))
                }
            }
        }
    }

    /// Stores the new decoding of a record; false if it was erased in between.
    private static func replace(
        _ record: NewRecord, in store: ResultStore
    ) async throws(StoreError) -> Bool {
        do throws(StoreError) {
            _ = try await store.append(record)
            return true
        } catch .erased {
            return false
        }
    }

    /// The report as a JSON object.
    package var json: [UInt8] {
        JSONWriter.object { json in
            json.member("checked", checked)
            json.member("changed", changed)
            json.member("unreadable", unreadable)
            json.member("applied", isApplied)
            json.objects("results", of: entries) { json, entry in
                json.member("id", entry.id)
                json.member("seq", entry.sequence)
                json.member("vendor", entry.vendor)
                json.array("changes") { json in
                    for change in entry.changes {
                        json.object { json in
                            json.member("place", change.place)
                            json.member("old", change.old)
                            json.member("new", change.new)
                        }
                    }
                }
            }
        }
    }
}
