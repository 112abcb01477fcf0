// `GET /metrics`: the server's metrics as Prometheus reads them.

import CoreMetrics
import HTTP1
import Problems
import ResultStore
import Sockets
import Telemetry

extension Application {
    /// All metrics, with the current state of store, connections, certificates and process.
    ///
    /// O(series), and O(segments) on the thread for long work.
    func showMetrics(_ request: Request) async throws(Problem) -> Response {
        try QueryParameters(request).requireNone()
        metrics.showFetches(of: sites.current)
        let samples =
            storeSamples + processSamples + (await countedSamples())
            + (await forwardingSamples())
        var response = Response(
            .ok, contentType: MetricRegistry.contentType,
            body: metrics.registry.text(with: samples))
        response.isCompressible = true
        response.add("Cache-Control", "no-store")
        return response
    }

    private var storeSamples: [MetricSample] {
        let status = store.status
        let subscriptions = store.subscriptionCounts
        let clients = max(0, subscriptions.following - forwarding.forwarders.count)
        return [
            MetricSample(MetricName.reserveMissing, [], status.isFull ? 1 : 0),
            MetricSample(MetricName.databaseFailing, [], status.isDatabaseFailing ? 1 : 0),
            MetricSample(MetricName.spooled, [], Double(status.spooled)),
            MetricSample(MetricName.indexLag, [], Double(status.lag)),
            MetricSample(MetricName.indexRebuilding, [], status.rebuilding == nil ? 0 : 1),
            MetricSample(MetricName.waiters, [], Double(subscriptions.waiting)),
            MetricSample(MetricName.streams, [], Double(clients)),
        ]
    }

    /// What takes a query or a look at files; left out if it can't be read now.
    private func countedSamples() async -> [MetricSample] {
        let store = store
        let (bytes, descriptors) = await api.work.run {
            (try? await store.storedBytes(), DescriptorLimit.openCount)
        }
        var samples: [MetricSample] = []
        if let bytes {
            samples.append(MetricSample(MetricName.segmentBytes, [], Double(bytes)))
        }
        if let descriptors {
            samples.append(MetricSample(MetricName.descriptors, [], Double(descriptors)))
        }
        // A query would wait for the end of the rebuild.
        guard store.status.rebuilding == nil, let counts = try? await store.counts() else {
            return samples
        }
        for kind in RecordKind.allCases {
            let count = counts.filter { $0.kind == kind }.reduce(0) { $0 + $1.count }
            samples.append(
                MetricSample(MetricName.records, [("kind", kind.rawValue)], Double(count)))
        }
        return samples
    }

    private var processSamples: [MetricSample] {
        let (open, total) = metrics.connections
        let started = Double(metrics.startedAt.unixMilliseconds) / 1000
        var samples = [
            MetricSample(MetricName.connections, [], Double(open)),
            MetricSample(MetricName.accepted, [], Double(total)),
            MetricSample(MetricName.build, [("version", metrics.version)], 1),
            MetricSample(MetricName.startTime, [], started),
        ]
        if let limit = DescriptorLimit.current {
            samples.append(MetricSample(MetricName.maximumDescriptors, [], Double(limit)))
        }
        for identity in certificates?.current.identities ?? [] {
            samples.append(
                MetricSample(
                    MetricName.certificateExpiry, [("name", identity.name)],
                    Double(identity.expiresAt)))
        }
        if let bytes = ProgramHeap.residentBytes {
            samples.append(MetricSample(MetricName.memory, [], Double(bytes)))
        }
        return samples
    }
}
