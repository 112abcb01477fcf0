// Identical diagnostics of many results: how often each, and which results were first and last.
//
// Invariant: memory is bounded, and no value is shown that lists hide.

import JSON
import Vendors

/// Counts identical diagnostics in results that are added newest first.
struct DiagnosticGroups {
    private struct Sighting {
        let id: String
        let receivedAt: String
    }

    private struct Group {
        var results: Int
        var first: Sighting
        let last: Sighting
    }

    private static let most = 1000

    /// What identical diagnostics share; the contract is the record's.
    private static let names = [
        "contract", "severity", "layer", "code", "pointer", "expected", "found", "hint",
    ]

    /// Number of results that were added.
    private(set) var results = 0

    /// By the values of `names`, as UTF-8: equal strings may consist of different characters.
    private var groups: [[ArraySlice<UInt8>?]: Group] = [:]

    /// Whether a diagnostic is in no group, because there are too many groups.
    private var omitsSome = false

    /// Counts the diagnostics of a stored record.
    ///
    /// One that a record has twice counts once. O(size).
    mutating func add(_ record: [UInt8]) {
        results += 1
        guard let stored = try? JSONDocument(parsing: record).root,
            let diagnostics = stored["diagnostics"], diagnostics.count > 0,
            let root = try? JSONDocument(parsing: ListedRecord.text(of: record)).root,
            let shown = root["diagnostics"], let id = root["id"]?.string,
            let receivedAt = root["received_at"]?.string
        else { return }
        let sighting = Sighting(id: id, receivedAt: receivedAt)
        let keys = shown.elements.map { diagnostic in
            Self.names.map { name in
                (name == "contract" ? root : diagnostic)[name].flatMap {
                    $0.kind == .string ? $0.unescaped : nil
                }
            }
        }
        for key in Set(keys) {
            if groups[key] != nil {
                groups[key]?.results += 1
                groups[key]?.first = sighting
            } else if groups.count < Self.most {
                groups[key] = Group(results: 1, first: sighting, last: sighting)
            } else {
                omitsSome = true
            }
        }
    }

    /// The report as a JSON object: the most severe first, of those the most frequent.
    ///
    /// - Parameters:
    ///   - limit: the number of groups.
    ///   - isAll: whether all matching results were added.
    func json(_ limit: Int, isAll: Bool) -> [UInt8] {
        let severities = Diagnostic.Severity.allCases.map(\.rawValue)
        let sorted = groups.sorted { one, other in
            let ranks = [one, other].map { group in
                severities.firstIndex { group.key[1]?.elementsEqual($0.utf8) ?? false }
                    ?? severities.count
            }
            // The newer one first, if both are equally frequent; of one result, by their texts.
            let (rank, otherRank) = (
                (ranks[0], other.value.results, other.value.last.receivedAt),
                (ranks[1], one.value.results, one.value.last.receivedAt)
            )
            if rank != otherRank { return rank < otherRank }
            return one.key.lexicographicallyPrecedes(other.key) { left, right in
                (left ?? []).lexicographicallyPrecedes(right ?? [])
            }
        }
        return JSONWriter.object { json in
            json.member("results", results)
            json.member("exact", isAll && !omitsSome && groups.count <= limit)
            json.array("diagnostics") { json in
                for (key, group) in sorted.prefix(limit) { Self.write(key, group, to: &json) }
            }
        }
    }

    private static func write(
        _ key: [ArraySlice<UInt8>?], _ group: Group, to json: inout JSONWriter
    ) {
        json.object { json in
            for (name, value) in zip(names, key) {
                json.member(name, value.map { String(decoding: $0, as: UTF8.self) })
            }
            json.member("results", group.results)
            for (name, sighting) in [("first", group.first), ("last", group.last)] {
                json.object(name) { json in
                    json.member("id", sighting.id)
                    json.member("received_at", sighting.receivedAt)
                }
            }
        }
    }
}
