// Conditions held against records.

import Mutations
import Testing

@testable import ResultStore

@Suite struct MatcherTests {
    @Test(arguments: [
        ("", true), ("NOT *", false),
        ("vendor:welltory", true), ("vendor:dimmy", false), ("-vendor:dimmy", true),
        ("id:019a0000-0000-7000-8000-000000000001", true),
        ("id:019a0000-0000-7000-8000-000000000002", false),
        ("seq:42", true), ("seq:<42", false), ("seq:..42", true),
        ("received_at:2026-11-21", true), ("received_at:2026-11-20", false),
        ("received_at:-6h", true), ("received_at:-5h", false),
        ("method:get host:WWW.yourapp.com path:/dds/", true), ("path:/dds", false),
        ("has:outcome", true), ("has:flow", false), ("-has:flow", true), ("has:host", true),
        ("flow:x", false), ("NOT flow:x", true),
        ("result.stress:0.3..0.4", true), ("result.stress:>0.32", false),
        ("has:result.stress", true), ("has:result.status", false), ("result.status:x", false),
        ("NOT result.status:x", true), ("result.token:t-1", true),
        ("stress", true), ("stres", false), ("stres*", true), ("ÜBER", true),
        ("\"über 4011\"", true), ("\"4011 über\"", false), ("\"über 40\"*", true),
        ("\"stress 4011\"", false), ("tress", false), ("молоко", true), ("МОЛ*", true),
        ("milk OR 4011", true), ("milk 4011", false),
        ("\"4011 молоко milk\"", false),
    ]) func aQueryFindsWhatItAsksFor(text: String, isMatch: Bool) throws {
        #expect(try parse(text).matches(facts(), catalog: queryCatalog) == isMatch)
    }

    @Test func valuesOfAnotherVendorsFieldDoNotCount() throws {
        let facts = facts(vendor: "dimmy", fields: [.number(0.32), nil, .text("x"), nil, nil])
        #expect(try !parse("has:result.stress").matches(facts, catalog: queryCatalog))
        #expect(try !parse("result.status:x").matches(facts, catalog: queryCatalog))
    }

    @Test func fewerFieldsThanTheCatalogHasAreAbsent() throws {
        let facts = facts(fields: [])
        #expect(try !parse("has:result.token").matches(facts, catalog: queryCatalog))
    }

    @Test func composedAndDecomposedLettersDiffer() throws {
        let facts = facts(flow: "e\u{301}")
        #expect(try !parse("flow:\u{E9}").matches(facts, catalog: queryCatalog))
        #expect(try parse("flow:e\u{301}").matches(facts, catalog: queryCatalog))
    }

    @Test func conditionsOfComposedAndDecomposedLettersDiffer() {
        let makers: [(String) -> Condition] = [
            { .compare(.flow, .equal, .text($0)) }, { .words(["a", $0], lastIsPrefix: false) },
            { .has(.parameter($0)) }, { .not(.all([.has(.flow), .has(.parameter($0))])) },
        ]
        for make in makers {
            #expect(make("\u{E9}") == make("\u{E9}"))
            #expect(make("\u{E9}") != make("e\u{301}"))
        }
    }

    @Test func theMatcherAgreesWithTheNaiveMeaning() {
        var random = RandomConditions(generator: SeededGenerator(seed: 3))
        var matches = 0
        for _ in 0..<10_000 {
            let condition = random.condition()
            let matcher = Matcher(condition, catalog: queryCatalog)
            let facts = random.facts()
            let isMatch = condition.holdsNaively(for: facts)
            matches += isMatch ? 1 : 0
            #expect(matcher.matches(facts) == isMatch, "\(condition) \(facts)")
            #expect((matcher.missCount(facts) == 0) == isMatch, "\(condition)")
            #expect(matcher.misses(facts).count == matcher.missCount(facts))
        }
        #expect((2000...8000).contains(matches))
    }

    @Test func missesAreTheConditionsThatFailedWithWhatWasFound() throws {
        let condition = try parse(
            "vendor:welltory outcome:error flow:f result.stress:0.5..0.9 milk -has:outcome "
                + "has:result.status (vendor:dimmy OR has:flow) verdict:(undecodable OR "
                + "decoded_with_warnings) received_at:2026-11-20 -id:"
                + "019a0000-0000-7000-8000-000000000001 seq:7 result.token:x")
        let misses = Matcher(condition, catalog: queryCatalog).misses(facts())
        #expect(
            misses == [
                Miss(condition: "outcome:error", found: "completed"),
                Miss(condition: "flow:f", found: nil),
                Miss(condition: "result.stress:0.5..0.9", found: "0.32"),
                Miss(condition: "milk", found: nil),
                Miss(condition: "NOT has:outcome", found: "completed"),
                Miss(condition: "has:result.status", found: nil),
                Miss(
                    condition: "vendor:dimmy OR has:flow", found: "vendor: welltory, flow: none"),
                Miss(
                    condition: "verdict:(undecodable OR decoded_with_warnings)", found: "decoded"),
                Miss(condition: "received_at:2026-11-20", found: "2026-11-21T06:13:00.123Z"),
                Miss(
                    condition: "NOT id:019a0000-0000-7000-8000-000000000001",
                    found: "019a0000-0000-7000-8000-000000000001"),
                Miss(condition: "seq:7", found: "42"),
                Miss(condition: "result.token:x", found: "t-1"),
            ])
    }

    @Test func aConditionThatIsNoListMissesAsAWhole() throws {
        let matcher = Matcher(try parse("milk OR cheese"), catalog: queryCatalog)
        #expect(matcher.misses(facts()) == [Miss(condition: "milk OR cheese", found: nil)])
    }
}
