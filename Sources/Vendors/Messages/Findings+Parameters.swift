// Diagnostics for a message's parameters. Left out: errors in a value, which each decoder describes
// itself.

import Text

extension Findings {
    /// Adds: no contract has this parameter; it is kept as text.
    ///
    /// - Parameter names: the contract's names, one of which may have been meant.
    mutating func addUnknownParameter(
        _ parameter: Parameter, named name: ArraySlice<UInt8>, insteadOf names: [String] = []
    ) {
        add(
            .info, parameter.containerLayer, "unknown_parameter", in: parameter.part,
            at: parameter.offset, expected: "a parameter of the contract",
            found: Excerpt.quoted(name),
            hint: Spelling.nearest(to: name, of: names).map { "perhaps \($0) is meant" })
    }

    /// Adds: the parameter that carries the payload is missing, so nothing can be decoded.
    mutating func addMissingPayload(_ name: String, hint: String) {
        add(
            .error, .model, "missing_parameter", expected: "the parameter \(name)", found: "none",
            hint: hint)
    }
}
