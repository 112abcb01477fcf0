// What a command asks of the query API, before it is known who answers.

import HTTPClient
import ResultAPI
import Server
import Text

/// One question about results.
struct ResultQuestion: Sendable {
    let query: ResultAPI.Question
    let method: ClientRequest.Method
    /// The result or inbox that it is about.
    let subject: String?
    var parameters: [(name: String, value: String)] = []
    var form = ResultForm.json
    /// Milliseconds that the answer may take to begin.
    var milliseconds: UInt64 = 30_000

    init(
        _ query: ResultAPI.Question, about subject: String? = nil,
        method: ClientRequest.Method = .get
    ) {
        self.query = query
        self.method = method
        self.subject = subject
    }

    /// Sets a parameter, or takes it away.
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
