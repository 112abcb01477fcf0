// Conditions as text.

import Mutations
import Testing

@testable import ResultStore

@Suite struct ConditionDescriptionTests {
    @Test(arguments: [
        ("", "*"),
        ("NOT *", "NOT *"),
        ("vendor:welltory -a", "vendor:welltory NOT a"),
        ("a AND b OR c", "a b OR c"),
        ("(a OR b) AND NOT (c OR d)", "(a OR b) NOT (c OR d)"),
        ("NOT (a b)", "NOT (a b)"),
        ("outcome:completed OR outcome:error", "outcome:(completed OR error)"),
        ("a -outcome:(completed OR error)", "a NOT outcome:(completed OR error)"),
        ("result.stress:(<0.1 OR >=3)", "result.stress:(<0.1 OR >=3)"),
        ("result.stress:0.1..0.5 a", "result.stress:0.1..0.5 a"),
        ("NOT seq:1..2", "NOT seq:1..2"),
        ("received_at:2026-11-20", "received_at:2026-11-20"),
        ("received_at:2026-11-20..2026-11-21", "received_at:2026-11-20..2026-11-21"),
        ("received_at:-15m", "received_at:>=2026-11-21T11:45:00.500Z"),
        ("has:flow OR \"Sour milk\"*", "has:flow OR \"sour milk\"*"),
        (#"flow:"a \"b\"" path:"a..b""#, #"flow:"a \"b\"" path:"a..b""#),
        ("method:get flow:\"OR\"", "method:GET flow:\"OR\""),
    ]) func aConditionIsWrittenAsAPersonWouldWriteIt(text: String, expected: String) throws {
        let condition = try parse(text)
        #expect(condition.description == expected)
        #expect(try parse(expected) == condition)
    }

    @Test func whatIsWrittenReadsAsTheSameCondition() throws {
        var random = RandomConditions(generator: SeededGenerator(seed: 1))
        var count = 0
        for _ in 0..<10_000 {
            let condition = random.condition()
            let text = condition.description
            // A text may be longer, deeper or of more terms than queries are.
            guard let again = try? parse(text) else { continue }
            #expect(again == condition.folded, "\(text)")
            count += 1
        }
        #expect(count > 9500)
    }

    @Test func foldingIsDoneOnce() {
        var random = RandomConditions(generator: SeededGenerator(seed: 2))
        for _ in 0..<5000 {
            let folded = random.condition().folded
            #expect(folded.folded == folded)
        }
    }
}
