// What messages have that their contract doesn't say, and what it says that they lack.
//
// Invariant: memory is bounded, whatever is observed: places of the contract are counted by number, of
// others `Limits.maximumNewPaths` are kept. Nothing is looked at below a place that is new itself, so
// that ids which serve as names make no places. Pure: whoever observes says which result it is.

/// A comparison of many messages with one contract.
public struct Drift: Sendable {
    /// How messages differ from a contract.
    public enum Kind: String, CaseIterable, Sendable {
        /// A field that the contract doesn't have.
        case new
        /// A field that the contract promises isn't there.
        case missing
        /// A value is of a type that the contract doesn't allow.
        case type
        /// A text is none of those that the contract lists.
        case `enum`
        /// A parameter beside those of a callback, whose link is the partner's: most are his own
        /// (vendor document 1.2 and 2.2), and one that the vendor has added looks the same.
        case context
    }

    /// The result in which something was seen.
    public struct Sighting: Sendable, Equatable {
        /// The result's id.
        public let id: String
        /// When it was received (RFC 3339).
        public let receivedAt: String

        /// Names a result.
        public init(id: String, receivedAt: String) {
            self.id = id
            self.receivedAt = receivedAt
        }
    }

    /// One difference, and how often it was seen.
    public struct Finding: Sendable {
        /// How results differ from the contract here.
        public let kind: Kind
        /// The place with dots between its names; `*` is any element, or any name that is a value.
        public let path: String
        /// The types or values that the contract allows; none for what is new or missing.
        public let expected: [String]
        /// Types or values and how often each was seen, in the order of their first sighting; none
        /// for what is missing.
        public fileprivate(set) var found: [(text: String, count: Int)] = []
        /// Results that show it.
        public fileprivate(set) var results = 0
        /// Results that could have shown it: that have the field, or what should hold it.
        public fileprivate(set) var candidates = 0
        /// The first result that shows it.
        public let first: Sighting
        /// The last result that shows it.
        public fileprivate(set) var last: Sighting
    }

    /// The contract that is compared with.
    public let contract: Contract

    /// Messages that were compared.
    public private(set) var results = 0

    /// Messages that can't be taken apart.
    public private(set) var unreadable = 0

    /// Sightings of new places beyond those that are kept.
    public private(set) var omitted = 0

    private let tree: FieldTree
    private var noted: [Key: Note] = [:]
    private var newPaths = 0
    /// Results that have a place, and results that must have it, by the place's number.
    private var having: [Counter]
    private var promising: [Counter]

    private struct Key: Hashable {
        let kind: Kind
        let path: String
    }

    /// A finding while it is gathered.
    fileprivate struct Note {
        var finding: Finding
        /// The place that the contract knows there; nil for what is new.
        let place: Int?
        /// The result that showed it last, as its number among the compared ones.
        var lastResult = 0
    }

    /// Results, each counted once.
    private struct Counter {
        var results = 0
        private var last = 0

        mutating func count(_ result: Int) {
            if last != result { results += 1 }
            last = result
        }
    }

    /// Begins a comparison.
    public init(with contract: Contract) {
        self.contract = contract
        tree = FieldTree.of(contract)
        having = Array(repeating: Counter(), count: tree.count)
        promising = having
    }

    /// Compares one message, in O(its length); a launch link is none.
    public mutating func observe(_ callback: Callback, outcome: Outcome?, in result: Sighting) {
        guard let message = DriftMessage(callback, by: contract) else {
            unreadable += 1
            return
        }
        if message.isLaunch, message.fields.allSatisfy({ tree.child($0.name) == nil }) { return }
        results += 1
        let observation = Observation(outcome: outcome, result: result)
        observe(message.fields, at: tree, path: "", observation)
    }

    /// The differences: by kind, in the order of the kinds, and by path.
    public var findings: [Finding] {
        let ranks = Dictionary(
            uniqueKeysWithValues: Kind.allCases.enumerated().map { ($0.element, $0.offset) })
        return noted.values.map { note in
            var finding = note.finding
            switch (finding.kind, note.place) {
            case (.missing, let place?): finding.candidates = promising[place].results
            case (_, let place?): finding.candidates = having[place].results
            case (_, nil): finding.candidates = results
            }
            return finding
        }
        .sorted { (ranks[$0.kind] ?? 0, $0.path) < (ranks[$1.kind] ?? 0, $1.path) }
    }

    // MARK: Counting

    /// Counts the message in hand among those that have a place.
    mutating func notePresence(of place: FieldTree) {
        having[place.number].count(results)
    }

    /// Counts the message in hand among those that must have a place.
    mutating func notePromise(of place: FieldTree) {
        promising[place.number].count(results)
    }

    /// Notes a difference.
    ///
    /// - Parameters:
    ///   - place: what the contract knows there; nil for what is new.
    ///   - found: a type or a value; nil for what is missing.
    mutating func note(
        _ kind: Kind, _ path: String, at place: FieldTree?, expected: [String], found: String?,
        _ observation: Observation
    ) {
        let key = Key(kind: kind, path: path)
        if noted[key] == nil {
            if kind == .new || kind == .context {
                guard newPaths < Limits.maximumNewPaths else {
                    omitted += 1
                    return
                }
                newPaths += 1
            }
            noted[key] = Note(
                finding: Finding(
                    kind: kind, path: path, expected: expected, first: observation.result,
                    last: observation.result),
                place: place?.number)
        }
        noted[key]?.add(found, observation.result, results)
    }
}

extension Drift.Note {
    /// Counts one more sighting, in the result of a number.
    fileprivate mutating func add(_ text: String?, _ result: Drift.Sighting, _ number: Int) {
        if lastResult != number { finding.results += 1 }
        lastResult = number
        finding.last = result
        guard let text else { return }
        if let index = finding.found.firstIndex(where: { $0.text == text }) {
            finding.found[index].count += 1
        } else if finding.found.count < Limits.maximumFoundTexts {
            finding.found.append((text, 1))
        }
    }
}
