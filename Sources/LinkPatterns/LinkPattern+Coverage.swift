// Whether one pattern matches every link that another one matches, so that a router never reaches
// the other one after it. "No" may also mean "unknown"; "yes" is always correct. Left out: patterns
// that choose between ways, unless both are written alike or the other one matches a single path.

extension LinkPattern {
    /// Whether every link that `other` matches also matches this pattern; false if that is unknown.
    ///
    /// - Complexity: O(*n* · *m*) in the elements of both.
    package func covers(_ other: LinkPattern) -> Bool {
        let isAsLong =
            componentCounts.lowerBound <= other.componentCounts.lowerBound
            && other.componentCounts.upperBound <= componentCounts.upperBound
        return isAsLong && requiresNoMoreItems(than: other) && takesPaths(of: other)
    }

    private func takesPaths(of other: LinkPattern) -> Bool {
        if path.isWritten(like: other.path) { return true }
        if query.isEmpty, let components = other.onlyPath {
            return match(Link(components: components)) != nil
        }
        return OneWayPath(path)?.takesAll(of: other.path) ?? false
    }

    /// The path that it matches, if it is all literals.
    private var onlyPath: [String]? {
        var components: [String] = []
        for element in path {
            guard case .literal(let text) = element else { return nil }
            components.append(text)
        }
        return components
    }

    /// Whether the query of a link that `other` matches has what this pattern requires.
    private func requiresNoMoreItems(than other: LinkPattern) -> Bool {
        if query.elementsEqual(other.query, by: { $0.isWritten(like: $1) }) { return true }
        // Elements with one name could take each other's items.
        let names = query.flatMap(\.parameters).map(\.name)
        guard Set(names).count == names.count else { return false }
        return query.allSatisfy { element in
            if case .optional = element { return true }
            return element.parameters.contains { own in
                other.query.contains { element in
                    guard case .required(let item) = element else { return false }
                    return own.name == item.name && own.acceptsAll(of: item)
                }
            }
        }
    }
}

/// A path that can take a link's components in one way only: literals and parameters, a wildcard
/// at the end, and optional groups of these where nothing mandatory follows.
private struct OneWayPath {
    private var elements: [PathElement] = []
    private var mandatoryCount = 0

    /// Nil for any other path.
    init?(_ path: [PathElement]) {
        guard append(path, isMandatory: true) else { return nil }
    }

    private mutating func append(_ more: [PathElement], isMandatory: Bool) -> Bool {
        for element in more {
            if endsWithWildcard { return false }
            switch element {
            case .literal, .parameter, .wildcard:
                if isMandatory, mandatoryCount < elements.count { return false }
                elements.append(element)
                mandatoryCount += isMandatory ? 1 : 0
            case .group(let inner):
                if !append(inner, isMandatory: false) { return false }
            case .alternative:
                return false
            }
        }
        return true
    }

    private var endsWithWildcard: Bool {
        if case .wildcard? = elements.last { true } else { false }
    }

    /// Whether it matches every path that `others` match.
    func takesAll(of others: [PathElement]) -> Bool {
        counts(after: others, from: [0])?.allSatisfy { $0 >= mandatoryCount } ?? false
    }

    /// How many of its elements are taken after components that `others` match; nil if one of these
    /// components may not match.
    ///
    /// A group of `others` may also end early here where the link goes on: this only adds counts.
    private func counts(after others: [PathElement], from start: Set<Int>) -> Set<Int>? {
        var taken = start
        for other in others {
            switch other {
            case .literal, .parameter:
                guard let next = counts(afterOne: other, from: taken) else { return nil }
                taken = next
            case .wildcard:
                guard let all = counts(afterMany: other, from: taken) else { return nil }
                taken = all
            case .group(let inner):
                var last = taken
                for element in inner {
                    guard let next = counts(after: [element], from: last) else { return nil }
                    last = next
                    taken.formUnion(next)
                }
            case .alternative(let alternative):
                var all: Set<Int> = []
                for branch in alternative.branches {
                    guard let next = counts(after: branch, from: taken) else { return nil }
                    all.formUnion(next)
                }
                taken = all
            }
        }
        return taken
    }

    /// The same after one or more components of `wildcard`.
    private func counts(afterMany wildcard: PathElement, from start: Set<Int>) -> Set<Int>? {
        var all: Set<Int> = []
        var last = start
        while !last.isEmpty {
            guard let next = counts(afterOne: wildcard, from: last) else { return nil }
            last = next.subtracting(all)
            all.formUnion(next)
        }
        return all
    }

    /// The same after one component of `other`.
    private func counts(afterOne other: PathElement, from start: Set<Int>) -> Set<Int>? {
        var taken: Set<Int> = []
        for count in start {
            // A wildcard takes all that follows too.
            let index = endsWithWildcard && count == elements.count ? count - 1 : count
            guard index < elements.count, elements[index].takesAll(of: other) else { return nil }
            taken.insert(index + 1)
        }
        return taken
    }
}

extension PathElement {
    /// Whether this takes every component that `other` takes, for a literal, a parameter or a
    /// wildcard.
    fileprivate func takesAll(of other: PathElement) -> Bool {
        switch (self, other) {
        case (.wildcard, _): true
        case (.literal(let text), .literal(let others)): text == others
        case (.parameter(let parameter), .literal(let text)): parameter.accepts(text)
        case (.parameter(let parameter), .parameter(let others)): parameter.acceptsAll(of: others)
        case (.parameter(let parameter), .wildcard):
            parameter.acceptsAll(of: PatternParameter(name: nil, type: nil))
        default: false
        }
    }

    /// Whether both match the same components, because they differ in names only.
    fileprivate func isWritten(like other: PathElement) -> Bool {
        switch (self, other) {
        case (.literal(let text), .literal(let others)): text == others
        case (.parameter(let parameter), .parameter(let others)):
            parameter.usualType == others.usualType
        // The window is what follows the wildcard, which is compared too.
        case (.wildcard, .wildcard): true
        case (.group(let elements), .group(let others)): elements.isWritten(like: others)
        case (.alternative(let own), .alternative(let others)):
            own.branches.elementsEqual(others.branches) { $0.isWritten(like: $1) }
        default: false
        }
    }
}

extension [PathElement] {
    fileprivate func isWritten(like others: [PathElement]) -> Bool {
        elementsEqual(others) { $0.isWritten(like: $1) }
    }
}

extension QueryElement {
    fileprivate var parameters: [PatternParameter] {
        switch self {
        case .required(let parameter), .optional(let parameter): [parameter]
        case .either(let parameters): parameters
        }
    }

    /// Whether both take the same items.
    fileprivate func isWritten(like other: QueryElement) -> Bool {
        switch (self, other) {
        case (.required, .required), (.optional, .optional), (.either, .either):
            parameters.elementsEqual(other.parameters) {
                $0.name == $1.name && $0.usualType == $1.usualType
            }
        default: false
        }
    }
}

extension PatternParameter {
    /// The type by its name in Deeper's first version, which has no `int`.
    fileprivate var usualType: ParameterType {
        switch type ?? .str {
        case .str, .string: .str
        case .num, .double: .num
        case .bool: .bool
        case .int: .int
        }
    }

    /// Whether this accepts every text that `other` accepts.
    fileprivate func acceptsAll(of other: PatternParameter) -> Bool {
        let (own, others) = (usualType, other.usualType)
        return own == .str || own == others || own == .num && others == .int
    }
}
