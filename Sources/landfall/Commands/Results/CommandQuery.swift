// A command's query, independent of its source: a folder or a server.

import HTTPClient
import ResultAPI
import Server
import Text

/// One query about results.
struct CommandQuery: Sendable {
    /// Nil waits for results, which only a server can do.
    let operation: ResultAPI.Operation?
    let method: ClientRequest.Method
    /// The result or inbox that it is about.
    let subject: String?
    var parameters: [(name: String, value: String)] = []
    var form = ResultForm.json
    /// Milliseconds until the response must begin.
    var milliseconds: UInt64 = 30_000

    init(
        _ operation: ResultAPI.Operation?, about subject: String? = nil,
        method: ClientRequest.Method = .get
    ) {
        self.operation = operation
        self.method = method
        self.subject = subject
    }

    /// Sets a parameter, or removes it.
    mutating func set(_ name: String, _ value: String?) {
        parameters.removeAll { $0.name == name }
        if let value { parameters.append((name, value)) }
    }

    /// Whether this is the head of Landfall's response to it: another program may answer instead,
    /// such as a proxy that asks for a login.
    func isAnswered(by head: ResponseHead) -> Bool {
        if method == .delete, head.status == 204 { return true }
        let type =
            switch operation {
            case .resultRequest: "message/http"
            case .resultCurl: "text/plain"
            default: form.rawValue
            }
        return head.status == 200 && head.mediaType == type[...]
    }

    /// The parameters as the query of a URL.
    var text: String {
        parameters.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }
            .joined(separator: "&")
    }

    /// The request target: path and query.
    var target: String {
        let path = operation.map { Routes.path(of: $0, about: subject) } ?? Routes.waitingPath
        return parameters.isEmpty ? path : path + "?" + text
    }
}
