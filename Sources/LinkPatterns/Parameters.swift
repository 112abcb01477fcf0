// The captures of a match: names and texts in the order of the pattern, each name once. A typed
// parameter has been validated, but its text is converted only when a value is requested.

/// The captured parameters of a match.
public struct Parameters: Sendable, Equatable {
    /// One captured text.
    public struct Capture: Sendable, Equatable {
        /// The parameter's name, without its type.
        public let name: String

        /// The component or query value, percent-decoded.
        public let value: String
    }

    /// The captures in the order in which their names first occurred.
    public let captures: [Capture]

    /// Makes captures of `log`; a later one overwrites an earlier one with the same name (Deeper
    /// README).
    init(_ log: [Capture] = []) {
        // Names rarely repeat; then the log is used without a copy.
        var captures = log
        var index = 1
        while index < captures.count {
            let name = captures[index].name
            if let earlier = captures[..<index].firstIndex(where: { $0.name == name }) {
                captures[earlier] = captures.remove(at: index)
            } else {
                index += 1
            }
        }
        self.captures = captures
    }

    /// The text captured under `name`, typed or not; nil if absent.
    ///
    /// - Complexity: O(*n*) in the number of captures.
    public subscript(name: String) -> String? {
        captures.first { $0.name == name }?.value
    }

    /// The text captured for a parameter; nil if absent.
    public subscript(parameter: PatternParameter) -> String? {
        parameter.name.flatMap { self[$0] }
    }

    /// The integer under `name`; nil if nothing was captured, or something else.
    public func int(_ name: String) -> Int? {
        self[name].flatMap { Int($0) }
    }

    /// The number under `name`, as Swift parses it (`nan` and `inf` are numbers too); nil if
    /// nothing was captured, or something else.
    public func double(_ name: String) -> Double? {
        self[name].flatMap { Double($0) }
    }

    /// The boolean under `name`: `true`, `false`, `1` or `0`; nil if nothing was captured, or
    /// something else.
    ///
    /// Ignores case.
    public func bool(_ name: String) -> Bool? {
        self[name].flatMap { ParameterType.bool(in: $0) }
    }
}
