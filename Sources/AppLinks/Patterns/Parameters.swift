// What a match captured: names and texts in the order of the pattern, each name once.
// A typed parameter was validated, but its text stays as the link had it until somebody asks for a
// value.

/// The captured parameters of a match.
public struct Parameters: Sendable, Equatable {
    /// One captured text.
    public struct Capture: Sendable, Equatable {
        /// The parameter's name, without its type.
        public let name: String

        /// The component or query value, percent-decoded.
        public let value: String
    }

    /// The captures in the order in which their names first came.
    public let captures: [Capture]

    /// No captures, or those in `log`, where later ones overwrite earlier ones of the same name
    /// (Deeper README).
    init(_ log: [Capture] = []) {
        // Names rarely repeat, and then the log is what is asked for, without a copy.
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

    /// The text that was captured under `name`, typed or not; nil when there is none.
    ///
    /// - Complexity: O(*n*) in the number of captures.
    public subscript(name: String) -> String? {
        captures.first { $0.name == name }?.value
    }

    /// The text that was captured for a parameter; nil when there is none.
    public subscript(parameter: PatternParameter) -> String? {
        parameter.name.flatMap { self[$0] }
    }

    /// The whole number under `name`; nil when nothing was captured, or something else.
    public func int(_ name: String) -> Int? {
        self[name].flatMap { Int($0) }
    }

    /// The number under `name`, as Swift reads it: `nan` and `inf` are numbers too; nil when nothing
    /// was captured, or something else.
    public func double(_ name: String) -> Double? {
        self[name].flatMap { Double($0) }
    }

    /// The truth value under `name`: `true`, `false`, `1` or `0`; nil when nothing was captured, or
    /// something else.
    ///
    /// Letter case doesn't count.
    public func bool(_ name: String) -> Bool? {
        self[name].flatMap { ParameterType.bool(in: $0) }
    }
}
