// What is done to a store while a fault waits for it.

import Clocks

@testable import ResultStore

/// A row of operations on a store that has been prepared.
enum FaultScenario: String, Sendable, CaseIterable {
    case first, append, roll, compress, compact, merge, retention, tornEnd

    /// Days that are over whenever the test runs.
    static func day(_ number: Int, _ milliseconds: Int = 0) -> Timestamp {
        Timestamp(
            unixMilliseconds: 1_577_880_000_000 + Int64(number) * 86_400_000 + Int64(milliseconds))
    }

    var settings: StoreSettings {
        var settings = StoreSettings()
        settings.compresses = self == .compress || self == .compact
        switch self {
        case .roll: settings.segmentBytes = 700
        case .retention: settings.retentionInboxResults = 2
        default: break
        }
        return settings
    }

    /// Those after the fault: nothing more expires.
    var laterSettings: StoreSettings {
        var settings = settings
        settings.retentionInboxResults = nil
        return settings
    }

    /// What the store holds before.
    func prepare(_ store: ResultStore, _ ledger: Ledger) async {
        guard self != .first else { return }
        for number in 1...3 { await ledger.append(number, at: Self.day(0, number), to: store) }
        guard self != .append, self != .roll, self != .tornEnd else { return }
        if self == .merge {
            // Four segments of one day, and one of the next.
            for number in 4...6 {
                _ = store.journal.endSegment(before: nil)
                await ledger.append(number, at: Self.day(0, number), to: store)
            }
            await ledger.append(7, at: Self.day(1), to: store)
            return
        }
        for number in 4...7 {
            await ledger.append(
                number, inbox: number % 2 == 0 ? "even" : "odd", at: Self.day(1, number),
                to: store)
        }
        for number in 8...9 { await ledger.append(number, at: Self.day(2), to: store) }
    }

    /// Puts on the disk what no orderly stop leaves.
    func spoil(_ disk: SimulatedDisk) {
        guard self == .tornEnd else { return }
        disk.append(Array(#"{"crc32":"deadbeef","id":"01"#.utf8), to: "results/2020-01-01.jsonl")
    }

    /// What the fault may hit.
    func run(_ store: ResultStore, _ ledger: Ledger) async {
        switch self {
        case .first: await ledger.append(11, at: Self.day(0), to: store)
        case .append:
            for number in 11...12 { await ledger.append(number, at: Self.day(0), to: store) }
            await withTaskGroup { group in
                for number in 13...18 {
                    group.addTask { await ledger.append(number, at: Self.day(0), to: store) }
                }
            }
        case .roll:
            for number in 11...14 { await ledger.append(number, at: Self.day(0), to: store) }
            for number in 15...18 { await ledger.append(number, at: Self.day(1), to: store) }
        case .compress:
            await ledger.attempt { () throws(StoreError) in _ = try await store.keeper.work() }
            await ledger.append(11, at: Self.day(3), to: store)
        case .compact:
            await erase(2, store, ledger)
            await erase(8, store, ledger)
            await ledger.attempt { () throws(StoreError) in _ = try await store.keeper.work() }
            await ledger.append(11, inbox: "odd", at: Self.day(2), to: store)
            let through = ledger.current.lastSequence
            await ledger.erase(ledger.ids { $0.inbox == "odd" }) { () throws(StoreError) in
                try await store.journal.erase(
                    .inbox("odd", through: Erasure.Bound(through)))
            }
            await ledger.attempt { () throws(StoreError) in _ = try await store.keeper.work() }
        case .merge:
            await erase(2, store, ledger)
            await erase(5, store, ledger)
            await ledger.attempt { () throws(StoreError) in _ = try await store.keeper.work() }
            await ledger.append(11, at: Self.day(1), to: store)
            await erase(1, store, ledger)
            await ledger.attempt { () throws(StoreError) in _ = try await store.keeper.work() }
        case .retention:
            let gone = Set(
                ledger.current.acknowledged.filter { $0.inbox == "default" }.dropLast(2).map(\.id))
            await ledger.erase(gone) { () throws(StoreError) in
                _ = try await store.keeper.work()
            }
            await ledger.append(11, inbox: "odd", at: Self.day(3), to: store)
        case .tornEnd:
            await ledger.append(11, at: Self.day(0), to: store)
        }
    }

    private func erase(_ number: Int, _ store: ResultStore, _ ledger: Ledger) async {
        guard let entry = ledger.current.acknowledged.dropFirst(number - 1).first else { return }
        await ledger.erase([entry.id]) { () throws(StoreError) in
            try await store.journal.erase(.record(entry.id))
        }
    }
}
