// What is left of a condition when part of a record is known.

import Mutations
import Testing

@testable import ResultStore

extension Matcher {
    /// What is left for records like this one.
    fileprivate func simplified(for facts: RecordFacts) -> Condition {
        simplified(
            kind: facts.kind, vendor: facts.vendor, contract: facts.contract,
            outcome: facts.outcome, verdict: facts.verdict, method: facts.method)
    }
}

@Suite struct SimplificationTests {
    @Test(arguments: [
        ("vendor:welltory", "*"),
        ("vendor:dimmy", "NOT *"),
        ("kind:callback seq:7", "seq:7"),
        ("kind:(launch OR stray)", "NOT *"),
        ("has:kind", "*"),
        ("vendor:welltory seq:7", "seq:7"),
        ("vendor:dimmy OR seq:7", "seq:7"),
        ("NOT vendor:dimmy seq:7 method:get", "seq:7"),
        ("has:outcome has:contract has:id has:path milk", "milk"),
        ("has:host", "has:host"),
        ("has:flow", "has:flow"),
        ("result.status:x OR result.stress:1", "result.stress:1"),
        ("NOT result.status:x", "*"),
        ("has:result.status", "NOT *"),
        ("result.token:x", "result.token:x"),
        ("NOT (verdict:decoded seq:7)", "NOT seq:7"),
        ("outcome:(error OR cancelled) milk", "NOT *"),
    ]) func whatIsKnownIsGone(text: String, rest: String) throws {
        let matcher = Matcher(try parse(text), catalog: queryCatalog)
        #expect(matcher.simplified(for: facts()).description == rest)
    }

    @Test func whatIsLeftDecidesAsTheWholeDoes() {
        var random = RandomConditions(generator: SeededGenerator(seed: 4))
        for _ in 0..<10_000 {
            let condition = random.condition()
            let facts = random.facts()
            let matcher = Matcher(condition, catalog: queryCatalog)
            let rest = matcher.simplified(for: facts)
            #expect(
                rest.matches(facts, catalog: queryCatalog) == matcher.matches(facts),
                "\(condition) → \(rest)")
            #expect(rest == rest.folded)
        }
    }
}
