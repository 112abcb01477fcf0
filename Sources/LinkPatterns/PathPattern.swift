// Paths of patterns in Swift syntax. A path is the text of the grammar's `alt`. Brackets are added
// when an operator combines it, so `a | b | c` is one alternative of three.

/// A path of a link pattern, written with operators.
///
/// ```swift
/// extension PathPattern { static let profile: PathPattern = "profile" }
/// extension PatternParameter { static let userId = PatternParameter("userId") }
///
/// try LinkPattern(.profile / .userId)                     // profile/:userId
/// try LinkPattern((.profile | "user") /? "info" / .num("id"))  // (profile|user)/(info)/:num(id)
/// try LinkPattern(.any / "end" .? .userId &? .locale)     // */end?:userId&(:locale)
/// ```
///
/// | operator | meaning | precedence |
/// |---|---|---|
/// | `/` | then | multiplication |
/// | `/?` | then, optionally | multiplication |
/// | `.?` `.??` | begins the query with a required or an optional item | multiplication |
/// | `&` `&?` | a further item of the query, required or optional | multiplication |
/// | `\|` | or | addition: `a \| b / c` is `a`, or `b/c` |
///
/// A string literal is one component, used unchanged: it can't be empty or contain `/ ( ) | * : ?`.
/// Nothing here traps: an invalid literal or name, and everything that is invalid in a pattern's
/// text, is thrown by ``LinkPattern/init(_:)-(PathPattern)``.
public struct PathPattern: Sendable, Equatable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// The text, without brackets around an alternative.
    private let text: PatternText
    private let isAlternative: Bool

    /// The path without components.
    ///
    /// A pattern begins with it if its first part is optional, or if it has only a query.
    public static let root = PathPattern(PatternText())

    /// The wildcard: one or more components, up to what follows.
    public static let any = PathPattern { $0.write("*") }

    /// One component, exactly this one.
    public init(stringLiteral component: String) {
        self.init { $0.write(literal: component) }
    }

    /// One component that is only known at run time, exactly this one.
    public init(component: String) {
        self.init { $0.write(literal: component) }
    }

    /// The path as in a pattern's text.
    public var description: String { text.text }

    /// The path as the text of a whole pattern.
    var patternText: PatternText { text }

    init(_ parameter: PatternParameter) {
        self.init { $0.write(parameter, before: UInt8(ascii: "/")) }
    }

    private init(_ text: PatternText, isAlternative: Bool = false) {
        self.text = text
        self.isAlternative = isAlternative
    }

    private init(_ write: (inout PatternText) -> Void) {
        var text = PatternText()
        write(&text)
        self.init(text)
    }

    /// The text with brackets around an alternative, as a part of a longer path.
    private var sequence: PatternText { isAlternative ? inBrackets : text }

    private var inBrackets: PatternText {
        var piece = PatternText()
        piece.write("(")
        piece.write(text)
        piece.write(")")
        return piece
    }

    /// The path as an optional group.
    var optional: PathPattern {
        PathPattern(PathPattern(sequence).inBrackets)
    }

    /// This path followed by another.
    func followed(by other: PathPattern) -> PathPattern {
        if text.isEmpty { return PathPattern(other.sequence) }
        if other.text.isEmpty { return PathPattern(sequence) }
        return PathPattern {
            $0.write(sequence)
            $0.write("/")
            $0.write(other.sequence)
        }
    }

    /// Either this path or another.
    func or(_ other: PathPattern) -> PathPattern {
        var piece = text
        piece.write("|")
        piece.write(other.text)
        return PathPattern(piece, isAlternative: true)
    }
}
