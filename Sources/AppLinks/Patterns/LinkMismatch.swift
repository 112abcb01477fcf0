// Why a link doesn't fit a pattern, as far as one place says it: the furthest that the walk came to.

/// The first thing about a link that a pattern doesn't take.
public struct LinkMismatch: Sendable, Equatable, CustomStringConvertible {
    /// The index of the furthest component that was looked at, the number of components where the
    /// path ends too early; nil when the path fits, and the query doesn't.
    public let component: Int?

    /// That component; nil where the path ends too early, and for a query.
    public let found: String?

    /// What the pattern has there, as elements of its text; after a wildcard this is what the
    /// wildcard looked for.
    public let expected: [String]

    /// Whether the path might have ended there.
    public let mayEnd: Bool

    /// Which component of the link, what it is, and what was expected, in a sentence.
    public var description: String {
        var expected = expected.map { "\"\($0)\"" }
        if mayEnd { expected.append("the end") }
        let choice = expected.joined(separator: " or ")
        guard let component else { return "the query has no fitting item for \(choice)" }
        let what = found.map { "\"\($0)\"" } ?? "missing"
        return "component \(component + 1) is \(what); expected \(choice)"
    }
}

extension LinkPattern {
    /// Why `link` doesn't match; nil when it does.
    ///
    /// - Complexity: that of a match, and O(*m*) for *m* elements that don't fit.
    public func mismatch(_ link: Link) -> LinkMismatch? {
        var matcher = LinkMatcher(link, notesMismatch: true)
        return matcher.matches(self) ? nil : matcher.mismatch
    }
}

/// The furthest place of a walk, and what was missing there.
struct MismatchNote {
    private var index = 0
    private var expected: [String] = []
    private var mayEnd = false
    private var queryElement: String?

    /// Takes in that `element`, or the end, isn't at `index`.
    mutating func add(_ element: PathElement?, at index: Int) {
        if index < self.index { return }
        if index > self.index { self = MismatchNote(index: index) }
        guard let text = element?.description else {
            mayEnd = true
            return
        }
        if !expected.contains(text) { expected.append(text) }
    }

    /// Takes in that the query has no item for `element`.
    mutating func add(_ element: QueryElement) {
        queryElement = element.description
    }

    /// What was noted about `link`.
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
