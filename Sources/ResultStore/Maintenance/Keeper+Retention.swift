// Retention: erases results by age, by the number of results of an inbox, and by the size of all
// files.
//
// Invariant: a flood into one inbox costs another inbox no results as long as the flooded inbox has
// enough of its own. Requests that no route took go first, then the parts of `RetentionBudget` in
// their order.
// Left out: how lines leave the disk (`Keeper+Segments`).

import Clocks

extension Keeper {
    /// Erases results that have expired.
    ///
    /// What a full disk has no room for is due again in the next round.
    func expire(_ report: inout MaintenanceReport) async throws(StoreError) {
        if let age = settings.retentionMilliseconds {
            let now = try await trustedTime()
            let limit = now.unixMilliseconds - age
            let isDue =
                try await index.count(
                    receivedBefore: Timestamp(unixMilliseconds: limit)) > 0
            if isDue, hasRoom {
                // It takes more, so that it doesn't have to erase a few every minute.
                let moment = Timestamp(
                    unixMilliseconds: limit + min(age / 16, Limits.earlyExpiryMilliseconds))
                let count = try await index.count(receivedBefore: moment)
                try await journal.erase(.receivedBefore(moment))
                report.expired.byAge += count
            }
        }
        try await expireStrays(&report)
        if let limit = settings.retentionInboxResults {
            for share in RetentionBudget.shares(
                try await index.holdings(ofMoreThan: limit), leaving: limit)
            {
                report.expired.byCount += try await expire(share, isBytes: false, &report)
            }
        }
        guard let limit = settings.retentionBytes else { return }
        var excess = try await excess(over: limit)
        if excess == 0 { return }
        let strays = try await index.strays().bytes
        if strays > 0 {
            try await eraseStrays(min(excess, strays), isBytes: true, &report)
            excess -= min(excess, strays)
        }
        let holdings = try await index.holdings(ofMoreThan: 0)
        for share in RetentionBudget.shares(holdings, freeing: excess) {
            report.expired.byBytes += try await expire(share, isBytes: true, &report)
        }
    }

    /// Erases the oldest strays if there are too many.
    ///
    /// It erases a sixteenth more, so that it doesn't have to erase a few every minute.
    private func expireStrays(_ report: inout MaintenanceReport) async throws(StoreError) {
        let strays = try await index.strays()
        if strays.count > Limits.strays {
            let excess = strays.count - Limits.strays + Limits.strays / 16
            try await eraseStrays(Int64(excess), isBytes: false, &report)
        }
        let bytes = strays.bytes <= Limits.strayBytes ? 0 : try await index.strays().bytes
        if bytes > Limits.strayBytes {
            let excess = bytes - Limits.strayBytes + Limits.strayBytes / 16
            try await eraseStrays(excess, isBytes: true, &report)
        }
    }

    private func eraseStrays(
        _ amount: Int64, isBytes: Bool, _ report: inout MaintenanceReport
    ) async throws(StoreError) {
        guard hasRoom,
            let oldest = try await index.oldestStrays(amount: amount, isBytes: isBytes)
        else { return }
        try await journal.erase(.strays(through: oldest.through))
        report.expired.strays += oldest.count
    }

    /// Whether the index has room for one more erasure.
    private var hasRoom: Bool { folder.reserve.hasRoomToErase(.max) }

    /// The current time, as far as the clock is plausible.
    private func trustedTime() async throws(StoreError) -> Timestamp {
        let newest = try await index.newestMoments()
        let wasTrusted = clock.lead == 0
        let now = clock.now(.now, boot: Clock.bootMilliseconds, newest: newest)
        if clock.lead > 0, wasTrusted { onEvent(.clockJumped(milliseconds: clock.lead)) }
        return now
    }

    /// Erases the oldest results of an inbox; returns their number.
    private func expire(
        _ share: RetentionBudget.Share, isBytes: Bool, _ report: inout MaintenanceReport
    ) async throws(StoreError) -> Int {
        let oldest = try await index.oldest(
            of: share.inbox, part: share.part, amount: share.amount, isBytes: isBytes)
        guard hasRoom, let (through, count) = oldest else { return 0 }
        let scope = Erasure.Scope(share, through: through)
        if share.part == .unmatched {
            // A rebuilt index would take an earlier line, of another verdict, for the record.
            for id in try await index.decodedAgain(in: scope) {
                try await journal.erase(.record(id))
            }
        }
        try await journal.erase(scope)
        if share.part != .matched { report.expired.unmatched += count }
        report.expired.inboxes.insert(share.inbox)
        return count
    }

    /// Bytes of content that must be erased so that the files are within the limit, not counting
    /// what is already erased.
    ///
    /// It adds a sixteenth, so that it doesn't have to erase a few every minute.
    private func excess(over limit: Int64) async throws(StoreError) -> Int64 {
        var total: Int64 = 0
        for segment in try index.segments() {
            guard let form = files.form(of: segment.name, generation: segment.generation)
            else { continue }
            total += try folder.disk.openReadOnly(folder.path(of: segment.name, form)).size()
        }
        if total <= limit { return 0 }
        let content = try await index.contentBytes()
        guard content.all > 0 else { return 0 }
        // Compressed files hold more content than their size.
        let ratio = Double(content.all) / Double(total)
        let left = total - Int64(Double(content.erased) / ratio)
        return left <= limit ? 0 : Int64(Double(left - limit + limit / 16) * ratio)
    }
}
