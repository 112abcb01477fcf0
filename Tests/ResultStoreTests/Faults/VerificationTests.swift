// What verification says of sound stores, and of every kind of damage.

import Clocks
import Foundation
import GRDB
import Gzip
import Testing

@testable import ResultStore

@Suite struct VerificationTests {
    private static let newline = UInt8(ascii: "\n")
    private static let plain = "results/2020-01-03.jsonl"
    private static let compressed = "results/2020-01-01.jsonl.gz"

    /// A closed store with a compressed segment, one of which records are erased, and a plain one.
    private func fill() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let ledger = Ledger()
        let store = try ResultStore(folder: folder.path, catalog: Ledger.catalog)
        for number in 1...3 {
            await ledger.append(number, at: FaultScenario.day(0, number), to: store)
        }
        _ = try await store.keeper.work()
        for number in 4...9 {
            await ledger.append(
                number, inbox: number == 5 ? "gone" : "default",
                at: FaultScenario.day(2, number), to: store)
        }
        try await store.journal.erase(.inbox("gone", through: Erasure.Bound(9)))
        #expect(ledger.current.failures.isEmpty)
        await store.close()
        return folder
    }

    private func verify(_ folder: TemporaryFolder) throws -> VerificationReport {
        try StoreVerification.run(folder: folder.path, catalog: Ledger.catalog)
    }

    private func lines(_ folder: TemporaryFolder) throws -> [[UInt8]] {
        try folder.bytes(of: Self.plain).split(separator: Self.newline).map(Array.init)
    }

    private func write(_ lines: [[UInt8]], to folder: TemporaryFolder) throws {
        try folder.write(lines.flatMap { $0 + [Self.newline] }, to: Self.plain)
    }

    /// Nil if `bytes` are no complete gzip.
    private func inflated(_ bytes: [UInt8]) -> [UInt8]? {
        var inflater = Inflater(limit: 1 << 20)
        var lines: [UInt8] = []
        do throws(GzipError) {
            try inflater.inflate(bytes, into: &lines)
            try inflater.finish()
        } catch {
            return nil
        }
        return lines
    }

    private func removeIndex(_ folder: TemporaryFolder) {
        for suffix in ["", "-wal", "-shm"] { try? folder.remove("index.sqlite" + suffix) }
    }

    private func change(_ folder: TemporaryFolder, _ sql: String) throws {
        let queue = try DatabaseQueue(path: folder.path + "/index.sqlite")
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    @Test func aSoundStoreHasNoFindingsAndIsNotChanged() async throws {
        let folder = try await fill()
        let before = try folder.names(in: "") + folder.names(in: "results")
        let report = try verify(folder)
        #expect(report.findings.isEmpty)
        #expect(report.notes.isEmpty)
        #expect(report.files == 2)
        #expect(report.records == 9)
        #expect(report.erasures == 1)
        #expect(report.erasedLines == 1)
        #expect(try folder.names(in: "") + folder.names(in: "results") == before)
        for suffix in ["-wal", "-shm"] { try? folder.remove("index.sqlite" + suffix) }
        #expect(try verify(folder).findings.isEmpty)
        #expect(try !folder.names(in: "").contains("index.sqlite-wal"))
    }

    @Test func aStoreThatIsOpenIsVerifiedToo() async throws {
        let folder = try await fill()
        let store = try ResultStore(folder: folder.path, catalog: Ledger.catalog)
        let ledger = Ledger()
        let writer = Task {
            for number in 11...200 {
                await ledger.append(number, at: FaultScenario.day(3), to: store)
            }
        }
        for _ in 1...5 { #expect(try verify(folder).findings.isEmpty) }
        await writer.value
        try await store.index.catchUp()
        let report = try verify(folder)
        #expect(report.findings.isEmpty)
        #expect(report.notes.isEmpty)
        #expect(report.records == 199)
        await store.close()
    }

    @Test func anyChangedByteOfAPlainSegmentIsFound() async throws {
        let folder = try await fill()
        let bytes = try folder.bytes(of: Self.plain)
        for index in stride(from: 0, to: bytes.count, by: 7) {
            var changed = bytes
            changed[index] ^= 0x04
            try folder.write(changed, to: Self.plain)
            #expect(try !verify(folder).findings.isEmpty, "byte \(index)")
        }
        removeIndex(folder)
        let second = try #require(bytes.firstIndex(of: Self.newline)) + 1
        var changed = bytes
        changed[second + 30] ^= 0x04
        try folder.write(changed, to: Self.plain)
        #expect(
            try verify(folder).findings == [
                .init(
                    file: Self.plain, offset: Int64(second),
                    sentence: "the line's checksum is wrong")
            ])
    }

    @Test func anyChangedByteOfACompressedSegmentThatChangesItsLinesIsFound() async throws {
        let folder = try await fill()
        removeIndex(folder)
        let bytes = try folder.bytes(of: Self.compressed)
        let lines = try #require(inflated(bytes))
        // XFL and OS, which compressors choose, mean nothing.
        for index in bytes.indices where index != 8 && index != 9 {
            var changed = bytes
            changed[index] ^= 0x01
            try folder.write(changed, to: Self.compressed)
            // Another distance may lead to the same text: then all lines are as they were.
            let isFound = try !verify(folder).findings.isEmpty
            #expect(isFound || inflated(changed) == lines, "byte \(index) of \(bytes)")
        }
    }

    @Test(arguments: [plain, compressed], [false, true])
    func aSegmentThatIsCutOffIsFound(file: String, hasIndex: Bool) async throws {
        let folder = try await fill()
        if !hasIndex { removeIndex(folder) }
        let bytes = try folder.bytes(of: file)
        for size in stride(from: 1, to: bytes.count, by: 97) where bytes[size - 1] != Self.newline {
            try folder.write(bytes[..<size], to: file)
            #expect(try !verify(folder).findings.isEmpty, "\(size) bytes")
        }
    }

    @Test func linesThatAreGoneWithTheEndAreMissedByTheIndex() async throws {
        let folder = try await fill()
        try write(lines(folder).dropLast(2), to: folder)
        let report = try verify(folder)
        #expect(report.findings.first?.file == "index.sqlite")
        #expect(report.findings.contains { $0.sentence.contains("seq 9") })
    }

    @Test(arguments: ["copied", "swapped", "foreign", "record of another store", "empty"])
    func linesThatAreNotWhereTheyWereAreFound(kind: String) async throws {
        let folder = try await fill()
        removeIndex(folder)
        var lines = try lines(folder)
        var offset = Int64(lines[0].count + 1)
        let sentence: String
        switch kind {
        case "copied":
            lines.insert(lines[0], at: 1)
            sentence = "seq is 4, which does not follow 4"
        case "swapped":
            lines.swapAt(0, 1)
            offset = Int64(lines[0].count + 1)
            sentence = "seq is 4, which does not follow 5"
        case "foreign":
            lines.insert(Array(#"{"id":1}"#.utf8), at: 1)
            sentence = "the line isn't in the form of a record"
        case "empty":
            lines.insert([], at: 1)
            sentence = "the line isn't in the form of a record"
        default:
            lines.insert(recordLine(#"{"seq":1}"#), at: 1)
            sentence = "the line is neither a record nor an erasure"
        }
        try write(lines, to: folder)
        let finding = try #require(try verify(folder).findings.first)
        #expect(finding == .init(file: Self.plain, offset: offset, sentence: sentence))
    }

    /// An intact line of any members.
    private func recordLine(_ text: String) -> [UInt8] {
        let rest = Array(text.utf8.dropFirst())
        var line = Array(#"{"crc32":""#.utf8)
        Checksum.append(Checksum.crc32(rest[...]), to: &line)
        return line + Array(#"","#.utf8) + rest
    }

    @Test func anIDThatTellsAnotherTimeIsFound() async throws {
        let folder = try await fill()
        removeIndex(folder)
        var lines = try lines(folder)
        let text = String(decoding: lines[0].dropFirst(RecordLine.checkedOffset), as: UTF8.self)
        lines[0] = recordLine(
            "{" + text.replacing(#""received_at":"2020"#, with: #""received_at":"2021"#))
        try write(lines, to: folder)
        #expect(
            try verify(folder).findings.map(\.sentence) == [
                "the record's id has another time than received_at"
            ])
    }

    @Test func anIDThatIsGivenTwiceIsFound() async throws {
        let folder = try await fill()
        removeIndex(folder)
        var lines = try lines(folder)
        let text = String(decoding: lines[0].dropFirst(RecordLine.checkedOffset), as: UTF8.self)
        lines.append(recordLine("{" + text.replacing("\"seq\":4", with: "\"seq\":99")))
        try write(lines, to: folder)
        let sentences = try verify(folder).findings.map(\.sentence)
        #expect(sentences.count == 1)
        #expect(sentences.first?.hasSuffix("is also that of seq 4") == true)
    }

    @Test(arguments: [
        ("DELETE FROM results WHERE seq = 6", "the index lacks seq 6"),
        (
            """
            INSERT INTO results (place, seq, id_high, id_low, inbox, facet, origin, segment, offset,
            size) SELECT place + 1, 77, 1, 1, inbox, facet, origin, segment, offset, size
            FROM results WHERE seq = 6
            """, "it lists seq 77, which is not in 2020-01-03.jsonl"
        ),
        ("UPDATE results SET offset = offset + 1 WHERE seq = 6", "the index says otherwise"),
        ("UPDATE results SET size = size + 1 WHERE seq = 6", "the index says otherwise"),
        ("UPDATE results SET id_low = 1 WHERE seq = 6", "the index says otherwise"),
        ("UPDATE results SET inbox = 99 WHERE seq = 6", "the index says otherwise"),
        (
            "UPDATE segments SET indexed_bytes = 99999 WHERE name = '2020-01-03.jsonl'",
            "it covers 99999 bytes of 2020-01-03.jsonl"
        ),
        ("DELETE FROM erased", "the index doesn't know that this line is erased"),
        ("INSERT INTO erased VALUES (1, 0, 1, 1)", "it lists 1 erased lines that are in no file"),
        ("UPDATE inboxes SET count = count + 1 WHERE name = 'default'", "inboxes number"),
        ("UPDATE inboxes SET last_place = 1 WHERE name = 'default'", "inboxes number"),
        ("UPDATE facets SET count = 0", "facets number"),
        ("UPDATE state SET sequence = 3", "its last seq is 3 instead of 9"),
    ])
    func anIndexThatDisagreesIsFound(sql: String, sentence: String) async throws {
        let folder = try await fill()
        try change(folder, sql)
        let findings = try verify(folder).findings
        #expect(findings.contains { $0.sentence.hasPrefix(sentence) }, "\(findings)")
    }

    @Test func aRecordThatWasDecodedAgainHasTwoLines() async throws {
        let folder = try await fill()
        let store = try ResultStore(folder: folder.path, catalog: Ledger.catalog)
        let query = ResultQuery(.compare(.seq, .equal, .integer(4)))
        let facts = try #require(try await store.facts(of: query, limit: 1, bytes: 1).first)
        for _ in 1...2 {
            _ = try await store.append(
                NewRecord(
                    id: facts.id, receivedAt: facts.receivedAt, redecodedAt: .now,
                    inbox: facts.inbox, vendor: "raw", contract: nil, outcome: nil,
                    verdict: "decoded", request: Array("{}".utf8), result: nil,
                    diagnostics: Array("[]".utf8)))
        }
        await store.close()
        let report = try verify(folder)
        #expect(report.findings.isEmpty)
        #expect(report.supersededLines == 2)
        try change(folder, "DELETE FROM superseded WHERE seq = 4")
        #expect(
            try verify(folder).findings.map(\.sentence) == [
                "the index doesn't know that this line is superseded"
            ])
    }

    @Test func aSegmentThatIsGoneIsMissedByTheIndex() async throws {
        let folder = try await fill()
        try folder.remove(Self.compressed)
        let sentences = try verify(folder).findings.map(\.sentence)
        #expect(sentences.contains("it lists 2020-01-01.jsonl, which is gone"))
    }

    @Test(arguments: ["gone", "of another version", "of another catalog", "garbage"])
    func anIndexThatCannotBeComparedIsNoted(kind: String) async throws {
        let folder = try await fill()
        var catalog = Ledger.catalog
        switch kind {
        case "gone": removeIndex(folder)
        case "of another version": try change(folder, "PRAGMA user_version = 99")
        case "of another catalog": catalog.words = []
        default:
            removeIndex(folder)
            try folder.write(Array("no database".utf8), to: "index.sqlite")
        }
        let report = try StoreVerification.run(folder: folder.path, catalog: catalog)
        #expect(report.notes.count == (kind == "garbage" ? 0 : 1))
        #expect(report.findings.count == (kind == "garbage" ? 1 : 0))
        #expect(report.records == 9)
    }

    @Test func whatCrashesLeaveIsNoted() async throws {
        let folder = try await fill()
        try folder.write([1], to: "results/2020-01-01.jsonl.unfinished")
        try folder.write([1], to: "results/2020-01-01.jsonl")
        try folder.write([1], to: "results/README")
        let report = try verify(folder)
        #expect(report.findings.isEmpty)
        #expect(
            report.notes.map(\.file) == [
                "results/2020-01-01.jsonl", "results/2020-01-01.jsonl.unfinished", "results/README",
            ])
    }
}
