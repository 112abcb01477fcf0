// Segments of days that are over: the same content in less room, readable at any place, and damage
// that stays where it is.

import Clocks
import Foundation
import Gzip
import Testing

@testable import ResultStore

@Suite struct CompressedSegmentTests {
    private static let plain = "results/2024-12-21.jsonl"
    private static let compressed = "results/2024-12-21.jsonl.gz"

    /// A closed store whose one segment is compressed, eleven records to a block, and the segment's
    /// plain bytes.
    private func fill(_ folder: TemporaryFolder, _ count: Int) async throws -> [UInt8] {
        let store = try ResultStore(folder)
        for number in 1...count {
            _ = try await store.append(sampleRecord(number, at: sampleDay(-700), padding: 6000))
        }
        let bytes = try folder.bytes(of: Self.plain)
        let report = try await store.compact()
        #expect(report.compressedSegments == 1 && report.failures.isEmpty)
        #expect(report.bytesBefore == Int64(bytes.count) && report.bytesAfter < report.bytesBefore)
        #expect(try folder.names(in: "results") == ["2024-12-21.jsonl.gz"])
        await store.close()
        return bytes
    }

    /// What a program that knows only gzip makes of a file.
    private func zcat(_ path: String) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["zcat", path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return [UInt8](bytes)
    }

    private func segmentFile(_ folder: TemporaryFolder) throws -> SegmentFile {
        let name = try #require(SegmentName(fileName: "2024-12-21.jsonl"))
        return try SegmentFile(name, .compressed, in: StoreFolder(folder.path))
    }

    @Test func zcatGivesThePlainSegment() async throws {
        let folder = try TemporaryFolder()
        let plain = try await fill(folder, 40)
        #expect(try zcat(folder.path + "/" + Self.compressed) == plain)
    }

    @Test func anyStretchIsReadAsInThePlainSegment() async throws {
        let folder = try TemporaryFolder()
        let plain = try await fill(folder, 60)
        let file = try segmentFile(folder)
        #expect(try file.size() == Int64(plain.count))
        for start in stride(from: 0, through: plain.count, by: 7001) {
            for size in [0, 1, 100, 70_000, 200_000] {
                let expected = plain.dropFirst(start).prefix(size)
                #expect(try file.read(size, at: Int64(start)) == Array(expected))
            }
        }
        #expect(try file.read(10, at: Int64(plain.count)).isEmpty)
        #expect(try file.read(10, at: .max / 4).isEmpty)
    }

    @Test func queriesFindEveryRecordBeforeAndAfterReopening() async throws {
        let folder = try TemporaryFolder()
        _ = try await fill(folder, 30)
        for reason in [nil, "there was no index"] {
            if reason != nil { try folder.remove("index.sqlite") }
            let store = try ResultStore(folder)
            #expect(store.recovery.rebuildReason == reason)
            #expect(store.recovery.damage.isEmpty)
            #expect(try await store.numbers() == (1...30).reversed())
            await store.close()
        }
        let store = try ResultStore(folder)
        #expect(try await store.append(sampleRecord(31, at: sampleDay(-700))).sequence == 31)
        #expect(
            try folder.names(in: "results") == ["2024-12-21-2.jsonl", "2024-12-21.jsonl.gz"])
        await store.close()
    }

    /// The headers of the compressed file's blocks.
    private func blocks(_ bytes: [UInt8]) -> [CompressedBlock] {
        var blocks: [CompressedBlock] = []
        var position = 0
        while let block = CompressedBlock(
            bytes.dropFirst(position).prefix(CompressedBlock.headerBytes), at: Int64(position))
        {
            blocks.append(block)
            position += block.fileSize
        }
        return blocks
    }

    /// The numbers of the records whose lines lie in a block.
    private func numbers(in block: CompressedBlock, of plain: [UInt8]) -> [Int] {
        let content = plain[
            Int(block.contentOffset)..<(Int(block.contentOffset) + block.contentSize)]
        return content.split(separator: UInt8(ascii: "\n")).compactMap {
            StoredLine(Array($0), 0).number
        }
    }

    /// Each byte of a header but the two that say nothing (XFL and OS), by several bits.
    private static let flips = (0..<CompressedBlock.headerBytes).filter { $0 != 8 && $0 != 9 }
        .flatMap { byte in [0x01, 0x10, 0x80].map { (byte, UInt8($0)) } }

    @Test(arguments: [0, 1, 14])
    func aDamagedHeaderCostsItsOwnBlockAtMost(index: Int) async throws {
        let folder = try TemporaryFolder()
        let plain = try await fill(folder, 44)
        let whole = try folder.bytes(of: Self.compressed)
        let blocks = blocks(whole)
        try #require(blocks.count == 15)
        for (byte, mask) in Self.flips {
            var bytes = whole
            bytes[Int(blocks[index].fileOffset) + byte] ^= mask
            try folder.write(bytes, to: Self.compressed)
            let file = try segmentFile(folder)
            for (other, block) in blocks.enumerated() where other != index {
                let start = Int(block.contentOffset)
                let content = try file.read(block.contentSize, at: block.contentOffset)
                let isSame = content == Array(plain[start..<(start + block.contentSize)])
                #expect(isSame, "block \(other) for byte \(byte), bits \(mask)")
            }
        }
    }

    @Test(arguments: [3, 16, 19, 20, 23, 24, 31])
    func aDamagedHeaderIsToldWhenTheSegmentIsIndexedAnew(byte: Int) async throws {
        let folder = try TemporaryFolder()
        let plain = try await fill(folder, 44)
        var bytes = try folder.bytes(of: Self.compressed)
        let block = blocks(bytes)[1]
        bytes[Int(block.fileOffset) + byte] ^= 0x40
        try folder.write(bytes, to: Self.compressed)
        try folder.remove("index.sqlite")
        let store = try ResultStore(folder)
        let missing = Set(1...44).subtracting(try await store.numbers())
        #expect(missing.isSubset(of: numbers(in: block, of: plain)))
        #expect(missing.isEmpty || !store.recovery.damage.isEmpty)
        await store.close()
    }

    @Test(arguments: [0, 1, 14], [24, 27, 31])
    func aHeaderOfWhichOnlyTheOffsetIsWrongCostsNothing(index: Int, byte: Int) async throws {
        let folder = try TemporaryFolder()
        _ = try await fill(folder, 44)
        var bytes = try folder.bytes(of: Self.compressed)
        bytes[Int(blocks(bytes)[index].fileOffset) + byte] ^= 0x10
        try folder.write(bytes, to: Self.compressed)
        try folder.remove("index.sqlite")
        let store = try ResultStore(folder)
        #expect(store.recovery.damage.isEmpty)
        #expect(try await store.numbers() == (1...44).reversed())
        #expect(try await store.verify().findings.count == 1)
        await store.close()
    }

    @Test func aDamagedBlockIsToldAndTheOtherRecordsStayReadable() async throws {
        let folder = try TemporaryFolder()
        let plain = try await fill(folder, 44)
        var bytes = try folder.bytes(of: Self.compressed)
        let blocks = blocks(bytes)
        let damaged = blocks[1]
        bytes[Int(damaged.fileOffset) + damaged.fileSize / 2] ^= 0xFF
        try folder.write(bytes, to: Self.compressed)
        let lost = numbers(in: damaged, of: plain)

        // With the index as it was: each page tells which of its results can't be read.
        let store = try ResultStore(folder)
        let page = try await store.page(of: ResultQuery(), limit: 100)
        #expect(
            page.lines.compactMap(\.number) == (1...44).reversed().filter { !lost.contains($0) })
        #expect(page.damage.count == lost.count)
        await store.close()

        // When the index is rebuilt, the damaged stretch is reported.
        try folder.remove("index.sqlite")
        let again = try ResultStore(folder)
        #expect(try await again.numbers() == (1...44).reversed().filter { !lost.contains($0) })
        let first = try #require(again.recovery.damage.first)
        #expect(again.recovery.damage.count == 1)
        #expect(first.offset == damaged.contentOffset && first.size == Int64(damaged.contentSize))
        await again.close()
    }

    /// Damages a block of a closed store, in its content or its header; returns the numbers of its
    /// records.
    private func damage(
        _ index: Int, of folder: TemporaryFolder, header: Bool, _ plain: [UInt8]
    ) throws -> [Int] {
        var bytes = try folder.bytes(of: Self.compressed)
        let block = blocks(bytes)[index]
        bytes[Int(block.fileOffset) + (header ? 1 : block.fileSize / 2)] ^= 0xFF
        try folder.write(bytes, to: Self.compressed)
        return numbers(in: block, of: plain)
    }

    /// The ids of the records with these numbers.
    private func ids(_ numbers: [Int], of plain: [UInt8]) -> [RecordID] {
        plain.split(separator: UInt8(ascii: "\n")).compactMap { line -> RecordID? in
            let line = StoredLine(Array(line), 0)
            guard let number = line.number, numbers.contains(number) else { return nil }
            return RecordLine.legibleID(line.stored[...])
        }
    }

    @Test(arguments: [0, 1, 14], [false, true])
    func whatIsErasedBesideADamagedBlockLeavesTheDisk(index: Int, header: Bool) async throws {
        let folder = try TemporaryFolder()
        let plain = try await fill(folder, 44)
        var store = try ResultStore(folder)
        let before = try folder.bytes(of: Self.compressed)
        let damaged = try damage(index, of: folder, header: header, plain)
        let block = blocks(before)[index]
        let kept = before[Int(block.fileOffset)...].prefix(block.fileSize)
        let erased = Array(Set(1...44).subtracting(damaged).sorted().prefix(3))
        for id in ids(erased, of: plain) { #expect(try await store.erase(id)) }
        await store.close()
        store = try ResultStore(folder)
        let report = try await store.compact()
        #expect(report.failures.isEmpty)
        // Once more, with what was written to the day since.
        let last = try #require(Set(1...44).subtracting(damaged + erased).max())
        for id in ids([last], of: plain) { #expect(try await store.erase(id)) }
        #expect(try await store.compact().failures.isEmpty)
        let others = Set(1...44).subtracting(damaged + erased + [last])
        for reason in [nil, "there was no index"] {
            if reason != nil { try folder.remove("index.sqlite") }
            await store.close()
            store = try ResultStore(folder)
            let page = try await store.page(of: ResultQuery(), limit: 100)
            #expect(page.lines.compactMap(\.number) == others.sorted().reversed())
        }
        await store.close()
        // The damaged block's bytes are still in the file, so it can be repaired by hand.
        let after = try folder.bytes(of: Self.compressed)
        let tail = Array(kept.dropFirst(CompressedBlock.headerBytes + 40).prefix(20))
        #expect(after.count < before.count)
        #expect(contains(after, header ? tail : Array(kept.suffix(20))))
    }

    private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: part) }
    }

    @Test func aLastBlockWhoseTrailerIsZeroStaysToBeRepaired() async throws {
        let folder = try TemporaryFolder()
        let plain = try await fill(folder, 44)
        var bytes = try folder.bytes(of: Self.compressed)
        let block = try #require(blocks(bytes).last)
        let tail = bytes[Int(block.fileOffset)...].dropLast(4).suffix(20)
        let lost = numbers(in: block, of: plain)
        bytes.replaceSubrange((bytes.count - 4)..., with: [0, 0, 0, 0])
        try folder.write(bytes, to: Self.compressed)
        let store = try ResultStore(folder)
        // Erasures are written to another day.
        _ = try await store.append(sampleRecord(45, at: .now))
        for id in ids([1], of: plain) { #expect(try await store.erase(id)) }
        #expect(try await store.compact().failures.isEmpty)
        let page = try await store.page(of: ResultQuery(), limit: 100)
        #expect(
            page.lines.compactMap(\.number) == (2...45).reversed().filter { !lost.contains($0) })
        await store.close()
        let after = try folder.bytes(of: Self.compressed)
        #expect(after.count < bytes.count && contains(after, Array(tail)))
    }

    @Test func aDamagedBlockLeavesWithTheLastOfItsRecords() async throws {
        let folder = try TemporaryFolder()
        let plain = try await fill(folder, 44)
        let size = try folder.bytes(of: Self.compressed).count
        let damaged = try damage(1, of: folder, header: false, plain)
        try #require(damaged.count > 1)
        let store = try ResultStore(folder)
        // Erasures are written to another day.
        _ = try await store.append(sampleRecord(45, at: .now))
        let ids = ids(damaged, of: plain)
        for id in ids.dropLast() { #expect(try await store.erase(id)) }
        let report = try await store.compact()
        #expect(report.failures.count == 1 && report.removedLines == 0)
        #expect(try folder.bytes(of: Self.compressed).count == size)
        for id in ids.suffix(1) { #expect(try await store.erase(id)) }
        let last = try await store.compact()
        #expect(last.failures.isEmpty && last.removedLines == damaged.count)
        #expect(try folder.bytes(of: Self.compressed).count < size)
        let page = try await store.page(of: ResultQuery(), limit: 100)
        #expect(page.damage.isEmpty)
        let others = (1...45).reversed().filter { !damaged.contains($0) }
        #expect(page.lines.compactMap(\.number) == others)
        #expect(try await store.verify().findings.isEmpty)
        await store.close()
    }

    @Test func aDayWithADamagedBlockCanBeErasedWhole() async throws {
        let folder = try TemporaryFolder()
        let plain = try await fill(folder, 44)
        _ = try damage(14, of: folder, header: false, plain)
        let store = try ResultStore(folder)
        // Erasures are written to another day.
        _ = try await store.append(sampleRecord(45, at: .now))
        #expect(try await store.erase(inbox: "default") == 45)
        let report = try await store.compact()
        #expect(report.failures.isEmpty && report.removedLines == 45)
        #expect(try folder.names(in: "results").allSatisfy { !$0.hasPrefix("2024") })
        await store.close()
    }

    @Test func aFileThatIsCutAnywhereKeepsTheBlocksBeforeTheCut() async throws {
        let folder = try TemporaryFolder()
        let plain = try await fill(folder, 44)
        let whole = try folder.bytes(of: Self.compressed)
        let blocks = blocks(whole)
        for cut in stride(from: 0, to: whole.count, by: whole.count / 5 + 1) {
            try folder.write(whole[..<cut], to: Self.compressed)
            try? folder.remove("index.sqlite")
            let store = try ResultStore(folder)
            let kept = blocks.filter { Int($0.fileOffset) + $0.fileSize <= cut }
                .flatMap { numbers(in: $0, of: plain) }
            #expect(try await store.numbers() == kept.reversed(), "cut at \(cut)")
            await store.close()
        }
    }

    @Test func aPlainFileBesideTheCompressedOneBecomesAPartOfItsDay() async throws {
        let folder = try TemporaryFolder()
        var store = try ResultStore(folder)
        var backup: [UInt8] = []
        for number in 1...5 {
            _ = try await store.append(sampleRecord(number, at: sampleDay(-700)))
            if number == 2 { backup = try folder.bytes(of: Self.plain) }
        }
        await store.close()

        let other = try TemporaryFolder()
        try other.makeFolder("results")
        try other.write(backup, to: Self.plain)
        store = try ResultStore(other)
        #expect(try await store.compact().compressedSegments == 1)
        await store.close()
        try folder.write(try other.bytes(of: Self.compressed), to: Self.compressed)
        try folder.write(backup.prefix(100), to: Self.plain + ".unfinished")

        for _ in 1...2 {
            store = try ResultStore(folder)
            #expect(store.recovery.damage.isEmpty)
            #expect(try await store.numbers() == [5, 4, 3, 2, 1])
            #expect(
                try folder.names(in: "results") == ["2024-12-21-2.jsonl", "2024-12-21.jsonl.gz"])
            await store.close()
        }
        store = try ResultStore(folder)
        #expect(try await store.compact().failures.isEmpty)
        #expect(try await store.numbers() == [5, 4, 3, 2, 1])
        await store.close()
        let verified = try StoreVerification.run(folder: folder.path, catalog: sampleCatalog)
        #expect(verified.findings.isEmpty)
    }

    @Test func anErasedRecordDoesNotComeBackWithThePlainFile() async throws {
        let folder = try TemporaryFolder()
        var store = try ResultStore(folder)
        var receipts: [Receipt] = []
        for number in 1...3 {
            receipts.append(try await store.append(sampleRecord(number, at: sampleDay(-700))))
        }
        let plain = try folder.bytes(of: Self.plain)
        #expect(try await store.erase(receipts[1].id))
        #expect(try await store.compact().compressedSegments == 1)
        await store.close()
        try folder.write(plain, to: Self.plain)
        store = try ResultStore(folder)
        #expect(try await store.numbers() == [3, 1])
        await store.close()
    }

    /// A file as `gzip` writes it, of one member or of several.
    private func gzipped(_ parts: [some Collection<UInt8>]) throws -> [UInt8] {
        try parts.flatMap { part in
            try #require(Gzip.compress(Array(part), level: 6, mayGrow: true))
        }
    }

    @Test(arguments: [1, 2])
    func aFileThatAnotherProgramCompressedIsRead(members: Int) async throws {
        let folder = try TemporaryFolder()
        _ = try await fill(folder, 40)
        let plain = try zcat(folder.path + "/" + Self.compressed)
        let first = members == 1 ? plain.count : 100
        let parts = [plain.prefix(first), plain.dropFirst(first)].prefix(members)
        try folder.write(try gzipped(Array(parts)), to: Self.compressed)
        for _ in 1...2 {
            let store = try ResultStore(folder)
            #expect(store.recovery.damage.isEmpty)
            #expect(try await store.numbers() == (1...40).reversed())
            let page = try await store.page(of: ResultQuery(), limit: 100)
            #expect(page.lines.compactMap(\.number) == (1...40).reversed())
            await store.close()
            try folder.remove("index.sqlite")
        }
        let verified = try StoreVerification.run(folder: folder.path, catalog: sampleCatalog)
        #expect(verified.findings.isEmpty)
        #expect(verified.notes.contains { $0.sentence == "another program has compressed it" })
        let store = try ResultStore(folder)
        #expect(try await store.erase(inbox: "default") == 40)
        #expect(try await store.compact().failures.isEmpty)
        #expect(try await store.numbers().isEmpty)
        await store.close()
    }

    @Test func filesOfThisProgramThatWereJoinedAreRead() async throws {
        let folder = try TemporaryFolder()
        var store = try ResultStore(folder)
        for number in 1...40 {
            let day = number <= 20 ? sampleDay(-700) : sampleDay(-699)
            _ = try await store.append(sampleRecord(number, at: day, padding: 6000))
        }
        #expect(try await store.compact().compressedSegments == 2)
        await store.close()
        let second = "results/2024-12-22.jsonl.gz"
        let joined = try folder.bytes(of: Self.compressed) + folder.bytes(of: second)
        try folder.write(joined, to: Self.compressed)
        for name in [second, "index.sqlite"] { try folder.remove(name) }
        store = try ResultStore(folder)
        #expect(store.recovery.damage.isEmpty)
        #expect(try await store.numbers() == (1...40).reversed())
        await store.close()
    }

    @Test func aFileThatCannotBeReadIsDamageNotAnEmptyDay() async throws {
        let folder = try TemporaryFolder()
        _ = try await fill(folder, 4)
        let path = folder.path + "/" + Self.compressed
        let plain = try zcat(path)
        let whole = try gzipped([plain])
        var header = try folder.bytes(of: Self.compressed)
        header[16] ^= 0xFF
        let files: [[UInt8]] = [
            whole.dropLast(20), [0x1F], Array("no gzip at all".utf8), header.dropLast(9),
        ]
        for (number, bytes) in files.enumerated() {
            try folder.write(bytes, to: Self.compressed)
            try? folder.remove("index.sqlite")
            let store = try ResultStore(folder)
            #expect(try await store.numbers().isEmpty, "file \(number)")
            #expect(store.recovery.damage.map(\.segment) == ["2024-12-21.jsonl"], "file \(number)")
            await store.close()
            let verified = try StoreVerification.run(folder: folder.path, catalog: sampleCatalog)
            #expect(!verified.findings.isEmpty, "file \(number)")
        }
    }
}
