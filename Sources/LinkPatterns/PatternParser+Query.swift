// The query of a pattern, after the first `?`: parameters by name, in any order.

extension PatternParser {
    /// Parses the rest of the text as a query; empty if there is no `?`.
    mutating func query() throws(LinkPatternError) -> [QueryElement] {
        guard skip(UInt8(ascii: "?")) else { return [] }
        var elements: [QueryElement] = []
        repeat {
            elements.append(try queryElement())
        } while skip(UInt8(ascii: "&"))
        if index < bytes.count {
            throw fault("a query parameter ends here: '&', '|' or nothing may follow", at: index)
        }
        return elements
    }

    /// `":" param`, `"(" ":" param ")"` or several parameters with `|` between them.
    private mutating func queryElement() throws(LinkPatternError) -> QueryElement {
        let start = index
        let hasBrackets = skip(UInt8(ascii: "("))
        var parameters: [PatternParameter] = []
        repeat {
            parameters.append(try queryParameter())
        } while skip(UInt8(ascii: "|"))
        if hasBrackets, !skip(UInt8(ascii: ")")) {
            if peek() == nil { throw fault("this bracket is not closed", at: start) }
            throw fault("these brackets hold parameters between '|'; ')' must follow", at: index)
        }
        if parameters.count > 1 { return .either(parameters) }
        return hasBrackets ? .optional(parameters[0]) : .required(parameters[0])
    }

    private mutating func queryParameter() throws(LinkPatternError) -> PatternParameter {
        let start = index
        guard peek() == UInt8(ascii: ":") else {
            throw fault("a query parameter begins with ':'", at: start)
        }
        let parameter = try parameter(before: UInt8(ascii: "&"))
        guard parameter.name != nil else {
            throw fault("a query parameter needs a name to be found by", at: start)
        }
        return parameter
    }
}
