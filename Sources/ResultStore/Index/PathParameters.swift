// The parameters of a path in one column of the index: a line each, so that one text search finds a
// name, or a name with its value.
//
// Invariant: a newline ends every line and begins the first, and no name or value has one.

/// The index's form of a path's parameters.
package enum PathParameters {
    /// The lines of parameters; nil if there are none.
    package static func text(of parameters: [String: String]) -> String? {
        if parameters.isEmpty { return nil }
        let lines = parameters.sorted { $0.key < $1.key }.map { name, value in
            start(of: name).dropFirst() + escaped(value)
        }
        return "\n" + lines.joined(separator: "\n") + "\n"
    }

    /// What begins the line of a parameter, with the end of the line before.
    package static func start(of name: String) -> String {
        "\n" + escaped(name).replacing("=", with: "%3D") + "="
    }

    /// The condition that a record has a text in its lines.
    static func contains(_ text: String?) -> SQLPart {
        SQLPart(
            sql: "(parameters IS NOT NULL AND instr(parameters, ?) > 0)",
            values: [(text ?? "").databaseValue])
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\n", with: "%0A").replacing("\0", with: "%00")
    }
}
