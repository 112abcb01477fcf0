// Errors of the Model Context Protocol: JSON-RPC 2.0 §5.1, and the protocol's own codes.

import HTTP1
import JSON

/// A message that can't be served, as its sender gets it.
package struct AgentError: Error, Sendable {
    /// What is wrong.
    package enum Code: Int, Sendable {
        case parseError = -32700
        case invalidRequest = -32600
        case unknownMethod = -32601
        case invalidParams = -32602
        /// A header field is missing, or differs from the body.
        case headerMismatch = -32020
        /// The data lists the versions that are served.
        case unsupportedVersion = -32022
    }

    package let code: Code
    let message: String
    private let data: [UInt8]?
    /// The message's id as JSON text; nil if it could not be read.
    private let id: [UInt8]?
    /// Whether the HTTP status says it too; older clients take such a status for a broken server.
    private let hasStatus: Bool

    /// - Parameters:
    ///   - data: JSON text.
    ///   - id: JSON text; nil if the message has none that can be read.
    init(
        _ code: Code, _ message: String, data: [UInt8]? = nil, id: [UInt8]? = nil,
        hasStatus: Bool = true
    ) {
        self.code = code
        self.message = message
        self.data = data
        self.id = id
        self.hasStatus = hasStatus
    }

    /// An error in the parameters or the method of a request.
    init(_ code: Code, _ message: String, to request: AgentMessage) {
        self.init(
            code, message, id: request.id, hasStatus: request.revision == .stateless)
    }

    /// The same error as the response to the message with an id.
    func answering(_ id: [UInt8]?) -> AgentError {
        AgentError(code, message, data: data, id: id, hasStatus: hasStatus)
    }

    /// The response.
    package var response: Response {
        var json = JSONWriter()
        json.object { json in
            json.member("jsonrpc", "2.0")
            if let id {
                json.member("id", raw: id)
            }
            json.object("error") { json in
                json.member("code", code.rawValue)
                json.member("message", message)
                if let data {
                    json.member("data", raw: data)
                }
            }
        }
        let status: Status =
            !hasStatus ? .ok : code == .unknownMethod ? .notFound : .badRequest
        return AgentProtocol.response(status, json.bytes)
    }
}
