// What a test was told by a store: the measure of what the store must hold after a fault.

import Clocks
import Synchronization

@testable import ResultStore

/// What was acknowledged, and what was only tried.
final class Ledger: Sendable {
    /// A record that was acknowledged.
    struct Entry: Sendable {
        let id: RecordID
        let sequence: Int
        /// Its line in the file.
        let line: [UInt8]
        /// A word that no other record has.
        let word: String
        let inbox: String
        let receivedAt: Timestamp
    }

    struct Book: Sendable {
        var acknowledged: [Entry] = []
        /// Words of all records that were handed in.
        var tried: Set<String> = []
        /// Records whose erasure was acknowledged.
        var erased: Set<RecordID> = []
        /// Records whose erasure was tried: they may be there or not.
        var doubtful: Set<RecordID> = []
        /// The highest number that anybody was told.
        var lastSequence = 0
        var failures: [StoreError] = []
    }

    let book: Mutex<Book>

    init(_ book: Book = Book()) {
        self.book = Mutex(book)
    }

    var current: Book { book.withLock { $0 } }

    /// A catalog whose words the records have.
    static let catalog = FieldCatalog(
        fields: [.init(vendor: "raw", name: "number", paths: [["number"]], kind: .number)],
        words: [.init(vendor: "raw", path: ["word"])], vendors: ["raw"], contracts: [],
        outcomes: ["completed"], verdicts: ["decoded"])

    /// Hands a record in; what fails is noted.
    func append(
        _ number: Int, inbox: String = "default", at moment: Timestamp, to store: ResultStore
    ) async {
        // Words that have no beginning in common: the index keeps only what differs.
        let word = String(UInt64(number) &* 0x9E37_79B9_7F4A_7C15 | 1 << 63, radix: 16)
        let record = NewRecord(
            receivedAt: moment, inbox: inbox, vendor: "raw", contract: nil, outcome: "completed",
            verdict: "decoded",
            request: Array(#"{"method":"GET","host":"a.example","target":"/"}"#.utf8),
            result: Array(#"{"number":\#(number),"word":"\#(word)"}"#.utf8),
            diagnostics: Array("[]".utf8))
        book.withLock { _ = $0.tried.insert(word) }
        do throws(StoreError) {
            let receipt = try await store.append(record)
            var line: [UInt8] = []
            RecordLine.append(
                id: receipt.id, sequence: receipt.number, kind: record.kind, receivedAt: moment,
                tail: RecordLine.tail(of: record), to: &line)
            let entry = Entry(
                id: receipt.id, sequence: receipt.number, line: Array(line.dropLast()),
                word: word, inbox: inbox, receivedAt: moment)
            book.withLock { book in
                book.acknowledged.append(entry)
                book.lastSequence = max(book.lastSequence, receipt.number)
            }
        } catch {
            book.withLock { $0.failures.append(error) }
        }
    }

    /// The acknowledged records that match.
    func ids(where matches: (Entry) -> Bool) -> Set<RecordID> {
        Set(current.acknowledged.filter(matches).map(\.id))
    }

    /// Does what erases these records; what fails is noted.
    func erase(_ ids: Set<RecordID>, by erasing: () async throws(StoreError) -> Void) async {
        book.withLock { $0.doubtful.formUnion(ids) }
        do throws(StoreError) {
            try await erasing()
            book.withLock { book in
                book.erased.formUnion(ids)
                book.doubtful.subtract(ids)
            }
        } catch {
            book.withLock { $0.failures.append(error) }
        }
    }

    /// Runs what is neither of these; what fails is noted.
    func attempt(_ body: () async throws(StoreError) -> Void) async {
        await erase([], by: body)
    }
}
