// Strict reading of one mapping: each key is read once, and an unread key is an error. Yams parses
// the YAML; this only keeps track.

import Yams

/// One mapping of the configuration file, with its place.
struct ConfigurationSection {
    let file: String
    private let path: String
    private let mapping: Node.Mapping
    private var asked: [String] = []

    /// Reads a node that must be a mapping; `path` is its key, empty for the root.
    init(_ node: Node, file: String, path: String = "") throws(ConfigurationError) {
        guard let mapping = node.mapping else {
            throw .badValue(
                file: file, key: path.isEmpty ? "the document" : path,
                expected: "a mapping of keys to values")
        }
        self.file = file
        self.path = path
        self.mapping = mapping
    }

    /// A converted value; nil if the key is absent.
    ///
    /// Throws `badValue` with `expected` if `convert` returns nil.
    package mutating func value<Value>(
        _ key: String, expected: String, _ convert: (Node) -> Value?
    ) throws(ConfigurationError) -> Value? {
        asked.append(key)
        guard let node = mapping[key] else { return nil }
        guard let value = convert(node) else { throw error(key, expected) }
        return value
    }

    /// A text; nil if the key is absent.
    mutating func text(_ key: String) throws(ConfigurationError) -> String? {
        try value(key, expected: "a string that isn't empty") { node in
            node.string.flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    /// A number within a range, in decimal digits; nil if the key is absent.
    ///
    /// YAML 1.1 reads `030` as octal and `1:30` in base 60; such forms are errors.
    package mutating func number(
        _ key: String, in range: ClosedRange<Int>
    ) throws(ConfigurationError) -> Int? {
        let number = mapping[key]?.int
        let isDecimal = mapping[key]?.scalar?.string == number.map { "\($0)" }
        let expected =
            "a number from \(range.lowerBound) to \(range.upperBound)"
            + (isDecimal ? "" : ", in decimal digits without leading zeros")
        return try value(key, expected: expected) { _ in
            number.flatMap { isDecimal && range.contains($0) ? $0 : nil }
        }
    }

    /// A Boolean; nil if the key is absent.
    mutating func flag(_ key: String) throws(ConfigurationError) -> Bool? {
        try value(key, expected: "true or false") { $0.bool }
    }

    /// One of a list of names; nil if the key is absent.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: String
    ) throws(ConfigurationError) -> Choice? {
        let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        return try value(key, expected: "one of \(names)") { node in
            node.string.flatMap { Choice(rawValue: $0) }
        }
    }

    /// A nested mapping; nil if the key is absent.
    mutating func section(_ key: String) throws(ConfigurationError) -> ConfigurationSection? {
        asked.append(key)
        guard let node = mapping[key] else { return nil }
        return try ConfigurationSection(node, file: file, path: place(key))
    }

    /// A list of mappings; nil if the key is absent.
    mutating func sections(_ key: String) throws(ConfigurationError)
        -> [ConfigurationSection]?
    {
        let nodes = try value(key, expected: "a list") { $0.sequence.map(Array.init) }
        guard let nodes else { return nil }
        var sections: [ConfigurationSection] = []
        for (index, node) in nodes.enumerated() {
            sections.append(
                try ConfigurationSection(node, file: file, path: "\(place(key))[\(index)]"))
        }
        return sections
    }

    /// An error about a value of this mapping.
    func error(_ key: String, _ expected: String) -> ConfigurationError {
        .badValue(file: file, key: place(key), expected: expected)
    }

    /// Throws `unknownKey` for a key that was never read.
    func refuseOthers() throws(ConfigurationError) {
        for (key, _) in mapping {
            let name = key.string ?? "?"
            if !asked.contains(name) {
                throw .unknownKey(file: file, key: place(name), known: asked.sorted())
            }
        }
    }

    private func place(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
}
