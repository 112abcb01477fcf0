// `GET /api/v1/diagnostics`: which diagnostics matching results have, identical ones counted
// together. A contract that changed, or a client with a fault, shows as one line instead of many.

import Clocks
import HTTP1
import Problems
import ResultStore

extension ResultAPI {
    private static let defaultGroups = 50
    /// Results that are read at most, and bytes of their lines, the newest first.
    private static let readResults = 5000
    private static let readBytes = 32 * 1024 * 1024

    /// `GET /api/v1/diagnostics`: takes the filters of `GET /api/v1/results`.
    func groupDiagnostics(_ query: Query) async throws(Problem) -> Response {
        var parameters = query.parameters
        let asked = ResultParameters(
            &parameters, catalog: store.catalog, isOrdered: false,
            fieldsRefusal: "Diagnostics are counted, so fields isn't supported.")
        let limit = parameters.take("limit", in: 1...500) ?? Self.defaultGroups
        try parameters.finish()
        var groups = DiagnosticGroups()
        var bytes = 0
        var cursor: PageCursor?
        repeat {
            let outline = try await ask { () async throws(StoreError) in
                try await store.outline(
                    of: asked.query, after: cursor,
                    limit: min(ResultStore.pageLimit, Self.readResults - groups.results))
            }
            var pages = PageLines(self, outline)
            while let lines = try await pages.next() {
                for line in lines {
                    Pause.giveWay()
                    groups.add(line.text)
                    bytes += line.text.count
                }
            }
            cursor = outline.next
        } while cursor != nil && groups.results < Self.readResults && bytes < Self.readBytes
        return try Self.named(Self.json(groups.json(limit, isAll: cursor == nil)), for: query)
    }
}
