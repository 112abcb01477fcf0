// `:name`, `:type(name)` or `:type()`: one parameter, in a path or in a query.

/// A parameter of a pattern: takes one text of a type, under a name.
struct PatternParameter: Sendable, Equatable, CustomStringConvertible {
    /// The name of the captured text; nil when the text is only validated.
    let name: String?

    /// What the text must look like; nil when any text will do.
    let type: ParameterType?

    /// Whether `text` may be this parameter's value.
    func accepts(_ text: String) -> Bool {
        type?.accepts(text) ?? true
    }

    /// The parameter as it is written in a pattern.
    var description: String {
        let name = name ?? ""
        return if let type { ":\(type.rawValue)(\(name))" } else { ":\(name)" }
    }
}
