// Patterns with values into links. What is printed has been matched again: it can't be read otherwise.

extension LinkPattern {
    /// The link that this pattern matches with exactly these values for its parameters.
    ///
    /// - A literal is written as it is, a parameter as its value. The value of a name that comes
    ///   twice is written twice.
    /// - An optional group is written when a value is given for a parameter in it, else left out.
    /// - Of an alternative, the branch with the most values is written among those for which every
    ///   value that they need is given, the left one of several.
    /// - An optional item of the query is written when its value is given; of several parameters
    ///   with `|` between them, the first one with a value of its type.
    ///
    /// ```swift
    /// try LinkPattern("recipe/:num(id)?(:from)").link(with: ["id": "5"]).target  // /recipe/5
    /// ```
    ///
    /// - Throws: why there is no such link.
    /// - Complexity: O(*n*) in the elements of the pattern, O(*n* · *d*) with groups *d* deep, and
    ///   that of one match.
    public func link(
        with values: [String: String] = [:]
    ) throws(LinkPrintingError) -> Link {
        let link = try LinkPrinter(values: values).link(of: self)
        let captures = match(link)?.captures
        guard let captures, captures.count == values.count,
            captures.allSatisfy({ values[$0.name] == $0.value })
        else { throw .readOtherwise(target: link.target) }
        return link
    }
}
