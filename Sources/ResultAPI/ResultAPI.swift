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
    package let importing = Exclusive()
    let redecoding = Exclusive()
    let drifting = Exclusive()

    /// Limits the memory of large requests and responses in progress.
    package let memory = MemoryBudget(bytes: HTTP1.Limits.workMemoryBytes)

    /// Time without a final callback after which a launch counts as lost.
    package let flowPatience: Duration

    /// Runs queries about many results.
    package let work: LongWork

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

    /// Runs a query for a peer.
    ///
    /// Never inlined: keeps the async frame of waiting requests small.
    @inline(never)
    package func answer(
        _ query: ResultAPI.Question, about name: String?, _ request: Request,
        over connection: inout Connection
    ) async throws(Problem) -> Response {
        switch query {
        case .wait: try await waitForResults(request, over: &connection)
        case .importing: try await importResults(request, over: &connection)
        default: try await answer(query, about: name, request)
        }
    }

    /// Runs a query that needs neither to watch the peer nor to read from it.
    ///
    /// - Parameter name: the result or inbox that the path names.
    package func answer(
        _ query: ResultAPI.Question, about name: String?, _ request: Request
    ) async throws(Problem) -> Response {
        switch query {
        case .results: try await listResults(request)
        case .latestResult: try await latestResult(request)
        case .stream: try streamResults(request)
        case .result where request.method == .delete: try await eraseResult(name, request)
        case .result: try await result(name, request)
        case .resultRequest: try await storedRequest(of: name, request)
        case .resultCurl: try await curlCommand(of: name, request)
        case .adopt: try await adoptStray(name, request)
        case .inboxes: try await listInboxes(request)
        case .inbox: try await eraseInbox(name, request)
        case .flows:
            try await work.run { () async throws(Problem) in try await listFlows(request) }
        case .flow: try await flow(name, request)
        case .flowReport:
            try await work.run { () async throws(Problem) in try await reportFlows(request) }
        case .vendors: try listVendors(request)
        case .fields: try listFields(request)
        case .drift: try await vendorDrift(name, request)
        case .statistics: try await statistics(request)
        case .export: try exportResults(request)
        case .compact: try await compactStore(request)
        case .verify: try await verifyStore(request)
        case .redecode:
            try await work.run { () async throws(Problem) in try await redecodeStore(request) }
        case .wait, .importing: throw .notFound
        }
    }
}
