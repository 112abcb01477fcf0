// Why a link doesn't match a pattern, at the furthest place that the match reached.

/// The first part of a link that a pattern doesn't match.
public struct LinkMismatch: Sendable, Equatable, CustomStringConvertible {
    /// The index of the furthest component that was compared, or the number of components if the
    /// path ends too early; nil if the path matches and the query doesn't.
    public let component: Int?

    /// That component; nil if the path ends too early, and for a query.
    public let found: String?

    /// What the pattern expects there, as elements of its text; after a wildcard, what the wildcard
    /// searched for.
    public let expected: [String]

    /// Whether the path could have ended there.
    public let mayEnd: Bool

    /// The component of the link, its text, and what was expected, as a sentence.
    public var description: String {
        var expected = expected.map { "\"\($0)\"" }
        if mayEnd { expected.append("the end") }
        let choice = expected.joined(separator: " or ")
        guard let component else { return "the query has no matching item for \(choice)" }
        let what = found.map { "\"\($0)\"" } ?? "missing"
        return "component \(component + 1) is \(what); expected \(choice)"
    }
}

extension LinkPattern {
    /// Why `link` doesn't match; nil if it does.
    ///
    /// - Complexity: that of a match, and O(*m*) for *m* elements that don't match.
    public func mismatch(_ link: Link) -> LinkMismatch? {
        var matcher = LinkMatcher(link, notesMismatch: true)
        return matcher.matches(self) ? nil : matcher.mismatch
    }
}

/// The furthest place of a match, and what was missing there.
struct MismatchNote {
    private var index = 0
    private var expected: [String] = []
    private var mayEnd = false
    private var queryElement: String?

    /// Records that `element`, or the end, isn't at `index`.
    mutating func add(_ element: PathElement?, at index: Int) {
        if index < self.index { return }
        if index > self.index { self = MismatchNote(index: index) }
        guard let text = element?.description else {
            mayEnd = true
            return
        }
        if !expected.contains(text) { expected.append(text) }
    }

    /// Records that the query has no item for `element`.
    mutating func add(_ element: QueryElement) {
        queryElement = element.description
    }

    /// The mismatch of `link`.
    func mismatch(_ link: Link) -> LinkMismatch {
        if let queryElement {
            return LinkMismatch(component: nil, found: nil, expected: [queryElement], mayEnd: false)
        }
        let found = index < link.components.count ? link.components[index] : nil
        return LinkMismatch(component: index, found: found, expected: expected, mayEnd: mayEnd)
    }

    init(index: Int = 0) {
        self.index = index
    }
}
