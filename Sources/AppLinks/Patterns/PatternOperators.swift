// The operators of the pattern language. Those that Swift has keep Swift's precedence, and the four
// others bind like `*` and `/`. Invariant: every operand is a type of this module, or a string
// literal beside one, so that no expression of an importing program changes its meaning.

/// The left path, and then the right one if it is there.
infix operator /? : MultiplicationPrecedence

/// A path, and a query that must have an item.
infix operator .? : MultiplicationPrecedence

/// A path, and a query that may have an item.
infix operator .?? : MultiplicationPrecedence

/// A query that may have a further item.
infix operator &? : MultiplicationPrecedence

extension PathPattern {
    /// The left path, and then the right one.
    public static func / (left: PathPattern, right: PathPattern) -> PathPattern {
        left.followed(by: right)
    }

    /// The left path, and then the right one.
    public static func / (left: PathPattern, right: PatternParameter) -> PathPattern {
        left.followed(by: PathPattern(right))
    }

    /// The left path, and then the right one.
    public static func / (left: PatternParameter, right: PathPattern) -> PathPattern {
        PathPattern(left).followed(by: right)
    }

    /// The left path, and then the right one if it is there.
    public static func /? (left: PathPattern, right: PathPattern) -> PathPattern {
        left.followed(by: right.optional)
    }

    /// The left path, and then the right one if it is there.
    public static func /? (left: PathPattern, right: PatternParameter) -> PathPattern {
        left.followed(by: PathPattern(right).optional)
    }

    /// The left path, and then the right one if it is there.
    public static func /? (left: PatternParameter, right: PathPattern) -> PathPattern {
        PathPattern(left).followed(by: right.optional)
    }

    /// One of two paths: the longer one that fits, the left one of two as long.
    public static func | (left: PathPattern, right: PathPattern) -> PathPattern {
        left.or(right)
    }

    /// One of two paths: the longer one that fits, the left one of two as long.
    public static func | (left: PathPattern, right: PatternParameter) -> PathPattern {
        left.or(PathPattern(right))
    }

    /// One of two paths: the longer one that fits, the left one of two as long.
    public static func | (left: PatternParameter, right: PathPattern) -> PathPattern {
        PathPattern(left).or(right)
    }

    /// A path, and a query that must have an item.
    public static func .? (left: PathPattern, right: PatternParameter) -> QueryPattern {
        QueryPattern(left, ParameterChoice(right))
    }

    /// A path, and a query that must have an item for one of the parameters.
    public static func .? (left: PathPattern, right: ParameterChoice) -> QueryPattern {
        QueryPattern(left, right)
    }

    /// A path, and a query that may have an item.
    public static func .?? (left: PathPattern, right: PatternParameter) -> QueryPattern {
        QueryPattern(left, ParameterChoice(right), isOptional: true)
    }
}

extension PatternParameter {
    /// The left path, and then the right one.
    public static func / (left: PatternParameter, right: PatternParameter) -> PathPattern {
        PathPattern(left).followed(by: PathPattern(right))
    }

    /// The left path, and then the right one if it is there.
    public static func /? (left: PatternParameter, right: PatternParameter) -> PathPattern {
        PathPattern(left).followed(by: PathPattern(right).optional)
    }

    /// One of two paths: the longer one that fits, the left one of two as long.
    public static func | (left: PatternParameter, right: PatternParameter) -> PathPattern {
        PathPattern(left).or(PathPattern(right))
    }

    /// A path, and a query that must have an item.
    public static func .? (left: PatternParameter, right: PatternParameter) -> QueryPattern {
        QueryPattern(PathPattern(left), ParameterChoice(right))
    }

    /// A path, and a query that must have an item for one of the parameters.
    public static func .? (left: PatternParameter, right: ParameterChoice) -> QueryPattern {
        QueryPattern(PathPattern(left), right)
    }

    /// A path, and a query that may have an item.
    public static func .?? (left: PatternParameter, right: PatternParameter) -> QueryPattern {
        QueryPattern(PathPattern(left), ParameterChoice(right), isOptional: true)
    }

    /// An item of a query for one of two parameters, for the left one if there are both.
    public static func | (left: PatternParameter, right: PatternParameter) -> ParameterChoice {
        ParameterChoice(left).or(right)
    }
}

extension QueryPattern {
    /// A query that must have a further item.
    public static func & (left: QueryPattern, right: PatternParameter) -> QueryPattern {
        left.and(ParameterChoice(right))
    }

    /// A query that must have a further item for one of the parameters.
    public static func & (left: QueryPattern, right: ParameterChoice) -> QueryPattern {
        left.and(right)
    }

    /// A query that may have a further item.
    public static func &? (left: QueryPattern, right: PatternParameter) -> QueryPattern {
        left.and(ParameterChoice(right), isOptional: true)
    }
}

extension ParameterChoice {
    /// An item of a query for one of the parameters, for the first that there is one for.
    public static func | (left: ParameterChoice, right: PatternParameter) -> ParameterChoice {
        left.or(right)
    }
}
