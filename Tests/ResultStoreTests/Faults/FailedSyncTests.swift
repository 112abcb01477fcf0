// A sync that fails is reported once, whatever was being done.

import Clocks
import Testing

@testable import ResultStore

@Suite struct FailedSyncTests {
    enum Path: CaseIterable, Sendable { case append, erase, importing, redecode, maintenance }

    @Test(arguments: Path.allCases)
    func itIsReportedOnEveryPath(path: Path) async throws {
        let folder = try TemporaryFolder()
        let disk = SimulatedDisk(root: folder.path)
        let book = EventBook()
        let store = try ResultStore(
            folder: StoreFolder(disk.root, on: disk), catalog: sampleCatalog,
            settings: StoreSettings(), onEvent: { book.note($0) })
        let first = try await store.append(sampleRecord(1, at: sampleDay(-9)))
        _ = try await store.append(sampleRecord(2, at: sampleDay(-8)))
        if path == .maintenance { #expect(try await store.erase(first.id)) }
        for number in 1...40 where book.all.isEmpty {
            disk.arm(.init(number: number, fault: .fails))
            switch path {
            case .append: _ = try? await store.append(sampleRecord(number, at: sampleDay(-8)))
            case .erase: _ = try? await store.erase(first.id)
            case .importing:
                var record = sampleRecord(number, at: sampleDay(-8))
                record.id = RecordID(at: record.receivedAt)
                _ = try? await store.appendMissing([record])
            case .redecode:
                var record = sampleRecord(number, at: sampleDay(-8))
                record.id = first.id
                record.redecodedAt = .now
                record.receivedAt = sampleDay(-9)
                _ = try? await store.append(record)
            case .maintenance: _ = try? await store.compact()
            }
        }
        disk.arm(nil)
        #expect(book.all.count == 1)
        guard case .diskFailed(.syncFailed)? = book.all.first else {
            Issue.record("\(path): \(book.all)")
            return
        }
        await store.close()
    }
}
