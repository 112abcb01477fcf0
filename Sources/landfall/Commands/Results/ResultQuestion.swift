// A command's query, independent of its source: a folder or a server.

import HTTPClient
import ResultAPI
import Server
import Text

/// One query about results.
struct ResultQuestion: Sendable {
    let query: ResultAPI.Question
    let method: ClientRequest.Method
    /// The result or inbox that it is about.
    let subject: String?
    var parameters: [(name: String, value: String)] = []
    var form = ResultForm.json
    /// Milliseconds until the response must begin.
    var milliseconds: UInt64 = 30_000

    init(
        _ query: ResultAPI.Question, about subject: String? = nil,
        method: ClientRequest.Method = .get
    ) {
        self.query = query
        self.method = method
        self.subject = subject
    }

    /// Sets a parameter, or removes it.
    mutating func set(_ name: String, _ value: String?) {
        parameters.removeAll { $0.name == name }
        if let value { parameters.append((name, value)) }
    }

    /// The request target: path and query.
    var target: String {
        let path = Routes.path(of: query, about: subject)
        if parameters.isEmpty { return path }
        let pairs = parameters.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }
        return path + "?" + pairs.joined(separator: "&")
    }
}
