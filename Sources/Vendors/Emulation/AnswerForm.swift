// The values of a finished callback that a person can change on the emulated app's screen.
//
// Invariant: what isn't changed goes back as it was generated. Left out: how inputs look, and
// checks; an invalid value is worth sending too.

import JSON

/// One value that a contract lets a person change, as the vendor declares it.
struct AnswerInput: Sendable {
    /// Names in the carried value, separated by dots; `*` is every element.
    let path: String
    /// Its name for people.
    let label: String

    init(_ path: String, _ label: String) {
        self.path = path
        self.label = label
    }
}

/// The inputs of a screen, made from the callback that the app would send.
public struct AnswerForm: Sendable {
    /// One value of the callback.
    public struct Input: Sendable {
        /// The generated value.
        let node: JSONNode
        /// Its name for people.
        public let label: String
        /// The values that the contract lists; empty if it lists none.
        public let choices: [String]
        /// The range of a number; nil without bounds.
        public let range: ClosedRange<Double>?
        /// Whether the contract expects a number.
        public let isNumber: Bool
        /// Whether the contract lets it be absent.
        public let isOptional: Bool

        /// Its place in the carried value (RFC 6901).
        public var pointer: String { node.pointer }
        /// The generated value as text without quotation marks.
        public var text: String { node.string ?? String(decoding: node.text, as: UTF8.self) }
    }

    /// Maximum inputs of a screen; later values can be changed in the JSON only.
    static let most = 100

    /// The value that the callback carries.
    public let root: JSONNode
    /// The values to change, in declared order.
    public let inputs: [Input]

    /// Reads the result of an app's finished work; nil if it carries neither JSON nor parameters.
    public init?(of app: VendorApp) {
        let declaration = app.contract.declaration
        guard let answer = try? app.answers(.completed).first,
            let value = CallbackForm.value(in: answer.query, of: app.contract),
            let root = try? JSONDocument(parsing: value).root
        else { return nil }
        self.root = root
        let parent = declaration.shape.parameter.map { [$0] } ?? []
        let inputs = (declaration.app?.inputs ?? []).flatMap { declared in
            let path = declared.path.split(separator: ".").map(String.init)
            let field = declaration.fields.first { $0.path == parent + path }
            let nodes = Self.scalars(at: path[...], in: root)
            return nodes.enumerated().map { index, node in
                Input(
                    node: node,
                    label: nodes.count == 1 ? declared.label : "\(declared.label) \(index + 1)",
                    choices: field?.values ?? [], range: field?.range,
                    isNumber: field?.types.isDisjoint(with: [.number, .integer]) == false,
                    isOptional: field?.presence == .optional)
            }
        }
        self.inputs = Array(inputs.prefix(Self.most))
    }

    /// The value with other texts at some of its inputs, as compact JSON.
    ///
    /// An empty text removes the value. A text that replaces a number, boolean or null stays one if
    /// it can; otherwise it becomes a string.
    ///
    /// - Parameter texts: by pointer; those without an input are ignored.
    public func value(with texts: [String: String]) -> [UInt8] {
        var changes: [Int: String] = [:]
        for input in inputs {
            if let text = texts[input.pointer], text != input.text {
                changes[input.node.index] = text
            }
        }
        var json = JSONWriter()
        Self.write(root, changes, to: &json)
        return json.bytes
    }

    private static func scalars(at path: ArraySlice<String>, in node: JSONNode) -> [JSONNode] {
        guard let name = path.first else {
            return node.kind == .object || node.kind == .array ? [] : [node]
        }
        let children =
            node.kind == .array
            ? Array(node.elements)
            : node.members.filter { name == "*" || $0.name.string == name }.map(\.value)
        return children.flatMap { scalars(at: path.dropFirst(), in: $0) }
    }

    private static func write(
        _ node: JSONNode, _ changes: [Int: String], to json: inout JSONWriter
    ) {
        if let text = changes[node.index] { return write(text, inPlaceOf: node, to: &json) }
        switch node.kind {
        case .object:
            json.object { json in
                for member in node.members where changes[member.value.index] != "" {
                    json.key(member.name.string ?? "")
                    write(member.value, changes, to: &json)
                }
            }
        case .array:
            json.array { json in
                for element in node.elements where changes[element.index] != "" {
                    write(element, changes, to: &json)
                }
            }
        case .string, .number, .boolean, .null: json.raw(node.text)
        }
    }

    private static func write(_ text: String, inPlaceOf node: JSONNode, to json: inout JSONWriter) {
        guard node.kind != .string else { return json.value(text) }
        let bytes = Array(text.utf8)
        switch (try? JSONDocument(parsing: bytes).root)?.kind {
        case .number, .boolean, .null: json.raw(bytes)
        default: json.value(text)
        }
    }
}
