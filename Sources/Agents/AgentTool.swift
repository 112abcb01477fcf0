// A tool as data: its name, what it is for, its arguments and the members of its result, and the
// route of the API that it stands for.

import JSON

/// One tool.
package struct AgentTool: Sendable {
    /// How a call becomes a request to the API.
    package enum Way: Sendable {
        /// GET; the arguments are the query.
        case query(String)
        /// GET of the thing that the argument `id` names; further arguments are the query.
        case item(String)
        /// POST; the arguments are the body.
        case object(String)
        /// POST; the argument `content` is the body, and further arguments are the query.
        case file(String)
        /// Several requests, as of a device.
        case trip
    }

    /// An argument of a tool, or a member of its result.
    struct Member: Sendable {
        let name: String
        /// The type as JSON Schema names it; nil for any.
        let type: String?
        let meaning: String
        let isRequired: Bool
        /// The possible texts; empty for any.
        let choices: [String]

        init(
            _ name: String, _ type: String?, _ meaning: String, isRequired: Bool = false,
            choices: [String] = []
        ) {
            self.name = name
            self.type = type
            self.meaning = meaning
            self.isRequired = isRequired
            self.choices = choices
        }
    }

    package let name: String
    let title: String
    let meaning: String
    package let way: Way
    let arguments: [Member]
    /// Members of the API's response.
    let members: [Member]
    /// Whether a call leaves records.
    let stores: Bool
    /// Whether a call waits for others, or may send something to them.
    let reachesOut: Bool

    /// The argument whose members are conditions on fields of results.
    static let fieldsArgument = "result"

    /// The definition, as `tools/list` gives it.
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", name)
            json.member("title", title)
            json.member("description", "\(meaning) \(AgentProtocol.rule)")
            json.key("inputSchema")
            Self.schema(of: arguments, isClosed: true, &json)
            json.key("outputSchema")
            writeOutput(to: &json)
            json.object("annotations") { json in
                json.member("title", title)
                json.member("readOnlyHint", !stores)
                json.member("destructiveHint", false)
                json.member("idempotentHint", !stores)
                json.member("openWorldHint", reachesOut)
            }
        }
    }

    private func writeOutput(to json: inout JSONWriter) {
        json.object { json in
            json.member("type", "object")
            json.object("properties") { json in
                json.object("notice") { json in
                    json.member("type", "string")
                    json.member("const", AgentProtocol.rule)
                }
                json.key("untrusted")
                Self.schema(of: members, isClosed: false, &json)
            }
            json.array("required") { json in
                json.value("notice")
                json.value("untrusted")
            }
        }
    }

    private static func schema(
        of members: [Member], isClosed: Bool, _ json: inout JSONWriter
    ) {
        json.object { json in
            json.member("type", "object")
            json.object("properties") { json in
                for member in members {
                    json.object(member.name) { json in
                        if let type = member.type { json.member("type", type) }
                        json.member("description", member.meaning)
                        if member.choices.isEmpty { return }
                        json.member("enum", member.choices)
                    }
                }
            }
            json.array("required") { json in
                for member in members where member.isRequired { json.value(member.name) }
            }
            if isClosed { json.member("additionalProperties", false) }
        }
    }
}

extension AgentTool {
    /// The pattern of the route that the tool stands for; nil if it makes several requests.
    package var route: String? {
        switch way {
        case .query(let path), .item(let path), .object(let path), .file(let path): path
        case .trip: nil
        }
    }
}
