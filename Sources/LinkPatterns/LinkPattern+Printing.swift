// Makes a link of a pattern and values. The result is matched again, so it can't be read
// differently.

extension LinkPattern {
    /// The link that this pattern matches with exactly these values for its parameters.
    ///
    /// - A literal is written unchanged, a parameter as its value. The value of a name that occurs
    ///   twice is written twice.
    /// - An optional group is written if a value is given for a parameter in it, and otherwise left
    ///   out.
    /// - Of an alternative, the branch with the most values is written, among those whose required
    ///   values are all given; the leftmost of several.
    /// - An optional item of the query is written if its value is given; of several parameters with
    ///   `|` between them, the first one with a value of its type.
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
        else { throw .ambiguous(target: link.target) }
        return link
    }
}
