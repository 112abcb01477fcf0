// One message of an agent: JSON-RPC 2.0 in the two revisions of the Model Context Protocol that are
// served, 2026-07-28 (each request describes itself) and 2025-11-25 (a handshake comes first).
//
// Invariant: a message is a request with an id, or it was refused. Every refusal is an
// `AgentError`, whatever the bytes. Left out: what the methods do.

import FoundationEssentials
import HTTP1
import JSON

/// A request of an agent.
package struct AgentMessage: Sendable {
    /// A revision of the protocol.
    enum Revision: String, CaseIterable, Sendable {
        /// No state: version and capabilities are in each request's `_meta`.
        case stateless = "2026-07-28"
        /// `initialize` agrees on the version; the server keeps no session.
        case handshake = "2025-11-25"
    }

    let revision: Revision
    /// The id as JSON text: a string or an integer.
    let id: [UInt8]
    let method: String
    private(set) var params: JSONNode?

    /// The message as far as its response needs it.
    var withoutParams: AgentMessage {
        var message = self
        message.params = nil
        return message
    }

    /// Reads a message; nil for a notification, which has no effect and no response.
    ///
    /// - Parameter request: the HTTP request, whose fields must agree with the message.
    package init?(_ body: [UInt8], of request: Request) throws(AgentError) {
        let root = try Self.root(of: body)
        let id = try Self.id(in: root)
        guard let method = root["method"]?.string else {
            throw AgentError(
                .invalidRequest,
                root["result"] == nil && root["error"] == nil
                    ? "method must be a string."
                    : "This server sends no requests, so it takes no responses.", id: id)
        }
        self.method = method
        params = root["params"]
        do throws(AgentError) {
            revision = try Self.revision(of: method, params, isNotification: id == nil, request)
        } catch {
            throw error.answering(id)
        }
        if let params, params.kind != .object {
            throw AgentError(
                .invalidParams, "params must be an object.", id: id,
                hasStatus: id == nil || revision == .stateless)
        }
        if let id {
            self.id = id
        } else if method.hasPrefix("notifications/") {
            return nil
        } else {
            throw AgentError(.invalidRequest, "A request needs an id.")
        }
    }

    private static func root(of body: [UInt8]) throws(AgentError) -> JSONNode {
        let document: JSONDocument
        do throws(JSONFault) {
            document = try JSONDocument(parsing: body, maximumDepth: Limits.messageDepth)
        } catch {
            throw AgentError(
                .parseError,
                "Invalid JSON: expected \(error.expected), found \(error.found), at byte "
                    + "\(error.offset).")
        }
        let root = document.root
        guard root.kind == .object else {
            throw AgentError(
                .invalidRequest,
                root.kind == .array
                    ? "Batches aren't supported: send each message alone."
                    : "A message is a JSON object.")
        }
        // Readers that take the first and the last of two members would disagree.
        if !document.repeatedNames.isEmpty {
            throw AgentError(.invalidRequest, "A member is repeated in an object.")
        }
        guard root["jsonrpc"]?.string == "2.0" else {
            throw AgentError(.invalidRequest, #"jsonrpc must be "2.0"."#)
        }
        return root
    }

    /// The id as JSON text; nil for a notification.
    private static func id(in root: JSONNode) throws(AgentError) -> [UInt8]? {
        guard let id = root["id"] else { return nil }
        guard id.string.map({ $0.utf8.count <= Limits.idBytes }) ?? (id.int != nil) else {
            throw AgentError(
                .invalidRequest,
                "id must be a string of at most \(Limits.idBytes) bytes, or an integer.")
        }
        return Array(id.text)
    }

    // MARK: Revisions

    /// The member of `_meta` with the version of a stateless request.
    private static let versionKey = "io.modelcontextprotocol/protocolVersion"
    private static let capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"

    /// The revision that a message follows; throws if it is not served, or if a stateless request
    /// breaks its rules (2026-07-28, Streamable HTTP: Server Validation).
    private static func revision(
        of method: String, _ params: JSONNode?, isNotification: Bool, _ request: Request
    ) throws(AgentError) -> Revision {
        let fields = request.values(.protocolVersion).map { String(decoding: $0, as: UTF8.self) }
        let meta = params?["_meta"]
        let own = meta?[versionKey]
        guard own != nil || fields == [Revision.stateless.rawValue] || method == discovery else {
            if fields.isEmpty || fields == [Revision.handshake.rawValue] { return .handshake }
            // The field is agreed on with the response to `initialize`.
            if method == "initialize" { return .handshake }
            throw unsupported(fields.joined(separator: ", "))
        }
        // The revision defines no notifications of clients, nor their fields.
        if isNotification { return .stateless }
        guard let version = own?.string, meta?[capabilitiesKey]?.kind == .object else {
            throw AgentError(
                .invalidParams,
                "params._meta must have \(versionKey), a string, and \(capabilitiesKey), an "
                    + "object.")
        }
        guard fields == [version] else { throw mismatch("MCP-Protocol-Version", "_meta") }
        guard request.values(.mcpMethod).elementsEqual([method], by: isText) else {
            throw mismatch("Mcp-Method", "method")
        }
        guard version == Revision.stateless.rawValue else { throw unsupported(version) }
        if method == AgentProtocol.callMethod, let name = params?["name"]?.string {
            let names = request.values(.mcpName)
            guard names.count == 1, names.first.flatMap(decoded) == name else {
                throw mismatch("Mcp-Name", "params.name")
            }
        }
        return .stateless
    }

    private static let discovery = "server/discover"

    private static func isText(_ field: ArraySlice<UInt8>, _ text: String) -> Bool {
        field.elementsEqual(text.utf8)
    }

    /// A field's value, which may be `=?base64?…?=`; nil if that is malformed.
    private static func decoded(_ value: ArraySlice<UInt8>) -> String? {
        let text = String(decoding: value, as: UTF8.self)
        let (start, end) = ("=?base64?", "?=")
        guard text.hasPrefix(start), text.hasSuffix(end), text.count >= start.count + end.count
        else { return text }
        let content = String(text.dropFirst(start.count).dropLast(end.count))
        return Data(base64Encoded: content).flatMap { String(data: $0, encoding: .utf8) }
    }

    private static func mismatch(_ field: String, _ member: String) -> AgentError {
        AgentError(
            .headerMismatch,
            "Header mismatch: \(field) must be sent once and equal the body's \(member).")
    }

    private static func unsupported(_ version: String) -> AgentError {
        var data = JSONWriter()
        data.object { json in
            json.array("supported") { json in
                for revision in Revision.allCases { json.value(revision.rawValue) }
            }
            json.member("requested", version)
        }
        return AgentError(.unsupportedVersion, "Unsupported protocol version", data: data.bytes)
    }
}

extension FieldName {
    fileprivate static let protocolVersion = FieldName("mcp-protocol-version")
    fileprivate static let mcpMethod = FieldName("mcp-method")
    fileprivate static let mcpName = FieldName("mcp-name")
}
