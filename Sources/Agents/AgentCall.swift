// A call of a tool: the API's request that it stands for, and the API's response as its result.
//
// Invariant: what the API answers, and so whatever was captured from outside, is in one member,
// `untrusted`, and in the text as JSON on one line, so it can't end its own frame. Characters that
// people can't see are escaped in the text.

import HTTP1
import JSON
import Problems
import Text

/// One call.
package struct AgentCall: Sendable {
    /// What a call stands for.
    package enum Order: Sendable, Equatable {
        /// A request to the API: path and query, and a body or none.
        case request(target: String, body: [UInt8]?)
        /// A round trip; the arguments as a JSON object.
        case trip([UInt8])
    }

    package let tool: AgentTool
    /// What the call stands for; 400 if an argument can't be passed on.
    package let order: Result<Order, Problem>
    private let message: AgentMessage
    private let version: String

    /// Throws for an unknown tool, and for parameters that aren't those of a call.
    init(_ message: AgentMessage, version: String) throws(AgentError) {
        guard let name = message.params?["name"]?.string else {
            throw AgentError(.invalidParams, "params.name must be a string.", to: message)
        }
        guard let tool = AgentTool.all.first(where: { $0.name == name }) else {
            throw AgentError(.invalidParams, "Unknown tool; tools/list names them.", to: message)
        }
        let given = message.params?["arguments"]
        let arguments = given?.kind == .null ? nil : given
        if let arguments, arguments.kind != .object {
            throw AgentError(.invalidParams, "params.arguments must be an object.", to: message)
        }
        self.tool = tool
        // A call may wait for minutes; the arguments are not needed then.
        self.message = message.withoutParams
        self.version = version
        order = Result { () throws(Problem) in try Self.order(for: tool, arguments) }
    }

    // MARK: The request

    private static func order(
        for tool: AgentTool, _ arguments: JSONNode?
    ) throws(Problem) -> Order {
        let members = arguments.map { Array($0.members) } ?? []
        func text(_ name: String) throws(Problem) -> String {
            guard let text = arguments?[name]?.string else {
                throw JSONMembers.refusal(name, "Give a string.")
            }
            return text
        }
        func query(without name: String? = nil) throws(Problem) -> String {
            try Self.query(members.filter { $0.name.string != name })
        }
        switch tool.way {
        case .query(let path): return .request(target: path + (try query()), body: nil)
        case .item(let path):
            let item = path.replacing(":id", with: try text("id").percentEncoded)
            return .request(target: item + (try query(without: "id")), body: nil)
        case .object(let path): return .request(target: path, body: object(arguments))
        case .file(let path):
            let content = Array(try text("content").utf8)
            return .request(target: path + (try query(without: "content")), body: content)
        case .trip: return .trip(object(arguments))
        }
    }

    /// The arguments as JSON text.
    private static func object(_ arguments: JSONNode?) -> [UInt8] {
        arguments?.compactText ?? Array("{}".utf8)
    }

    /// The arguments as a query; the members of `result` are fields of results.
    private static func query(_ arguments: [JSONMember]) throws(Problem) -> String {
        var pairs: [String] = []
        for argument in arguments {
            let name = argument.name.string ?? ""
            if name == AgentTool.fieldsArgument, argument.value.kind == .object {
                for field in argument.value.members {
                    let path = "\(name).\(field.name.string ?? "")"
                    // Without its condition, a search would find everything.
                    if field.value.kind == .null {
                        throw JSONMembers.refusal(
                            path,
                            "Give a value. To find results without this field, use q: "
                                + "NOT has:\(path).")
                    }
                    try add(path, field.value, to: &pairs)
                }
            } else {
                try add(name, argument.value, to: &pairs)
            }
        }
        return pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
    }

    private static func add(
        _ name: String, _ value: JSONNode, to pairs: inout [String]
    ) throws(Problem) {
        let text: String
        switch value.kind {
        case .null: return
        case .string: text = value.string ?? ""
        case .number:
            // 2.0 is an integer, too (JSON Schema 2020-12, 6.1.1).
            let integer = value.int ?? value.double.flatMap { Int(exactly: $0) }
            text = integer.map(String.init) ?? String(decoding: value.text, as: UTF8.self)
        case .boolean: text = String(decoding: value.text, as: UTF8.self)
        case .array, .object:
            throw JSONMembers.refusal(name, "Expected a string, a number or a Boolean.")
        }
        pairs.append("\(name.percentEncoded)=\(text.percentEncoded)")
    }

    // MARK: The result

    /// The result, from the API's status and JSON.
    package func response(_ status: Status, _ content: [UInt8]) -> Response {
        // What isn't JSON can't be framed.
        guard content.count <= Limits.answerBytes,
            let root = try? JSONDocument(parsing: content).root, root.kind == .object
        else { return failure(Self.tooLarge) }
        let untrusted = root.compactText
        let isError = status.code >= 400
        func frame(_ json: inout JSONWriter, _ untrusted: [UInt8]) {
            json.object { json in
                json.member("notice", AgentProtocol.rule)
                if isError { json.member("error", Self.sentence(about: status)) }
                json.member("untrusted", raw: untrusted)
            }
        }
        var text = JSONWriter(reservingCapacity: untrusted.count + 512)
        frame(&text, Self.visible(untrusted))
        return result(text.bytes, isError: isError) { json in
            if isError { return }
            json.key("structuredContent")
            frame(&json, untrusted)
        }
    }

    /// The result of a call that failed, with a sentence of this server.
    func failure(_ sentence: String) -> Response {
        result(Array(sentence.utf8), isError: true) { _ in }
    }

    private func result(
        _ text: [UInt8], isError: Bool, _ members: (inout JSONWriter) -> Void
    ) -> Response {
        AgentProtocol.result(of: message, version) { json in
            json.array("content") { json in
                json.object { json in
                    json.member("type", "text")
                    json.key("text")
                    json.string(utf8: text)
                }
            }
            members(&json)
            json.member("isError", isError)
        }
    }

    private static func sentence(about status: Status) -> String {
        "The call failed with the status \(status.code), \(status.phrase). untrusted.detail and "
            + "untrusted.errors say why, and what to change before the next call."
    }

    private static let tooLarge =
        "The answer has more than \(Limits.answerBytes) bytes. Ask for less (limit, count, fields), "
        + "or get it from the API: GET /api/v1/results/{id}."

    /// JSON text in which characters that people can't see are escaped, such as marks of direction
    /// and tags, which a model reads all the same.
    static func visible(_ json: [UInt8]) -> [UInt8] {
        guard json.contains(where: { $0 >= 0x7F }) else { return json }
        var text = ""
        for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
            guard isHidden(scalar) else {
                text.unicodeScalars.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                text += "\\u" + Hexadecimal.text(unit, digits: 4)
            }
        }
        return Array(text.utf8)
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        // ASCII's control characters are escaped in all JSON.
        guard scalar.value >= 0x7F else { return false }
        if scalar.properties.isDefaultIgnorableCodePoint { return true }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
            return true
        default: return false
        }
    }
}
