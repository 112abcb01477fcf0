// A pattern of links in the Deeper language, parsed once and matched often. Its other form, Swift's
// operators, writes the text that is parsed here. Left out: scheme and host (RFC 3986 §3.1, §3.2);
// a router serves one host, or inserts it as the first component.

/// A pattern of the paths and queries of links.
///
/// ```
/// pattern = alt [ "?" query ]           alt = seq { "|" seq }       seq = comp { "/" comp }
/// comp    = "*" | ":" param | "(" alt ")" | literal                 brackets without "|": optional
/// param   = name | type "(" [name] ")"  type = num | str | bool | int | double | string
/// query   = qcomp { "&" qcomp }         qcomp = ":" param | "(" ":" param ")"
///                                             | [ "(" ] ":" param { "|" ":" param } [ ")" ]
/// ```
///
/// A match takes the whole path and is decided in one pass without backtracking:
///
/// - a literal matches an equal component, a parameter one component of its type;
/// - an optional group is taken wherever it matches, and otherwise skipped; it may end early only
///   where the path ends;
/// - of an alternative, the longest branch that matches completely is taken, the left one of two
///   that are equally long;
/// - a wildcard takes one component, then stops at the first place where the optional groups after
///   it and the mandatory element (or the end) after those match;
/// - each element of the query takes the first remaining item with its name, a value and the right
///   type; other items are ignored.
///
/// (Deeper README; where its text and code differ, the more useful of the two.)
public struct LinkPattern: Sendable, Equatable {
    /// The elements of the path.
    let path: [PathElement]

    /// The elements of the query, in any order.
    let query: [QueryElement]

    /// How many components a matching link can have; this alone rules out most routes.
    let componentCounts: ClosedRange<Int>

    /// The components of the path that are literals, also those that a match may leave out.
    package var literals: [String] { path.flatMap(\.literals) }

    /// Parses a pattern.
    ///
    /// - Throws: the first error in `text`: a misplaced character, brackets that are open, empty or
    ///   too deep, an unknown type, a parameter without a name, or a pattern that is too long; also
    ///   a wildcard within the window of an earlier wildcard, which could never match or would have
    ///   no definite end.
    /// - Complexity: O(*n*) in the length of `text`, O(*n*²) if most of it is optional groups.
    public init(_ text: String) throws(LinkPatternError) {
        var parser = PatternParser(text)
        path = try parser.path().withWindows()
        query = try parser.query()
        let longestCount = path.contains(where: \.hasWildcard) ? Int.max : path.longestCount
        componentCounts = path.shortestCount...longestCount
    }

    /// The pattern of a path that is written with operators.
    ///
    /// - Throws: an invalid literal or name, and whatever ``init(_:)-(String)`` throws; the offset
    ///   is one in the path's `description`.
    /// - Complexity: that of parsing the text.
    public init(_ path: PathPattern) throws(LinkPatternError) {
        try self.init(path.patternText)
    }

    /// The pattern of a path and a query that is written with operators.
    ///
    /// - Throws: an invalid literal or name, and whatever ``init(_:)-(String)`` throws; the offset
    ///   is one in the pattern's `description`.
    /// - Complexity: that of parsing the text.
    public init(_ pattern: QueryPattern) throws(LinkPatternError) {
        try self.init(pattern.patternText)
    }

    private init(_ text: PatternText) throws(LinkPatternError) {
        if let fault = text.fault { throw fault }
        try self.init(text.text)
    }

    /// The values in `link` for the parameters of this pattern; nil if it doesn't match.
    ///
    /// - Complexity: O(*n* · *m*), for a link of *n* parts and a pattern of *m* elements; O(*m*) if
    ///   the pattern has neither a wildcard nor a query.
    public func match(_ link: Link) -> Parameters? {
        guard componentCounts.contains(link.components.count) else { return nil }
        var matcher = LinkMatcher(link)
        return matcher.matches(self) ? Parameters(matcher.captures) : nil
    }
}

/// One element of a pattern's query.
enum QueryElement: Sendable, Equatable {
    /// The query has an item for the parameter.
    case required(PatternParameter)

    /// The item is captured if it is present.
    case optional(PatternParameter)

    /// The query has an item for one of the parameters; the first one that has an item is used.
    case either([PatternParameter])
}

/// The first error in a pattern's text.
public struct LinkPatternError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong and what would be right, as a phrase.
    public let message: String

    /// The position of the error in UTF-8 bytes; up to the length of the pattern's text.
    public let offset: Int

    /// The message with its position.
    public var description: String { "\(message) (at byte \(offset))" }
}
