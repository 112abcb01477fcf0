// Compares messages with their contract: fields that are new, and fields that are missing.
//
// Invariant: memory is bounded for any input: places in the contract are counted by number, and at
// most `Limits.maximumNewPaths` new places, and as many of the partners' own, are kept. Nothing
// below a new place is examined, so that ids used as names create no places. Pure: the caller
// identifies the results.

/// A comparison of many messages with one contract.
public struct Drift: Sendable {
    /// The kinds of differences.
    public enum Kind: String, CaseIterable, Sendable {
        /// A field that the contract doesn't have.
        case new
        /// A field that the contract promises is missing.
        case missing
        /// A value is of a type that the contract doesn't allow.
        case type
        /// A text is not among those that the contract lists.
        case `enum`
        /// An additional parameter of a callback.
        ///
        /// The link is the partner's, so most are the partner's own (vendor document 1.2 and 2.2);
        /// one that the vendor added looks the same.
        case context
    }

    /// The result in which a difference was seen.
    public struct Sighting: Sendable, Equatable {
        /// The result's id.
        public let id: String
        /// When it was received (RFC 3339).
        public let receivedAt: String

        /// Creates a sighting.
        public init(id: String, receivedAt: String) {
            self.id = id
            self.receivedAt = receivedAt
        }
    }

    /// One difference, and how often it was seen.
    public struct Finding: Sendable {
        /// The kind of difference.
        public let kind: Kind
        /// The place as names separated by dots; `*` is any element, or any name that is a value.
        public let path: String
        /// The types or values that the contract allows; empty for new and missing fields.
        public let expected: [String]
        /// Types or values and how often each was seen, in the order of their first sighting; empty
        /// for missing fields.
        public fileprivate(set) var found: [(text: String, count: Int)] = []
        /// Number of results with the difference.
        public fileprivate(set) var results = 0
        /// Number of results that could show it: those with the field or its parent.
        public fileprivate(set) var candidates = 0
        /// The first result with the difference.
        public let first: Sighting
        /// The last result with the difference.
        public fileprivate(set) var last: Sighting
    }

    /// The contract of the comparison.
    public let contract: Contract

    /// Number of compared messages.
    public private(set) var results = 0

    /// Number of messages that can't be parsed.
    public private(set) var unreadable = 0

    /// Number of sightings of new places beyond the limit.
    public private(set) var omitted = 0

    private let tree: FieldTree
    private var noted: [Key: Note] = [:]
    /// Numbers of places that the contract doesn't have.
    ///
    /// Counted separately, because anybody can send parameters that look like a partner's own.
    private var newPaths: [Kind: Int] = [:]
    /// For each place of the contract, by its number, the results that have it.
    private var having: [Counter]
    /// For each place, the results that must have it.
    private var promising: [Counter]

    private struct Key: Hashable {
        let kind: Kind
        /// As UTF-8: equal strings may consist of different characters.
        let path: [UInt8]
    }

    /// A finding in progress.
    fileprivate struct Note {
        var finding: Finding
        /// The place in the contract; nil for a new one.
        let place: Int?
        /// The number of the last result that showed it.
        var lastResult = 0
    }

    /// Counts results, each once.
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

    /// Compares one message, in O(its length); launch links are ignored.
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

    /// Counts the current message among those that have a place.
    mutating func notePresence(of place: FieldTree) {
        having[place.number].count(results)
    }

    /// Counts the current message among those that must have a place.
    mutating func notePromise(of place: FieldTree) {
        promising[place.number].count(results)
    }

    /// Records a difference.
    ///
    /// - Parameters:
    ///   - place: the place in the contract; nil for a new one.
    ///   - found: a type or a value; nil for a missing field.
    mutating func note(
        _ kind: Kind, _ path: String, at place: FieldTree?, expected: [String], found: String?,
        _ observation: Observation
    ) {
        let key = Key(kind: kind, path: Array(path.utf8))
        if noted[key] == nil {
            if kind == .new || kind == .context {
                guard newPaths[kind, default: 0] < Limits.maximumNewPaths else {
                    omitted += 1
                    return
                }
                newPaths[kind, default: 0] += 1
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
    /// Counts a sighting in the result with a number.
    fileprivate mutating func add(_ text: String?, _ result: Drift.Sighting, _ number: Int) {
        if lastResult != number { finding.results += 1 }
        lastResult = number
        finding.last = result
        guard let text else { return }
        if let index = finding.found.firstIndex(where: { $0.text.utf8.elementsEqual(text.utf8) }) {
            finding.found[index].count += 1
        } else if finding.found.count < Limits.maximumFoundTexts {
            finding.found.append((text, 1))
        }
    }
}
