// The tree of a pattern's path. Every wildcard has a *window*: the optional groups after it and the
// first mandatory element after them, across closing brackets. The window is where the wildcard
// stops. It never contains a wildcard itself (the parser rejects that), so matching is linear in
// the length of a link.

/// One element of a path: the text between two slashes of a pattern.
enum PathElement: Sendable, Equatable {
    /// Exactly this component.
    case literal(String)

    /// One component of the parameter's type.
    case parameter(PatternParameter)

    /// One or more components, up to the first place where `window` matches.
    case wildcard(window: [PathElement])

    /// The elements one after another, or nothing of them.
    case group([PathElement])

    /// One of several sequences.
    case alternative(PathAlternative)

    /// The maximum number of components that this can take, counting a wildcard as one.
    var longestCount: Int {
        switch self {
        case .literal, .parameter, .wildcard: 1
        case .group(let elements): elements.longestCount
        case .alternative(let alternative): alternative.branches.map(\.longestCount).max() ?? 0
        }
    }

    /// The minimum number of components that this can take.
    var shortestCount: Int {
        switch self {
        case .literal, .parameter, .wildcard: 1
        case .group: 0
        case .alternative(let alternative): alternative.branches.map(\.shortestCount).min() ?? 0
        }
    }

    /// The literals in this, in their order; those in a window are elsewhere in the path.
    var literals: [String] {
        switch self {
        case .literal(let text): [text]
        case .parameter, .wildcard: []
        case .group(let elements): elements.flatMap(\.literals)
        case .alternative(let alternative): alternative.branches.joined().flatMap(\.literals)
        }
    }

    /// Whether this or anything in it is a wildcard.
    var hasWildcard: Bool {
        switch self {
        case .literal, .parameter: false
        case .wildcard: true
        case .group(let elements): elements.contains(where: \.hasWildcard)
        case .alternative(let alternative):
            alternative.branches.joined().contains(where: \.hasWildcard)
        }
    }

    /// Whether this is an optional group.
    var isGroup: Bool {
        if case .group = self { true } else { false }
    }
}

extension Sequence<PathElement> {
    /// The minimum number of components that the sequence can take.
    var shortestCount: Int {
        reduce(0) { count, element in count + element.shortestCount }
    }
}

extension [PathElement] {
    /// The maximum number of components that the sequence can take, counting a wildcard as one.
    var longestCount: Int {
        reduce(0) { count, element in count + element.longestCount }
    }

    /// The sequence with every wildcard's window filled in, given what comes after the sequence.
    ///
    /// - Complexity: O(*n* · *g*) for *n* elements, with up to *g* groups in a row.
    func withWindows(before following: [PathElement] = []) -> [PathElement] {
        var window = following
        var elements: [PathElement] = []
        for element in reversed() {
            let element = element.withWindows(before: window)
            elements.append(element)
            window = element.isGroup ? [element] + window : [element]
        }
        elements.reverse()
        return elements
    }
}

extension PathElement {
    fileprivate func withWindows(before window: [PathElement]) -> PathElement {
        switch self {
        case .literal, .parameter: self
        case .wildcard: .wildcard(window: window)
        case .group(let elements): .group(elements.withWindows(before: window))
        case .alternative(let alternative):
            .alternative(
                PathAlternative(alternative.branches.map { $0.withWindows(before: window) }))
        }
    }
}
