// The query API without routes and sockets: queries about results, for a peer of the server or for
// a command that has opened the folder itself. Each query has its own file, `ResultAPI+….swift`.

import HTTP1
import Logging
import Problems
import ResultStore

/// Runs queries about the results of one store.
package struct ResultAPI: Sendable {
    package let store: ResultStore
    package let log: Logger
    /// The program's version, for exports.
    package let version: String
    let importing = Exclusive()
    let redecoding = Exclusive()
    let drifting = Exclusive()

    /// Limits the memory of large requests and responses in progress.
    package let memory = MemoryBudget(
        bytes: HTTP1.Limits.workMemoryBytes, finishedBytes: HTTP1.Limits.finishedMemoryBytes)

    /// Time without a final callback after which a launch counts as lost.
    let flowPatience: Duration

    /// Runs queries about many results.
    package let work: LongWork

    /// Works on one large callback or result.
    ///
    /// Not on the thread of `work`, where it would wait for queries about many results.
    package let largeWork = LongWork()

    package init(
        store: ResultStore, log: Logger, version: String, flowPatience: Duration,
        work: LongWork = LongWork()
    ) {
        self.work = work
        self.version = version
        self.store = store
        self.log = log
        self.flowPatience = flowPatience
    }

    /// Answers a query.
    ///
    /// Never inlined: keeps the async frame of waiting requests small.
    @inline(never)
    package func answer(_ query: Query) async throws(Problem) -> Response {
        switch query.operation {
        case .results: try await listResults(query)
        case .latestResult: try await latestResult(query)
        case .stream: try await streamResults(query)
        case .result where query.erases: try await eraseResult(query)
        case .result: try await result(query)
        case .resultRequest: try await storedRequest(query)
        case .resultCurl: try await curlCommand(query)
        case .resultLayers:
            try await work.run { () async throws(Problem) in try await resultLayers(query) }
        case .inboxes: try await listInboxes(query)
        case .inbox: try await eraseInbox(query)
        case .flows:
            try await work.run { () async throws(Problem) in try await listFlows(query) }
        case .flow: try await flow(query)
        case .flowReport:
            try await work.run { () async throws(Problem) in try await reportFlows(query) }
        case .vendors: try listVendors(query)
        case .fields: try listFields(query)
        case .diagnostics:
            try await work.run { () async throws(Problem) in try await groupDiagnostics(query) }
        case .drift: try await vendorDrift(query)
        case .statistics: try await statistics(query)
        case .export: try await exportResults(query)
        case .compact: try await compactStore(query)
        case .verify: try await verifyStore(query)
        case .redecode:
            try await work.run { () async throws(Problem) in try await redecodeStore(query) }
        }
    }
}
