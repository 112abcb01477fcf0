// `GET /api/v1/export` and `POST /api/v1/import`: all results out and in, part by part, so that
// memory stays bounded.

import HTTP1
import Problems
import ResultStore

extension ResultAPI {
    /// `GET /api/v1/export?format=ndjson|csv|har&<filters>`: records of all kinds, oldest
    /// first.
    func exportResults(_ query: Query) async throws(Problem) -> Response {
        var parameters = query.parameters
        let formats = ExportFormat.allCases.map(\.rawValue)
        let format = parameters.take("format", oneOf: formats).flatMap {
            ExportFormat(rawValue: $0)
        }
        let asked = ResultParameters(
            &parameters, catalog: store.catalog, isOrdered: false, kinds: RecordKind.allCases,
            fieldsRefusal: "An export holds complete results, so fields isn't supported.")
        try parameters.finish()
        try checkIndex()
        // Before the response begins: afterwards the status can't report an unusable database.
        _ = try await ask { () async throws(StoreError) in try await store.newestSequence() }
        let export = ExportParts(
            self, store.export(asked.query.condition), as: format ?? .ndjson)
        var response = Response(
            .ok, contentType: (format ?? .ndjson).contentType,
            stream: ContentStream(
                LongSequence(export, on: work),
                trailers: { [(ExportFormat.leftOutField, String(export.leftOut))] }))
        response.add("Cache-Control", "no-store")
        // HTTP/1.0 has no chunks, after which the field could come.
        if query.request?.minorVersion != 0 {
            response.add("Trailer", ExportFormat.leftOutField)
        }
        response.add(
            "Content-Disposition",
            "attachment; filename=\"landfall.\((format ?? .ndjson).rawValue)\"")
        return response
    }

    /// `POST /api/v1/import`: imports exported lines, and reports how many were imported, and which
    /// were refused and why.
    ///
    /// - Parameter flows: where callbacks that come later find the launches among them.
    package func importResults(
        _ request: Request, over connection: inout Connection, into flows: OpenFlows
    ) async throws(Problem) -> Response {
        try QueryParameters(request).requireNone()
        // Pages of other sites can't send these types without a preflight request (CORS).
        let types = ["application/x-ndjson", "application/jsonl", "application/ndjson"]
        guard types.contains(request.mediaType) else {
            throw Problem(
                status: .unsupportedMediaType, kind: "unsupported-media-type",
                detail: "Send exported lines with Content-Type: application/x-ndjson.")
        }
        guard importing.begin() else {
            throw Problem(
                status: .conflict, kind: "import-running",
                detail: "Another import is running: try again when it is done.")
        }
        defer { importing.end() }
        let results = ResultImport(into: store)
        do throws(Problem) {
            try await read(results, over: &connection)
        } catch {
            // What was stored before a failure stays.
            await restore(flows, from: results)
            throw error
        }
        await restore(flows, from: results)
        return Self.uncached(await results.report.json)
    }

    private func restore(_ flows: OpenFlows, from results: ResultImport) async {
        if await results.report.imported == 0 { return }
        await work.run { [store, log] in await flows.restore(from: store, log) }
    }

    private func read(
        _ results: ResultImport, over connection: inout Connection
    ) async throws(Problem) {
        while let part = try await part(over: &connection) {
            try await take(part, results)
        }
        try await take(nil, results)
        try await ask { () async throws(StoreError) in try await results.store() }
    }

    private func part(over connection: inout Connection) async throws(Problem) -> [UInt8]? {
        do throws(Connection.BodyFailure) {
            return try await connection.readBodyPart(upTo: Self.importBytes)
        } catch {
            switch error {
            case .refused(let refusal): throw Problem(refusal)
            case .disconnected: throw Problem(.incompleteBody)
            }
        }
    }

    /// More than any disk holds: the store bounds an import, not a size limit.
    private static let importBytes = 1 << 50

    /// Takes the lines that end in a part, or the last line, beside the loops.
    func take(_ part: [UInt8]?, _ results: ResultImport) async throws(Problem) {
        try await work.run { () async throws(Problem) in
            for line in await results.lines(in: part) {
                let permit = try await memory(toReadLines: line.size)
                defer { withExtendedLifetime(permit) {} }
                try await ask { () async throws(StoreError) in try await results.take(line) }
            }
        }
    }
}
