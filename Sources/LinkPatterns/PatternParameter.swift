// `:name`, `:type(name)` or `:type()`: one parameter, in a path or in a query.

/// A parameter of a pattern: captures one text of a type, under a name.
///
/// ```swift
/// extension PatternParameter { static let userId = PatternParameter("userId") }
///
/// let pattern = try LinkPattern("user" / .userId)
/// pattern.match(link)?[.userId]
/// ```
///
/// A name can't be empty, unless there is a type, or contain `( ) | * : ?`, nor `/` in a path and
/// `&` in a query; patterns with other names throw.
public struct PatternParameter: Sendable, Equatable, CustomStringConvertible {
    /// The name of the captured text; nil to only validate the text.
    let name: String?

    /// The type of the text; nil for any text.
    let type: ParameterType?

    init(name: String?, type: ParameterType?) {
        self.name = name
        self.type = type
    }

    /// Matches any text.
    public init(_ name: String) {
        self.init(name: name, type: nil)
    }

    /// Matches any text: `:name`.
    public static func named(_ name: String) -> PatternParameter {
        PatternParameter(name)
    }

    /// Matches what Swift parses as a `Double`; without a name it only validates.
    public static func num(_ name: String = "") -> PatternParameter {
        PatternParameter(name, .num)
    }

    /// Matches any text; without a name it only requires that there is one.
    public static func str(_ name: String = "") -> PatternParameter {
        PatternParameter(name, .str)
    }

    /// Matches `true` and `false` in any case, `0` and `1`; without a name it only validates.
    public static func bool(_ name: String = "") -> PatternParameter {
        PatternParameter(name, .bool)
    }

    /// Matches what Swift parses as an `Int`; without a name it only validates.
    public static func int(_ name: String = "") -> PatternParameter {
        PatternParameter(name, .int)
    }

    /// The same as ``num(_:)``, with the name in Deeper's later version.
    public static func double(_ name: String = "") -> PatternParameter {
        PatternParameter(name, .double)
    }

    /// The same as ``str(_:)``, with the name in Deeper's later version.
    public static func string(_ name: String = "") -> PatternParameter {
        PatternParameter(name, .string)
    }

    private init(_ name: String, _ type: ParameterType) {
        self.init(name: name.isEmpty ? nil : name, type: type)
    }

    /// Whether `text` is a valid value of this parameter.
    func accepts(_ text: String) -> Bool {
        type?.accepts(text) ?? true
    }

    /// The parameter as in a pattern.
    public var description: String {
        let name = name ?? ""
        return if let type { ":\(type.rawValue)(\(name))" } else { ":\(name)" }
    }
}
