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
        let (store, work) = (store, api.work)
        let stored = await readSoon { () async -> [MetricSample]? in
            var samples: [MetricSample] = []
            if let bytes = await work.run({ try? await store.storedBytes() }) {
                samples.append(MetricSample(MetricName.segmentBytes, [], Double(bytes)))
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
        var samples = stored ?? []
        if let descriptors = await work.run({ DescriptorLimit.openCount }) {
            samples.append(MetricSample(MetricName.descriptors, [], Double(descriptors)))
        }
        return samples
    }

    /// What is read from the store; nil if a database fails, or takes long for it.
    ///
    /// Alerts need the other metrics just then, and a database that hangs is noticed late.
    func readSoon<Value: Sendable>(
        _ read: @escaping @Sendable () async -> Value?
    ) async -> Value? {
        let status = store.status
        guard status.isDatabase else { return await read() }
        if status.isDatabaseFailing { return nil }
        let (values, continuation) = AsyncStream<Value?>.makeStream()
        let reading = Task { _ = continuation.yield(await read()) }
        let alarm = Task {
            try? await Task.sleep(for: .milliseconds(Limits.metricsMilliseconds))
            _ = continuation.yield(nil)
        }
        defer {
            reading.cancel()
            alarm.cancel()
        }
        var iterator = values.makeAsyncIterator()
        return await iterator.next() ?? nil
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
