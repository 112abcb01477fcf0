// The operators of the pattern language. Swift's own operators keep their precedence, and the
// others bind like `*` and `/`, except `.&?`, which binds like `.&`. Invariant: every operand is a
// type of this module, or a string literal beside one, so no expression of an importing program
// changes its meaning.

/// The left path, optionally followed by the right one.
infix operator /? : MultiplicationPrecedence

/// A path, and a query with a required item.
infix operator .? : MultiplicationPrecedence

/// A path, and a query with an optional item.
infix operator .?? : MultiplicationPrecedence

/// A query with a further optional item.
infix operator &? : MultiplicationPrecedence

/// A query with a further optional item; binds like Swift's `.&`.
infix operator .&? : LogicalConjunctionPrecedence

extension PathPattern {
    /// The left path followed by the right one.
    public static func / (left: PathPattern, right: PathPattern) -> PathPattern {
        left.followed(by: right)
    }

    /// The left path followed by the right one.
    public static func / (left: PathPattern, right: PatternParameter) -> PathPattern {
        left.followed(by: PathPattern(right))
    }

    /// The left path followed by the right one.
    public static func / (left: PatternParameter, right: PathPattern) -> PathPattern {
        PathPattern(left).followed(by: right)
    }

    /// The left path, optionally followed by the right one.
    public static func /? (left: PathPattern, right: PathPattern) -> PathPattern {
        left.followed(by: right.optional)
    }

    /// The left path, optionally followed by the right one.
    public static func /? (left: PathPattern, right: PatternParameter) -> PathPattern {
        left.followed(by: PathPattern(right).optional)
    }

    /// The left path, optionally followed by the right one.
    public static func /? (left: PatternParameter, right: PathPattern) -> PathPattern {
        PathPattern(left).followed(by: right.optional)
    }

    /// One of two paths: the longest that matches, the left one of two equally long.
    public static func | (left: PathPattern, right: PathPattern) -> PathPattern {
        left.or(right)
    }

    /// One of two paths: the longest that matches, the left one of two equally long.
    public static func | (left: PathPattern, right: PatternParameter) -> PathPattern {
        left.or(PathPattern(right))
    }

    /// One of two paths: the longest that matches, the left one of two equally long.
    public static func | (left: PatternParameter, right: PathPattern) -> PathPattern {
        PathPattern(left).or(right)
    }

    /// A path, and a query with a required item.
    public static func .? (left: PathPattern, right: PatternParameter) -> QueryPattern {
        QueryPattern(left, ParameterChoice(right))
    }

    /// A path, and a query with a required item for one of the parameters.
    public static func .? (left: PathPattern, right: ParameterChoice) -> QueryPattern {
        QueryPattern(left, right)
    }

    /// A path, and a query with an optional item.
    public static func .?? (left: PathPattern, right: PatternParameter) -> QueryPattern {
        QueryPattern(left, ParameterChoice(right), isOptional: true)
    }
}

extension PatternParameter {
    /// The left path followed by the right one.
    public static func / (left: PatternParameter, right: PatternParameter) -> PathPattern {
        PathPattern(left).followed(by: PathPattern(right))
    }

    /// The left path, optionally followed by the right one.
    public static func /? (left: PatternParameter, right: PatternParameter) -> PathPattern {
        PathPattern(left).followed(by: PathPattern(right).optional)
    }

    /// One of two paths: the longest that matches, the left one of two equally long.
    public static func | (left: PatternParameter, right: PatternParameter) -> PathPattern {
        PathPattern(left).or(PathPattern(right))
    }

    /// A path, and a query with a required item.
    public static func .? (left: PatternParameter, right: PatternParameter) -> QueryPattern {
        QueryPattern(PathPattern(left), ParameterChoice(right))
    }

    /// A path, and a query with a required item for one of the parameters.
    public static func .? (left: PatternParameter, right: ParameterChoice) -> QueryPattern {
        QueryPattern(PathPattern(left), right)
    }

    /// A path, and a query with an optional item.
    public static func .?? (left: PatternParameter, right: PatternParameter) -> QueryPattern {
        QueryPattern(PathPattern(left), ParameterChoice(right), isOptional: true)
    }

    /// A query item for one of two parameters; the left one if both have an item.
    public static func | (left: PatternParameter, right: PatternParameter) -> ParameterChoice {
        ParameterChoice(left).or(right)
    }
}

extension QueryPattern {
    /// A query with a further required item.
    public static func & (left: QueryPattern, right: PatternParameter) -> QueryPattern {
        left.and(ParameterChoice(right))
    }

    /// A query with a further required item for one of the parameters.
    public static func & (left: QueryPattern, right: ParameterChoice) -> QueryPattern {
        left.and(right)
    }

    /// A query with a further optional item.
    public static func &? (left: QueryPattern, right: PatternParameter) -> QueryPattern {
        left.and(ParameterChoice(right), isOptional: true)
    }

    /// A query with a further required item: `&` as Deeper's README writes it.
    public static func .& (left: QueryPattern, right: PatternParameter) -> QueryPattern {
        left & right
    }

    /// A query with a further required item for one of the parameters.
    public static func .& (left: QueryPattern, right: ParameterChoice) -> QueryPattern {
        left & right
    }

    /// A query with a further optional item: `&?` as Deeper's README writes it.
    public static func .&? (left: QueryPattern, right: PatternParameter) -> QueryPattern {
        left &? right
    }
}

extension ParameterChoice {
    /// A query item for one of the parameters; the first that has an item.
    public static func | (left: ParameterChoice, right: PatternParameter) -> ParameterChoice {
        left.or(right)
    }
}
