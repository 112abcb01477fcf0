// Queries that nobody would write: each is read or refused with a place inside it, and none traps.

import JSON
import Mutations
import Testing

@testable import ResultStore

@Suite struct HostileQueryTests {
    private static let seeds = [
        "vendor:welltory outcome:(completed OR error) -\"sour milk\"* result.stress:0.3..0.5",
        "received_at:2026-11-20..2026-11-21 NOT (has:result.token OR seq:7) path:\"/a \\\"b\\\"\"",
        "received_at:-2h..-1h молоко größe 👨‍👩‍👧‍👦 id:019a0000-0000-7000-8000-000000000001",
        "((((a)))) NOT NOT NOT b AND c OR d host:WWW.a.b:80 method:get result.is_offline:true",
    ].map { Array($0.utf8) }

    private func check(_ text: String) {
        let condition: Condition
        do {
            condition = try parse(text)
        } catch {
            let size = text.utf8.count
            #expect((0...size).contains(error.byte), "\(text)")
            let start = String(decoding: text.utf8.prefix(error.byte), as: UTF8.self)
            #expect(error.character == start.unicodeScalars.count, "\(text)")
            #expect(error.byte == start.utf8.count, "\(text)")
            #expect(!error.expected.isEmpty)
            return
        }
        #expect(condition == condition.folded)
        _ = condition.matches(facts(), catalog: queryCatalog)
        expectReadsBack(condition, from: text)
    }

    private func expectReadsBack(_ condition: Condition, from text: String) {
        do {
            let again = try parse(condition.description)
            #expect(again == condition, "\(text)")
        } catch {
            #expect(error.expected.hasPrefix("at most"), "\(text): \(error)")
        }
    }

    @Test func mutatedQueriesAreReadOrRefused() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<3000 {
            let seed = Self.seeds[generator.below(Self.seeds.count)]
            let other = Self.seeds[generator.below(Self.seeds.count)]
            check(String(decoding: generator.mutation(of: seed, with: other), as: UTF8.self))
        }
    }

    /// A database reads a statement that values must not be part of.
    @Test(arguments: StoreKind.allCases)
    func hostileValuesAreFoundAsTheyWereStored(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(folder)
        let values = [
            "'", "''; DROP TABLE results; --", "\"", "\\", "$1", "%", "_", "?1", "{}", "E'\\x00'",
            "a", "A", "a ", "é", "e\u{301}", "🙂", "\u{FFFF}", "\u{202E}a", "\n", "\t",
            String(repeating: "x", count: 5000), String(repeating: "x", count: 4999) + "y",
        ]
        let receipts = try await store.append(
            values.enumerated().map { number, value in
                var record = sampleRecord(number, flow: value)
                // An inbox has a short name.
                record.inbox = String(value.prefix(100)) + "\(number)"
                var json = JSONWriter(reservingCapacity: 64)
                json.object { $0.member("name", value) }
                record.result = try? JSONDocument(parsing: json.bytes)
                return record
            })
        for (number, value) in values.enumerated() {
            let inbox = Condition.compare(
                .inbox, .equal, .text(String(value.prefix(100)) + "\(number)"))
            for condition in [
                inbox, .compare(.flow, .equal, .text(value)),
                .all([.compare(.result("name"), .equal, .text(value)), inbox]),
            ] {
                let found = try await store.all(ResultQuery(condition, by: .result("name")))
                #expect(found.map(\.sequence) == [receipts[number].number], "\(condition)")
            }
        }
        #expect(try await store.flows(limit: 100).count == values.count)
        #expect(try await store.verify().findings.isEmpty)
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func noQueryThatCanBeReadFails(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(folder, catalog: queryCatalog)
        for number in 1...20 {
            _ = try await store.append(sampleRecord(number, name: "sour milk молоко"))
        }
        var generator = SeededGenerator(seed: 8)
        var asked = 0
        for _ in 0..<600 {
            let seed = Self.seeds[generator.below(Self.seeds.count)]
            let other = Self.seeds[generator.below(Self.seeds.count)]
            let text = String(decoding: generator.mutation(of: seed, with: other), as: UTF8.self)
            guard let condition = try? parse(text) else { continue }
            asked += 1
            let page = try await store.page(of: ResultQuery(condition), limit: 50)
            _ = try await store.outline(of: ResultQuery(condition), limit: 1, counts: true)
            #expect(page.next == nil)
        }
        #expect(asked > 50)
        await store.close()
    }

    @Test func piecesInAnyOrderAreReadOrRefused() {
        let pieces = [
            "(", ")", "\"", "\\", "-", "*", ":", " ", "..", ">", "<=", "=", "AND", "OR", "NOT", "a",
            "has:", "seq:", "seq:(", "1", "received_at:", "2026-11-20", "-15m", "T10:00:00Z",
            "result.stress:", "result.token:", "vendor:", "dimmy", "path:", "é", "e\u{301}", "🙂",
            "\0", "\r\n", "\u{A0}", "id:", "result.is_offline:", "true",
        ]
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<6000 {
            let count = generator.below(12)
            check((0..<count).map { _ in pieces[generator.below(pieces.count)] }.joined())
        }
    }

    @Test func eachPrefixOfAQueryIsReadOrRefused() {
        for seed in Self.seeds {
            for size in 0...seed.count { check(String(decoding: seed.prefix(size), as: UTF8.self)) }
        }
    }

    @Test(arguments: [
        "(", "-", "NOT ", "\"", "\\", "a:", "has:", "seq:(", "🙂", "\0", "\u{301}", "-(", "..", "*",
    ]) func repetitionsAreReadOrRefused(piece: String) {
        for count in [31, 32, 33, 64, 65, 4096, 100_000] {
            check(String(repeating: piece, count: count))
            check(String(repeating: piece, count: count) + "a")
        }
    }

    @Test func parametersAreReadOrRefused() {
        var generator = SeededGenerator(seed: 7)
        let names =
            Condition.parameterNames + queryCatalog.names.map { "result." + $0 } + ["", "🙂", "q"]
        let values = ["gte:0.3", "0.1..0.5", "-15m", "2026-11-20T10:00:00Z", "welltory", "eq:true"]
        for _ in 0..<6000 {
            let value = values[generator.below(values.count)]
            let text = String(decoding: generator.mutation(of: Array(value.utf8)), as: UTF8.self)
            let name = names[generator.below(names.count)]
            let condition: Condition
            do {
                condition = try Condition.parameter(
                    name: name, value: text, catalog: queryCatalog, now: queryNow)
            } catch {
                #expect((0...max(text.utf8.count, name.utf8.count)).contains(error.byte))
                continue
            }
            expectReadsBack(condition, from: text)
        }
    }
}
