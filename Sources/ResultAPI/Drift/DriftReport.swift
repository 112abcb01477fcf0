// Reports how a vendor's stored messages differ from its contracts.
//
// Invariant: stored requests are decoded again, because a stored result shows only what an earlier
// decoder knew. Memory is bounded by a page of records and by `Drift`. Left out: launches and
// deliveries, which we create ourselves, and masked records, whose defects were lost with their
// values.

import Clocks
import JSON
import ResultStore
import Vendors

/// The comparison of one vendor's stored results with its contracts.
package struct DriftReport: Sendable {
    let vendor: Vendor

    /// One for each contract of the vendor, even without results.
    private(set) var drifts: [Drift]

    /// Number of the vendor's results that were checked, including skipped ones.
    package private(set) var checked = 0

    /// Number of results that can't be compared with any contract.
    private(set) var skipped = 0

    /// Goes through a vendor's results, oldest first.
    ///
    /// - Parameters:
    ///   - condition: which results to check.
    ///   - onProgress: called with the number of results checked so far.
    ///
    /// Throws the store's errors.
    package init(
        _ store: ResultStore, of vendor: Vendor, where condition: Condition,
        onProgress: (_ checked: Int) -> Void = { _ in }
    ) async throws {
        self.vendor = vendor
        drifts = Contract.allCases.filter { $0.vendor == vendor }.map { Drift(with: $0) }
        let own = Condition.compare(.vendor, .equal, .text(vendor.rawValue))
        for try await page in store.export(.all([own, .kinds([.callback]), condition])) {
            for line in page.lines {
                Pause.giveWay()
                add(line.text)
            }
            onProgress(checked)
        }
    }

    private mutating func add(_ text: [UInt8]) {
        checked += 1
        guard let root = try? JSONDocument(parsing: text).root, let id = root["id"]?.string,
            let receivedAt = root["received_at"]?.string,
            let contract = root["contract"]?.string.flatMap({ Contract(rawValue: $0) }),
            let index = drifts.firstIndex(where: { $0.contract == contract }),
            root["request"]?["masked"]?.string != Masking.Extent.beyondDecoding.rawValue,
            let callback = StoredRequest(ofRecord: text)?.callback
        else {
            skipped += 1
            return
        }
        drifts[index].observe(
            callback, outcome: root["outcome"]?.string.flatMap { Outcome(rawValue: $0) },
            in: Drift.Sighting(id: id, receivedAt: receivedAt))
    }

    /// The report as a JSON object.
    package var json: [UInt8] {
        JSONWriter.object { json in
            json.member("vendor", vendor.rawValue)
            json.member("checked", checked)
            json.member("skipped", skipped)
            json.array("contracts") { json in
                for drift in drifts { Self.write(drift, to: &json) }
            }
        }
    }

    private static func write(_ drift: Drift, to json: inout JSONWriter) {
        json.object { json in
            json.member("contract", drift.contract.rawValue)
            json.member("results", drift.results)
            json.member("unreadable", drift.unreadable)
            json.member("omitted", drift.omitted)
            json.array("findings") { json in
                for finding in drift.findings { write(finding, to: &json) }
            }
        }
    }

    private static func write(_ finding: Drift.Finding, to json: inout JSONWriter) {
        json.object { json in
            json.member("kind", finding.kind.rawValue)
            json.member("path", finding.path)
            json.member("expected", finding.expected)
            json.objects("found", of: finding.found) { json, found in
                json.member("value", found.text)
                json.member("count", found.count)
            }
            json.member("results", finding.results)
            json.member("of", finding.candidates)
            let share = Double(finding.results) / Double(max(finding.candidates, 1))
            json.member("share", (share * 10_000).rounded() / 10_000)
            json.key("first")
            write(finding.first, to: &json)
            json.key("last")
            write(finding.last, to: &json)
        }
    }

    private static func write(_ sighting: Drift.Sighting, to json: inout JSONWriter) {
        json.object { json in
            json.member("id", sighting.id)
            json.member("received_at", sighting.receivedAt)
        }
    }
}
