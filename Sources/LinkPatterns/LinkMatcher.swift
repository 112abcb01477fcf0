// The only matcher: it walks a pattern and a link in parallel, and never revises a choice.
// Invariant: a failed branch or group leaves no captures. Recursion is as deep as the pattern's
// brackets. The only loop over the link is a wildcard's, and what it tries contains no wildcard.

/// A walk over one link.
struct LinkMatcher {
    private let link: Link

    /// The captures so far, in order; a name may occur twice.
    private(set) var captures: [Parameters.Capture] = []

    /// The mismatch, if it was requested.
    private var note: MismatchNote?

    /// Makes a matcher at the beginning of `link`.
    init(_ link: Link, notesMismatch: Bool = false) {
        self.link = link
        note = notesMismatch ? MismatchNote() : nil
    }

    /// The mismatch, if it was requested.
    var mismatch: LinkMismatch? { note?.mismatch(link) }

    /// Whether the link has everything that the pattern requires, and no further component.
    mutating func matches(_ pattern: LinkPattern) -> Bool {
        guard let end = take(pattern.path, at: 0, endsEarly: false) else { return false }
        guard end == link.components.count else {
            note?.add(nil, at: end)
            return false
        }
        return pattern.query.isEmpty || takeItems(for: pattern.query)
    }

    /// Matches all of `elements` from the component at `start` on; returns the index after them.
    ///
    /// With `endsEarly`, the sequence is also complete where the link ends: inside a group.
    private mutating func take(
        _ elements: [PathElement], at start: Int, endsEarly: Bool
    ) -> Int? {
        var index = start
        for element in elements {
            if endsEarly, index == link.components.count { break }
            guard let next = take(element, at: index) else { return nil }
            index = next
        }
        return index
    }

    private mutating func take(_ element: PathElement, at index: Int) -> Int? {
        switch element {
        case .group(let elements):
            return attempt(elements, at: index, endsEarly: true) ?? index
        case .alternative(let alternative):
            for attempted in alternative.attempts {
                let branch = alternative.branches[attempted]
                if let end = attempt(branch, at: index, endsEarly: false) { return end }
            }
            return nil
        case .literal, .parameter, .wildcard:
            let next = index < link.components.count ? takeComponent(element, at: index) : nil
            if next == nil { note?.add(element, at: index) }
            return next
        }
    }

    private mutating func takeComponent(_ element: PathElement, at index: Int) -> Int? {
        switch element {
        case .literal(let text):
            return link.components[index] == text ? index + 1 : nil
        case .parameter(let parameter):
            return capture(link.components[index], as: parameter) ? index + 1 : nil
        case .wildcard(let window):
            return firstFit(of: window, after: index)
        case .group, .alternative:
            return nil
        }
    }

    /// Calls `take`; a failure leaves no captures.
    private mutating func attempt(
        _ elements: [PathElement], at index: Int, endsEarly: Bool
    ) -> Int? {
        let captureCount = captures.count
        let end = take(elements, at: index, endsEarly: endsEarly)
        if end == nil { captures.removeLast(captures.count - captureCount) }
        return end
    }

    /// The first index after `index` where a wildcard's window matches.
    ///
    /// If there is none, the link's end, where a mandatory element then fails.
    private mutating func firstFit(of window: [PathElement], after index: Int) -> Int {
        let captureCount = captures.count
        // A window of groups only ends with the pattern, so it must end with the link.
        let reachesEnd = window.last?.isGroup ?? true
        for candidate in (index + 1)..<max(index + 1, link.components.count) {
            let end = take(window, at: candidate, endsEarly: false)
            captures.removeLast(captures.count - captureCount)
            if let end, !reachesEnd || end == link.components.count { return candidate }
        }
        return link.components.count
    }

    /// Captures `text` under the parameter's name, if it has one; false if the type is wrong.
    private mutating func capture(_ text: String, as parameter: PatternParameter) -> Bool {
        guard parameter.accepts(text) else { return false }
        if let name = parameter.name {
            captures.append(Parameters.Capture(name: name, value: text))
        }
        return true
    }
}

extension LinkMatcher {
    /// Finds an item for every element; each item is used once.
    private mutating func takeItems(for elements: [QueryElement]) -> Bool {
        var taken = [Bool](repeating: false, count: link.query.count)
        for element in elements where !take(element, &taken) {
            note?.add(element)
            return false
        }
        return true
    }

    private mutating func take(_ element: QueryElement, _ taken: inout [Bool]) -> Bool {
        switch element {
        case .required(let parameter):
            return takeItem(for: parameter, &taken)
        case .optional(let parameter):
            _ = takeItem(for: parameter, &taken)
            return true
        case .either(let parameters):
            return parameters.contains { takeItem(for: $0, &taken) }
        }
    }

    private mutating func takeItem(for parameter: PatternParameter, _ taken: inout [Bool]) -> Bool {
        for (index, item) in link.query.enumerated() where !taken[index] {
            if item.name == parameter.name, let value = item.value, capture(value, as: parameter) {
                taken[index] = true
                return true
            }
        }
        return false
    }
}
