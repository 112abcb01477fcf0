// What is erased is looked for in every byte of the data folder: each field of an erased record holds a
// marker that nothing else has.

import Clocks
import Foundation
import GRDB
import Gzip
import Synchronization
import Testing

@testable import ResultStore

/// Where an erased record lies, and in which state.
enum ErasedPlace: CaseIterable {
    case open, plain, compressed
    /// In a line whose checksum is wrong, which the index knows, or doesn't.
    case damaged, damagedUnindexed
    /// In an end that opening has cut off.
    case torn
    /// In a file of a compaction that failed, which could not be removed.
    case unfinished

    var isDamaged: Bool { self == .damaged || self == .damagedUnindexed }
}

@Suite struct EveryByteTests {
    private static let day = "results/2024-12-21.jsonl"

    /// Markers of one record, by the field that holds them.
    private struct Markers {
        let all: [String: String]

        init() {
            var generator = SystemRandomNumberGenerator()
            var all: [String: String] = [:]
            for field in [
                "inbox", "flow", "host", "path", "query", "header", "key", "body", "value",
            ] {
                let letters = (0..<24).map { _ in
                    String(UnicodeScalar(UInt8.random(in: 97...122, using: &generator)))
                }
                all[field] = letters.joined()
            }
            self.all = all
        }

        subscript(field: String) -> String { all[field] ?? "" }

        func record(at moment: Timestamp) -> NewRecord {
            let key = #"["Idempotency-Key","\#(self["key"])"]"#
            let header = #"["X-Trace","\#(self["header"])"]"#
            let target = "/\(self["path"])/?q=\(self["query"])"
            return NewRecord(
                receivedAt: moment, inbox: self["inbox"], vendor: "welltory",
                contract: "welltory-dds", outcome: "completed", verdict: "decoded",
                flow: self["flow"],
                request: Array(
                    #"""
                    {"method":"POST","host":"\#(self["host"]).example","target":"\#(target)",\#
                    "headers":[\#(key),\#(header)],\#
                    "body":{"encoding":"utf8","data":"\#(self["body"])"}}
                    """#.utf8),
                result: Array(#"{"name":"\#(self["value"])","number":4711}"#.utf8),
                diagnostics: Array("[]".utf8))
        }
    }

    /// Fields and files that hold a marker.
    private func traces(_ markers: Markers, in folder: TemporaryFolder) throws -> [String] {
        var traces: [String] = []
        for name in try folder.files() {
            var contents = [try folder.bytes(of: name)]
            if name.hasSuffix(".gz") {
                var inflater = Inflater(limit: .max, ratio: .max)
                var content: [UInt8] = []
                try inflater.inflate(contents[0], into: &content)
                contents.append(content)
            }
            for (field, marker) in markers.all {
                // Lists of words leave out what a word has in common with the one before it.
                let part = Data(marker.dropFirst(4).utf8)
                if contents.contains(where: { Data($0).range(of: part) != nil }) {
                    traces.append("\(field) in \(name)")
                }
            }
        }
        return traces.sorted()
    }

    private func settings(_ place: ErasedPlace) -> StoreSettings {
        var settings = StoreSettings()
        settings.compresses = place == .compressed
        return settings
    }

    /// A closed store with the record among many others that share pages with it.
    private func fill(
        _ folder: TemporaryFolder, _ markers: Markers, _ place: ErasedPlace
    ) async throws -> RecordID {
        let store = try ResultStore(folder, settings: settings(place))
        let moment = place == .open ? Timestamp.now : sampleDay(-700)
        var id: RecordID?
        for number in 1...300 {
            if number == 150 { id = try await store.append(markers.record(at: moment)).id }
            _ = try await store.append(
                sampleRecord(
                    number, inbox: "inbox\(number % 7)", at: moment, name: "quoll \(number)",
                    flow: "flow-\(number)", target: "/path\(number)/"))
        }
        if place == .torn { _ = try await store.append(markers.record(at: sampleDay(-700))) }
        if ![.open, .torn].contains(place) {
            _ = try await store.append(sampleRecord(301, at: sampleDay(-699)))
        }
        _ = try await store.compact()
        await store.close()
        return try #require(id)
    }

    /// Does to the closed store what its state asks for.
    private func spoil(
        _ folder: TemporaryFolder, _ markers: Markers, _ place: ErasedPlace
    ) throws {
        var bytes = place.isDamaged || place == .torn ? try folder.bytes(of: Self.day) : []
        if place.isDamaged {
            let range = try #require(Data(bytes).range(of: Data(markers["header"].utf8)))
            bytes[range.lowerBound] ^= 1
            try folder.write(bytes, to: Self.day)
        }
        if place == .torn {
            bytes.removeLast(40)
            try folder.write(bytes, to: Self.day)
        }
        if place == .damagedUnindexed || place == .torn {
            for name in try folder.names(in: ".") where name.hasPrefix("index.sqlite") {
                try folder.remove(name)
            }
        }
    }

    @Test(arguments: ErasedPlace.allCases, ErasedPart.allCases)
    func noByteOfAnErasedRecordIsLeft(place: ErasedPlace, part: ErasedPart) async throws {
        let folder = try TemporaryFolder()
        let markers = Markers()
        let id = try await fill(folder, markers, place)
        try spoil(folder, markers, place)
        let store = try ResultStore(folder, settings: settings(place))
        #expect((store.recovery.torn != nil) == (place == .torn))
        if place == .unfinished {
            // Of a segment that has become a part of another one since.
            try folder.write(folder.bytes(of: Self.day), to: "results/2024-12-20.jsonl.unfinished")
        }
        #expect(try traces(markers, in: folder).count >= markers.all.count)
        switch part {
        case .record: #expect(try await store.erase(id))
        case .inbox: #expect(try await store.erase(inbox: markers["inbox"]) == 1)
        }
        let report = try await store.compact()
        #expect(report.failures.isEmpty)
        #expect(try traces(markers, in: folder) == [])
        let others = try await store.numbers().filter { $0 != 4711 }
        #expect(Set(others).isSuperset(of: 1...300))
        await store.close()
        #expect(try traces(markers, in: folder) == [])
        // A rebuilt index has the same numbers, and new ones continue after them.
        try folder.remove("index.sqlite")
        let again = try ResultStore(folder, settings: settings(place))
        #expect(try await again.numbers() == others)
        #expect(again.lastSequence == store.lastSequence)
        #expect(try await again.line(of: id) == nil)
        await again.close()
    }

    @Test func theNameOfAnInboxThatIsUsedAgainStays() async throws {
        let folder = try TemporaryFolder()
        let store = try ResultStore(folder)
        _ = try await store.append(sampleRecord(1, inbox: "again"))
        #expect(try await store.erase(inbox: "again") == 1)
        _ = try await store.append(sampleRecord(2, inbox: "again"))
        #expect(try await store.compact().removedLines == 1)
        #expect(try await store.numbers() == [2])
        #expect(try await store.erase(inbox: "again") == 1)
        #expect(try await store.compact().removedLines == 1)
        for name in try folder.names(in: "results") {
            let text = try String(decoding: folder.bytes(of: "results/" + name), as: UTF8.self)
            #expect(!text.contains("again"))
        }
        await store.close()
    }

    @Test func whatIsErasedWhileLinesAreCutKeepsItsLineUntilItsWordsAreGone() async throws {
        let folder = try TemporaryFolder()
        let markers = Markers()
        let interruption = Interruption()
        let disk = HookedDisk(onRename: { _ in interruption.happen() })
        let store = try ResultStore(
            folder: StoreFolder(folder.path, on: disk), catalog: sampleCatalog,
            settings: settings(.plain))
        let id = try await store.append(markers.record(at: sampleDay(-700))).id
        for number in 1...20 {
            let inbox = number == 1 ? "first" : "others"
            _ = try await store.append(
                sampleRecord(number, inbox: inbox, at: sampleDay(-700), name: "quoll \(number)"))
        }
        _ = try await store.append(sampleRecord(21, at: sampleDay(-699)))
        _ = try await store.compact()
        // An inbox's name goes in a second pass, before which the other erasure comes.
        #expect(try await store.erase(inbox: "first") == 1)
        let erased = Flag()
        interruption.set {
            if (try? await store.erase(id)) == true { erased.set() }
            _ = try? await store.counts()
        }
        _ = try await store.compact()
        #expect(erased.isSet)
        _ = try await store.compact()
        #expect(try traces(markers, in: folder) == [])
        #expect(try await store.numbers().count == 20)
        await store.close()
    }

    @Test func wordsLeaveTheIndexAlsoWhenOthersComeBetweenTwoSteps() async throws {
        let folder = try TemporaryFolder()
        let store = try ResultStore(folder, settings: settings(.plain))
        // The last one in the order of words, which is merged last.
        let word = "zzzz" + Markers()["value"]
        for number in 1...300 {
            let words = (0..<40).map { "w\((number * 40 + $0) * 7919 % 100_003)" }
            _ = try await store.append(
                sampleRecord(number, name: words.joined(separator: " ")))
        }
        let id = try await store.append(sampleRecord(301, name: word)).id
        _ = try await store.counts()
        try store.index.scrub { false }
        #expect(try await store.erase(id))
        let interruption = Interruption()
        let steps = Mutex(0)
        try store.index.scrub(pages: 2) {
            let step = steps.withLock { steps in
                steps += 1
                return steps
            }
            guard (2...20).contains(step) else { return false }
            interruption.set {
                for number in 1...2 {
                    _ = try? await store.append(
                        sampleRecord(1000 + 2 * step + number, name: "quoll"))
                    _ = try? await store.counts()
                }
            }
            interruption.happen()
            return false
        }
        #expect(steps.withLock { $0 } > 20)
        #expect(await store.index.shortenLog())
        let bytes = try Data(folder.bytes(of: "index.sqlite"))
        #expect(bytes.range(of: Data(word.dropFirst(8).utf8)) == nil)
        await store.close()
    }

    @Test func aQueryThatGoesOnDoesNotKeepWhatIsErasedInTheLog() async throws {
        let folder = try TemporaryFolder()
        let markers = Markers()
        let id = try await fill(folder, markers, .open)
        let store = try ResultStore(folder, settings: settings(.open))
        #expect(try await store.erase(id))
        let index = store.index
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                try? index.database.read { database in
                    _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM results")
                    continuation.resume()
                    Thread.sleep(forTimeInterval: 0.2)
                }
            }
        }
        _ = try await store.compact()
        #expect(try traces(markers, in: folder) == [])
        await store.close()
    }

    /// Twelve letters as one number.
    private static func number(_ letters: some Sequence<UInt8>) -> UInt64 {
        letters.reduce(0) { $0 << 5 | UInt64($1 - UInt8(ascii: "a")) }
    }

    @Test func nothingOfManyErasedRecordsIsLeftInTheFreeSpaceOfPages() async throws {
        let folder = try TemporaryFolder()
        let store = try ResultStore(folder, settings: settings(.plain))
        var erased: Set<UInt64> = []
        for number in 1...1500 {
            let markers = Markers()
            let inbox = number * 7919 % 101
            if inbox < 80 {
                for field in ["value", "path"] {
                    erased.insert(Self.number(markers[field].utf8.suffix(12)))
                }
            }
            // Pages whose cells differ in size keep most copies.
            let filling = String(repeating: "y", count: number * 7907 % 900)
            _ = try await store.append(
                sampleRecord(
                    number, inbox: "inbox\(inbox)", at: sampleDay(-700), name: markers["value"],
                    target: "/\(markers["path"])/\(filling)"))
        }
        for inbox in 0..<80 {
            #expect(try await store.erase(inbox: "inbox\(inbox)") > 0)
            // Each in its own transaction of the index.
            _ = try await store.counts()
        }
        _ = try await store.compact()
        for name in try folder.files() {
            var (window, length): (UInt64, Int) = (0, 0)
            var found = 0
            for byte in try folder.bytes(of: name) {
                let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                length = isLetter ? length + 1 : 0
                window = isLetter ? (window << 5 | UInt64(byte - 97)) & (1 << 60 - 1) : 0
                if length >= 12, erased.contains(window) { found += 1 }
            }
            #expect(found == 0, "\(name) holds \(found)")
        }
        await store.close()
    }
}
