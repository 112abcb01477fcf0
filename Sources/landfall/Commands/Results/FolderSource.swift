// A data folder as a source of results: this process opens the store and calls the query API
// without a socket.

import HTTP1
import HTTPClient
import Logging
import Problems
import ResultAPI
import ResultStore
import Settings

/// Queries a folder that no server has open.
struct FolderSource: ResultSource {
    private let api: ResultAPI

    /// - Parameter log: receives reports of damaged records.
    init(_ store: ResultStore, log: Logger) {
        api = ResultAPI(
            store: store, log: log, version: Landfall.version,
            flowPatience: Configuration().flowPatience)
    }

    func ask(
        _ query: CommandQuery, handing take: @escaping Client.PartTaker
    ) async throws(CommandFailure) -> ResponseHead {
        guard let operation = query.operation else {
            throw CommandFailure("Only a running server can wait: name it with --server URL.")
        }
        let asked = ResultAPI.Query(
            operation, about: query.subject, erases: query.method == .delete,
            parameters: QueryParameters(query: Array(query.text.utf8)[...]),
            form: query.form)
        var response: Response
        do throws(Problem) {
            response = try await api.answer(asked)
        } catch {
            response = error.response
        }
        var head = ResponseHead(response)
        do {
            switch response.content {
            case .bytes, .held: if !response.body.isEmpty { try await take(head, response.body) }
            case .stream(let stream):
                try await stream.hand { [head] part in try await take(head, part) }
                head.trailers = stream.trailers()
            }
        } catch let error as CommandFailure {
            throw error
        } catch {
            throw CommandFailure("\(error)")
        }
        return head
    }

    func importLines(_ parts: FileParts) async throws(CommandFailure) -> ClientResponse {
        let work = ResultImport(into: api.store)
        do {
            for try await part in parts {
                for line in await work.lines(in: part) { try await work.take(line) }
            }
            for line in await work.lines(in: nil) { try await work.take(line) }
            try await work.store()
            let response = ResultAPI.json(await work.report.json)
            return ClientResponse(head: ResponseHead(response), body: response.body)
        } catch let error as CommandFailure {
            throw error
        } catch {
            throw CommandFailure("The import was interrupted: \(error).")
        }
    }

    func close() async {
        await api.store.close()
    }
}

extension ResponseHead {
    /// The head of a response made in this process.
    fileprivate init(_ response: Response) {
        let lines = String(decoding: response.fieldLines, as: UTF8.self).split(separator: "\r\n")
        let fields = lines.compactMap { line -> (name: String, value: String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (String(line[..<colon]), String(line[colon...].dropFirst(2)))
        }
        self.init(status: response.status.code, fields: fields)
    }
}
