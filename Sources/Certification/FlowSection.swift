// Reads one mapping of a flow file: each key once, and an unread key is an error with its line.

import Yams

/// An error in a flow file.
package struct FlowFileError: Error, CustomStringConvertible {
    /// `file:line: expected …`, as editors and CI servers read it.
    package let description: String

    init(file: String, line: Int, expected: String) {
        description = "\(file):\(line): expected \(expected)."
    }

    init(yaml error: any Error, file: String) {
        switch error {
        case YamlError.scanner(_, let problem, let mark, _),
            YamlError.parser(_, let problem, let mark, _),
            YamlError.composer(_, let problem, let mark, _):
            description = "\(file):\(mark.line):\(mark.column): invalid YAML: \(problem)."
        case YamlError.duplicatedKeysInMapping(let keys, let context):
            description =
                "\(file):\(context.mark.line): expected each key once; "
                + "\(keys.joined(separator: ", ")) is repeated."
        default: description = "\(file):1: invalid YAML."
        }
    }
}

/// One mapping with its place in the file.
struct FlowSection {
    private let file: String
    private let line: Int
    private let mapping: Node.Mapping
    private var asked: [String] = []

    init(_ node: Node, file: String) throws(FlowFileError) {
        line = node.mark?.line ?? 1
        self.file = file
        guard let mapping = node.mapping else {
            throw FlowFileError(file: file, line: line, expected: "keys and values here")
        }
        self.mapping = mapping
    }

    /// The node of a key; nil if it is absent.
    mutating func node(_ key: String) -> Node? {
        asked.append(key)
        return mapping[key]
    }

    /// A converted scalar; nil if the key is absent.
    mutating func text<Value>(
        _ key: String, expected: @autoclosure () -> String, _ convert: (String) -> Value?
    ) throws(FlowFileError) -> Value? {
        guard let node = node(key) else { return nil }
        if let value = node.scalar.flatMap({ convert($0.string) }) { return value }
        throw FlowFileError(
            file: file, line: node.mark?.line ?? line, expected: "\(key): \(expected())")
    }

    /// A scalar that must be there.
    mutating func required<Value>(
        _ key: String, _ expected: String, _ convert: (String) -> Value?
    ) throws(FlowFileError) -> Value {
        if let value = try text(key, expected: expected, convert) { return value }
        throw FlowFileError(file: file, line: line, expected: "\(key): \(expected)")
    }

    /// The nodes of a list; nil if the key is absent.
    mutating func list(_ key: String) throws(FlowFileError) -> [Node]? {
        guard let node = node(key) else { return nil }
        if let sequence = node.sequence { return Array(sequence) }
        throw FlowFileError(file: file, line: node.mark?.line ?? line, expected: "\(key): a list")
    }

    /// A nested mapping; nil if the key is absent.
    mutating func section(_ key: String) throws(FlowFileError) -> FlowSection? {
        guard let node = node(key) else { return nil }
        return try FlowSection(node, file: file)
    }

    /// Keys with scalars, nil for null, each with its line; nil if the key is absent.
    mutating func scalars(
        _ key: String
    ) throws(FlowFileError) -> [(key: String, value: String?, line: Int)]? {
        guard let node = node(key) else { return nil }
        guard let mapping = node.mapping else {
            throw FlowFileError(
                file: file, line: node.mark?.line ?? line, expected: "\(key): keys and values")
        }
        var scalars: [(key: String, value: String?, line: Int)] = []
        for (name, value) in mapping {
            let place = value.mark?.line ?? name.mark?.line ?? line
            guard let name = name.string, let scalar = value.scalar else {
                throw FlowFileError(file: file, line: place, expected: "a text, number or null")
            }
            scalars.append((name, value.isNull ? nil : scalar.string, place))
        }
        return scalars
    }

    /// An error about the whole mapping.
    func error(_ expected: String) -> FlowFileError {
        FlowFileError(file: file, line: line, expected: expected)
    }

    /// Throws for a key that was never read.
    func refuseOthers() throws(FlowFileError) {
        for (key, _) in mapping {
            let name = key.string ?? "?"
            if !asked.contains(name) {
                throw FlowFileError(
                    file: file, line: key.mark?.line ?? line,
                    expected: "one of \(asked.joined(separator: ", ")); found \(name)")
            }
        }
    }
}

extension Node {
    /// Whether the scalar is null: `null`, `~`, or nothing at all.
    var isNull: Bool { tag == Tag(.null) }
}
