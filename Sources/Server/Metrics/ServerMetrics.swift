// What the server counts while it runs, from its first turn to its last.
//
// Invariant: labels come from the configuration and from this program, never from a peer. Left out:
// values that others keep, which `Application+Metrics` reads when metrics are shown.

import Clocks
import CoreMetrics
import HTTP1
import LinkHosting
import Problems
import ResultStore
import Synchronization
import Telemetry

/// The metrics of a server.
package final class ServerMetrics: Sendable {
    /// What a stored record is counted under.
    private struct RecordLabels: Hashable {
        let kind: RecordKind
        let vendor: String
        let verdict: String
    }

    let registry = MetricRegistry(MetricName.families)
    /// The program's version.
    let version: String
    /// When the server started.
    let startedAt = Timestamp.now
    private let requests: RequestCounters
    private let batches: Recorder
    private let commits: Timer
    private let storedBytes: Counter
    /// Only the store's writer counts records.
    private let records = Mutex<[RecordLabels: Counter]>([:])
    /// The connections of the current turn, and how many earlier turns accepted.
    private let server = Mutex<(current: (@Sendable () -> (open: Int, total: Int))?, former: Int)>(
        (nil, 0))

    package init(_ routes: Routes, version: String) {
        self.version = version
        requests = RequestCounters(routes.patterns, registry)
        batches = Recorder(label: MetricName.batches, factory: registry)
        commits = Timer(label: MetricName.commits, factory: registry)
        storedBytes = Counter(label: MetricName.storedBytes, factory: registry)
        // Shown as 0 before the first event.
        for name in [
            MetricName.rejected, MetricName.acceptFailures, MetricName.handshakeFailures,
            MetricName.missingProxyHeaders,
        ] { counter(name).increment(by: 0) }
        for reason in StoreFailure.allCases { counter(of: reason).increment(by: 0) }
    }

    private func counter(_ name: String, _ labels: [(String, String)] = []) -> Counter {
        Counter(label: name, dimensions: labels, factory: registry)
    }

    // MARK: Requests

    /// Counts a response, and the time from the request's head to it.
    func count(
        _ label: RequestLabel, _ request: Request, _ status: Status, microseconds: UInt64
    ) {
        requests.count(label, request.method, status, microseconds: microseconds)
    }

    /// Counts a message that reached no route.
    func count(_ refusal: Refusal) {
        counter(MetricName.refusals, [("reason", Problem(refusal).kind)]).increment()
    }

    /// Counts an event of the connections.
    func count(_ event: ServerEvent) {
        let name =
            switch event {
            case .acceptFailed: MetricName.acceptFailures
            case .handshakeFailed: MetricName.handshakeFailures
            case .proxyHeaderMissing: MetricName.missingProxyHeaders
            case .rejected: MetricName.rejected
            }
        counter(name).increment()
    }

    /// Reads the connections of a turn's server until the turn has ended.
    func beginTurn(_ connections: @escaping @Sendable () -> (open: Int, total: Int)) {
        server.withLock { $0.current = connections }
    }

    /// Keeps the number of connections of the turn that has ended.
    func endTurn() {
        server.withLock { server in
            server.former += server.current?().total ?? 0
            server.current = nil
        }
    }

    /// Number of open connections, and of all that were accepted.
    var connections: (open: Int, total: Int) {
        server.withLock { server in
            let (open, total) = server.current?() ?? (0, 0)
            return (open, server.former + total)
        }
    }

    // MARK: Link files

    /// Counts a fetch of a link file by Apple's or Google's systems; notes its time if they got the
    /// file, or have it already.
    ///
    /// - Parameters:
    ///   - file: the file's name.
    ///   - site: the host of its site; nil for a host without one.
    func countFetch(
        of file: String, site: String?, by fetcher: LinkFetcher, _ status: Status
    ) {
        let labels = Self.labels(of: file, site: site, by: fetcher)
        counter(MetricName.linkFileFetches, labels).increment()
        guard status == .ok || status == .notModified else { return }
        Gauge(label: MetricName.lastFetch, dimensions: labels, factory: registry)
            .record(Double(Timestamp.now.unixMilliseconds) / 1000)
    }

    /// Shows the fetches of each hosted file as 0 before the first one.
    func showFetches(of sites: Sites) {
        func show(_ file: String, _ site: String, _ fetcher: LinkFetcher) {
            counter(MetricName.linkFileFetches, Self.labels(of: file, site: site, by: fetcher))
                .increment(by: 0)
        }
        for (host, site) in sites.byHost {
            if site.association != nil { show("apple-app-site-association", host, .apple) }
            if site.assetLinks != nil { show("assetlinks.json", host, .google) }
        }
    }

    private static func labels(
        of file: String, site: String?, by fetcher: LinkFetcher
    ) -> [(String, String)] {
        [("site", site ?? "other"), ("file", file), ("fetcher", fetcher.rawValue)]
    }

    // MARK: Store

    /// Counts a group commit; called on the store's writer.
    package func count(_ commit: StoreCommit) {
        batches.record(Int64(commit.lines))
        commits.recordNanoseconds(Int64(clamping: commit.microseconds) &* 1000)
        storedBytes.increment(by: commit.bytes)
        // Most records have the same labels as the one before.
        var run: (labels: RecordLabels, count: Int64)?
        commit.forEachRecord { facts in
            let labels = RecordLabels(
                kind: facts.kind, vendor: facts.vendor, verdict: facts.verdict)
            if let known = run, known.labels == labels {
                run = (labels, known.count + 1)
            } else {
                if let run { counter(of: run.labels).increment(by: run.count) }
                run = (labels, 1)
            }
        }
        if let run { counter(of: run.labels).increment(by: run.count) }
    }

    /// The counter of stored records.
    private func counter(of labels: RecordLabels) -> Counter {
        records.withLock { records in
            if let counter = records[labels] { return counter }
            let made = counter(
                MetricName.storedRecords,
                [
                    ("kind", labels.kind.rawValue), ("vendor", labels.vendor),
                    ("verdict", labels.verdict),
                ])
            records[labels] = made
            return made
        }
    }

    /// Counts a record that was not stored.
    func count(_ error: StoreError) {
        counter(of: StoreFailure(error)).increment()
    }

    private func counter(of reason: StoreFailure) -> Counter {
        counter(MetricName.failures, [("reason", reason.rawValue)])
    }
}

/// Why a record was not stored, for metrics.
private enum StoreFailure: String, CaseIterable {
    case diskFull = "disk_full"
    case index
    case syncFailed = "sync_failed"
    case stopping
    case erased
    case file
    case database
    case other

    init(_ error: StoreError) {
        self =
            switch error {
            case _ where error.isFull: .diskFull
            case .index, .rebuilding: .index
            case .syncFailed: .syncFailed
            case .closed: .stopping
            case .erased: .erased
            case .file, .noDescriptor: .file
            case .database: .database
            default: .other
            }
    }
}
