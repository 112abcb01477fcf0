// A callback for the drift comparison: its parameters, with a parsed payload in place of the one
// that carries it.
//
// Invariant: exists only for messages that can be parsed; the diagnostics explain the others.

import JSON

/// The fields at the root of a message.
struct DriftMessage {
    /// The value at a place.
    enum Value {
        /// A parameter's text; its type is the one that it reads as.
        case text([UInt8])
        /// A value in JSON.
        case json(JSONNode)
    }

    /// In the order of the message; of repeated names, the one that is used.
    private(set) var fields: [(name: String, value: Value)] = []

    /// Whether it looks like a link that opens the vendor's app.
    let isLaunch: Bool

    /// Parses a callback; nil if its payload can't be read.
    ///
    /// O(its length).
    init?(_ callback: Callback, by contract: Contract) {
        let callback = WrappedLink(callback, to: contract.vendor)?.callback ?? callback
        var message = Message(callback)
        isLaunch = message.launchedContract != nil
        let root = message.body?.document.root
        if case .json = callback.body, root == nil { return nil }
        let shape = contract.declaration.shape
        if case .body = shape.carrier {
            guard let root, root.kind == .object else { return nil }
            add(root)
            return
        }
        if let root, let name = shape.parameter, shape.isValue(root) {
            fields.append((name, .json(root)))
        } else if root != nil {
            message.adoptBodyMembers()
        }
        message.resolveDuplicates(keeping: shape.preference)
        guard let names = shape.unwrap(&message, callback.target) else { return nil }
        var own = names + [FlowID.parameter]
        if case .json(let carriers) = shape.carrier {
            // One of them carries the value; the others are the partner's own beside it.
            let carrier = fields.isEmpty ? carriers.first { message.has($0) } : nil
            own += carriers.filter { $0 != carrier }
        }
        for parameter in message.parameters {
            let name = String(decoding: message.name(of: parameter), as: UTF8.self)
            if own.contains(name) { continue }
            guard add(name, message.value(of: parameter), shape) else { return nil }
        }
    }

    /// Adds the members of a root; of repeated names, the first.
    private mutating func add(_ root: JSONNode) {
        var names: Set<ArraySlice<UInt8>> = []
        for member in root.members where names.insert(member.name.unescaped).inserted {
            fields.append((member.name.string ?? "", .json(member.value)))
        }
    }

    /// Adds a parameter; false if it carries a value that can't be read.
    private mutating func add(_ name: String, _ text: EscapedText, _ shape: MessageShape) -> Bool {
        switch shape.carrier {
        case .json(let names) where names.contains(name):
            return add(names.first ?? name, text, in: .none)
        case .base64(name, _, _):
            return add(name, text, in: text.escaping == .none ? .none : .base64)
        default:
            let bytes = Array(text.unescaped().bytes)
            if text.escaping == .none, let root = try? JSONDocument(parsing: bytes).root {
                fields.append((name, .json(root)))
            } else {
                fields.append((name, .text(bytes)))
            }
            return true
        }
    }

    /// Adds a value that is carried as JSON, without the layers that a decoder removes; false if
    /// one of them is broken.
    private mutating func add(
        _ name: String, _ text: EscapedText, in wrapping: Payload.Wrapping
    ) -> Bool {
        var ignored = Findings()
        guard let payload = Payload(text, in: wrapping, findings: &ignored) else { return false }
        fields.append((name, .json(payload.document.root)))
        return true
    }
}

extension DriftMessage.Value {
    /// The types that the value can be read as.
    var types: WireTypes {
        switch self {
        case .text(let text):
            var types = WireTypes.string
            if Pseudonyms.number(text) != nil {
                types.insert(.number)
                if !text.contains(where: {
                    $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e")
                }) {
                    types.insert(.integer)
                }
            }
            if text.elementsEqual("true".utf8) || text.elementsEqual("false".utf8) {
                types.insert(.boolean)
            }
            return types
        case .json(let node):
            switch node.kind {
            case .object: return .object
            case .array: return .array
            case .string:
                let isNumber = node.string.map { Pseudonyms.number(Array($0.utf8)) != nil }
                return isNumber == true ? [.string, .numberText] : .string
            case .number: return node.int == nil ? .number : [.number, .integer]
            case .boolean: return .boolean
            case .null: return .null
            }
        }
    }

    /// The type to report: the narrowest one.
    var typeName: String {
        // A string in JSON is reported as a string, whatever its text.
        if case .json(let node) = self, node.kind == .string { return "string" }
        return types.names.last ?? "string"
    }

    /// The value as text; nil for other types.
    var string: String? {
        switch self {
        case .text(let text): String(decoding: text, as: UTF8.self)
        case .json(let node): node.string
        }
    }

    var isNull: Bool {
        if case .json(let node) = self { return node.kind == .null }
        return false
    }
}
