// Copies all records of a store to another, with their numbers, or goes on where an earlier copy
// ended.
//
// Invariant: each record that only one of them has afterwards is named, also by a later copy. Left
// out: erasing what the other one has alone. An erasure would take a number there, and a record may
// be missing here because its file was lost or can't be read.

/// What a copy did.
package struct StoreCopy: Sendable, Equatable {
    /// Number of records that were copied.
    package var copied = 0
    /// Number of records that the other store lacks.
    package var leftOut = 0
    /// Records that only the other store still has: erased here since an earlier copy, or lost.
    package var onlyThere: [RecordID] = []

    package init() {}
}

extension ResultStore {
    /// Copies the records with higher numbers than those of another store to it; nil if that has
    /// other records, or erasures with the numbers of records that came here since.
    ///
    /// Records that can't be read are left out. O(bytes copied + all records).
    ///
    /// Throws as `copy(_:keepingNumbers:)` does.
    ///
    /// - Parameters:
    ///   - onOmission: called for each record that the other store lacks, with a clause about it.
    ///   - onProgress: called with the number that was reached, and the last one.
    package func copy(
        to other: ResultStore, onOmission: (_ record: String) -> Void,
        onProgress: (_ done: Int64, _ of: Int64) -> Void
    ) async throws(StoreError) -> StoreCopy? {
        let known = try await other.newestSequence()
        guard let copied = try await lastCopied(to: other) else { return nil }
        let last = Int64(try await newestSequence())
        var report = StoreCopy()
        let differences = try await differences(from: other, through: known)
        for number in differences.missing {
            let page = try await page(
                of: ResultQuery(.compare(.seq, .equal, .integer(number))), limit: 1)
            if page.damage.isEmpty {
                // It was copied, and erased there; or an erasure there has its number.
                if number > copied { return nil }
                continue
            }
            onOmission("the record with seq \(number), as by an earlier copy")
            report.leftOut += 1
        }
        let rest = Condition.compare(.seq, .greater, .integer(known))
        var parts = export(rest, by: .seq).makeAsyncIterator()
        while let outline = try await parts.nextOutline() {
            let (found, damage) = try await lines(of: outline, 0..<outline.count)
            for error in damage { onOmission("\(error)") }
            report.leftOut += damage.count
            report.copied += try await other.copy(found, keepingNumbers: true)
            onProgress(Int64(found.last?.sequence ?? known), last)
        }
        // One that was decoded again here has a new number by now, there too.
        for number in differences.surplus {
            let query = ResultQuery(.compare(.seq, .equal, .integer(number)))
            guard let line = try await other.page(of: query, limit: 1).lines.first,
                let id = other.facts(in: line)?.id, try await outline(of: id) == nil
            else { continue }
            report.onlyThere.append(id)
        }
        return report
    }

    /// The number of another store's newest record, 0 if it has none; nil if that isn't here too.
    private func lastCopied(to other: ResultStore) async throws(StoreError) -> Int? {
        let newest = ResultQuery(.everything, by: .seq)
        guard let line = try await other.page(of: newest, limit: 1).lines.first,
            let id = other.facts(in: line)?.id
        else { return 0 }
        return try await outline(of: id)?.firstSequence == line.sequence ? line.sequence : nil
    }

    /// The numbers up to `last` that have a record here and none in another store, and those that
    /// have one only there.
    private func differences(
        from other: ResultStore, through last: Int
    ) async throws(StoreError) -> (missing: [Int], surplus: [Int]) {
        var (missing, surplus): ([Int], [Int]) = ([], [])
        var (numbers, others) = (Numbers(self, through: last), Numbers(other, through: last))
        var known = try await others.next()
        while let number = try await numbers.next() {
            while let below = known, below < number {
                surplus.append(below)
                known = try await others.next()
            }
            if known == number {
                known = try await others.next()
            } else {
                missing.append(number)
            }
        }
        while let above = known {
            surplus.append(above)
            known = try await others.next()
        }
        return (missing, surplus)
    }
}

/// The numbers of a store's records, in order, without reading the records.
private struct Numbers {
    private var parts: ResultExport.AsyncIterator
    private var page: ArraySlice<Int> = []

    init(_ store: ResultStore, through last: Int) {
        let condition = Condition.compare(.seq, .lessOrEqual, .integer(last))
        parts = store.export(condition, by: .seq).makeAsyncIterator()
    }

    /// The next number; nil at the end.
    mutating func next() async throws(StoreError) -> Int? {
        while true {
            if let number = page.popFirst() { return number }
            guard let outline = try await parts.nextOutline() else { return nil }
            page = outline.sequences[...]
        }
    }
}
