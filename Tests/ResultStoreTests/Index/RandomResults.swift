// Random results and random queries that meet them, with the answers that the matcher gives.
//
// Invariant: the facts are those of the stored lines, read back as recovery does it.

import Clocks
import JSON
import Mutations

@testable import ResultStore

/// The catalog of the tests of queries, with one field that has no index.
let plannerCatalog: FieldCatalog = {
    var catalog = queryCatalog
    for index in catalog.fields.indices where catalog.fields[index].kind == .flag {
        catalog.fields[index].isIndexed = false
    }
    return catalog
}()

/// Random results of one store, with the facts of each.
struct RandomResults {
    private(set) var facts: [RecordFacts] = []
    /// Makes conditions and values.
    private(set) var random: RandomConditions
    /// Of how many vendors the results are; those of one have a single facet.
    private let vendors: Int

    init(seed: UInt64, vendors: Int) {
        random = RandomConditions(generator: SeededGenerator(seed: seed))
        self.vendors = vendors
    }

    mutating func below(_ bound: Int) -> Int { random.generator.below(bound) }

    /// One more result: at a time of few, so that some are of one millisecond and many come late.
    mutating func record() -> NewRecord {
        var facts = random.facts()
        facts.vendor = plannerCatalog.vendors[below(vendors)]
        if vendors == 1 {
            (facts.contract, facts.outcome, facts.verdict) = (nil, "completed", "decoded")
            facts.method = "GET"
        }
        // What can't be asked for: SQLite's texts end at U+0000.
        for name in [\RecordFacts.inbox, \.path] where facts[keyPath: name].utf8.contains(0) {
            facts[keyPath: name] = "nul"
        }
        if facts.flow?.utf8.contains(0) == true { facts.flow = nil }
        // A hundred facets, not three hundred: each page looks at all of them.
        if facts.contract != nil { facts.contract = "flux" }
        if facts.verdict != "decoded" { facts.verdict = "undecodable" }
        if below(3) > 0 { facts.inbox = "inbox \(below(5))" }
        if below(3) > 0 { facts.path = "/path/\(below(40))" }
        if below(3) > 0 { facts.host = "host\(below(4))" }
        if below(3) > 0, facts.flow != nil { facts.flow = "flow \(below(200))" }
        let moment = Timestamp(
            unixMilliseconds: facts.receivedAt.unixMilliseconds + Int64(below(40)))
        var record = NewRecord(
            id: RecordID(at: moment.unixMilliseconds, using: &random.generator),
            kind: facts.kind, receivedAt: moment, inbox: facts.inbox, vendor: facts.vendor,
            contract: facts.contract, outcome: facts.outcome, verdict: facts.verdict,
            flow: facts.flow,
            request: Self.json { json in
                json.member("method", facts.method)
                json.member("host", facts.host.uppercased() + (moment.isEven ? ":443" : ""))
                json.member("target", facts.path + (moment.isEven ? "?a=1" : ""))
                if let trace = facts.trace { json.member("trace", trace) }
                if !facts.parameters.isEmpty {
                    json.key("parameters")
                    json.object { json in
                        for (name, value) in facts.parameters { json.member(name, value) }
                    }
                }
            },
            result: Self.result(facts, stress: below(2) == 0 ? Double(below(100)) / 7 : nil),
            diagnostics: [UInt8(ascii: "[")] + Self.json { $0.member("code", facts.words) }
                + [UInt8(ascii: "]")])
        record.answer = facts.answered.map {
            AnswerNote(status: $0, isFailure: $0 > 200, number: 1, delayMilliseconds: 0)
        }
        return record
    }

    /// Lines of so many more results, for a file that the index has not seen yet.
    mutating func lines(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<count {
            let record = record()
            guard let id = record.id else { throw StoreError.unreadable }
            let start = bytes.count
            RecordLine.append(
                id: id, sequence: facts.count + 1, kind: record.kind,
                receivedAt: record.receivedAt, tail: RecordLine.tail(of: record), to: &bytes)
            try note(bytes[start..<(bytes.count - 1)])
        }
        return bytes
    }

    /// Adds what a stored line says to the facts.
    mutating func note(_ line: ArraySlice<UInt8>) throws {
        guard case .record(let facts, _, _) = StoredContent(line, catalog: plannerCatalog) else {
            throw StoreError.unreadable
        }
        self.facts.append(facts)
    }

    mutating func lookalikes() -> Condition { random.lookalikes() }

    /// A condition whose ids, numbers and times are those of results.
    mutating func condition() -> Condition {
        let facts = facts
        // Half of the queries are a few parts that all must hold, as people ask them.
        var condition = random.condition()
        if below(2) == 0 {
            let parts = 1...1 + below(3)
            condition = .all(parts.map { _ in random.condition(depth: 0) })
        }
        var generator = random.generator
        condition = condition.replacingLeaves { leaf in
            let some = facts[generator.below(facts.count)]
            return switch leaf {
            case .compare(.id, let relation, _):
                .compare(.id, relation, .text(some.id.description))
            case .compare(.seq, let relation, _):
                .compare(.seq, relation, .integer(some.sequence))
            case .compare(.receivedAt, let relation, _):
                .compare(.receivedAt, relation, .time(some.receivedAt))
            case .compare(.inbox, let relation, _):
                .compare(.inbox, relation, .text(some.inbox))
            case .compare(.path, let relation, _): .compare(.path, relation, .text(some.path))
            case .compare(.host, let relation, _): .compare(.host, relation, .text(some.host))
            case .compare(.flow, let relation, _):
                .compare(.flow, relation, .text(some.flow ?? "none"))
            case .compare(.result("stress"), let relation, .number):
                .compare(.result("stress"), relation, .number(Double(generator.below(100)) / 7))
            default: leaf
            }
        }
        random.generator = generator
        return condition
    }

    private static func result(_ facts: RecordFacts, stress: Double?) -> [UInt8] {
        json { json in
            for (field, value) in zip(plannerCatalog.fields, facts.fields)
            where field.vendor == facts.vendor && field.paths[0].count == 1 {
                switch value {
                case .number(let number): json.member(field.paths[0][0], stress ?? number)
                case .flag(let flag): json.member(field.paths[0][0], flag)
                case .text(let text): json.member(field.paths[0][0], text)
                case nil: break
                }
            }
        }
    }

    private static func json(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: 64)
        json.object(members)
        return json.bytes
    }
}

extension Timestamp {
    fileprivate var isEven: Bool { unixMilliseconds % 2 == 0 }
}

extension ResultQuery {
    /// The numbers of the results that match, in the order that is asked for; by plain comparison.
    ///
    /// - Parameter firstNumbers: of results that were decoded again, which keep their places.
    func answer(among facts: [RecordFacts], firstNumbers: [RecordID: Int] = [:]) -> [Int] {
        let matcher = Matcher(condition, catalog: plannerCatalog)
        var rows: [(value: FieldValue?, facts: RecordFacts)] = []
        for facts in facts where matcher.matches(facts) {
            guard case .result(let name) = key else {
                rows.append((nil, facts))
                continue
            }
            let places = Matcher.Test.places(of: name, in: plannerCatalog)
            if let value = facts.value(at: places) { rows.append((value, facts)) }
        }
        rows.sort { left, right in
            if let first = left.value, let second = right.value, first.differs(from: second) {
                return first.isBefore(second)
            }
            if key == .seq { return left.facts.sequence < right.facts.sequence }
            let places = [left, right].map { firstNumbers[$0.facts.id] ?? $0.facts.sequence }
            return (left.facts.receivedAt, places[0]) < (right.facts.receivedAt, places[1])
        }
        let numbers = rows.map(\.facts.sequence)
        return isDescending ? numbers.reversed() : numbers
    }
}

extension FieldValue {
    fileprivate func differs(from other: FieldValue) -> Bool {
        isBefore(other) || other.isBefore(self)
    }

    /// Numbers by size, texts by their bytes with those behind that hold U+0000, no before yes.
    fileprivate func isBefore(_ other: FieldValue) -> Bool {
        switch (self, other) {
        case (.number(let left), .number(let right)): left < right
        case (.text(let left), .text(let right)):
            left.utf8.contains(0) == right.utf8.contains(0)
                ? left.utf8.lexicographicallyPrecedes(right.utf8) : right.utf8.contains(0)
        case (.flag(let left), .flag(let right)): !left && right
        default: false
        }
    }
}
