// What right queries mean.

import Clocks
import Testing

@testable import ResultStore

@Suite struct QueryGrammarTests {
    private static func equals(_ field: QueryField, _ text: String) -> Condition {
        .compare(field, .equal, .text(text))
    }

    private static func word(_ word: String) -> Condition { .words([word], lastIsPrefix: false) }

    private static func stress(_ relation: Relation, _ number: Double) -> Condition {
        .compare(.result("stress"), relation, .number(number))
    }

    private static func received(_ relation: Relation, _ text: String) -> Condition {
        .compare(.receivedAt, relation, .time(time(text)))
    }

    private static var a: Condition { word("a") }
    private static var b: Condition { word("b") }
    private static var c: Condition { word("c") }
    private static let id = "019a0000-0000-7000-8000-000000000001"

    @Test(arguments: [
        ("", Condition.everything),
        (" \t\r\n", .everything),
        ("*", .everything),
        ("a", a),
        ("A b", .all([a, b])),
        ("a AND b", .all([a, b])),
        ("a OR b", .any([a, b])),
        ("a b OR c", .any([.all([a, b]), c])),
        ("a OR b c", .any([a, .all([b, c])])),
        ("a OR b AND c", .any([a, .all([b, c])])),
        ("(a OR b) c", .all([.any([a, b]), c])),
        ("NOT a b", .all([.not(a), b])),
        ("NOT (a b)", .not(.all([a, b]))),
        ("NOT(a)", .not(a)),
        ("-a b", .all([.not(a), b])),
        ("-(a OR b)", .not(.any([a, b]))),
        ("--a", a),
        ("NOT NOT a", a),
        ("NOT *", .nothing),
        ("a *", a),
        ("a OR *", .everything),
        ("(a (b (c)))", .all([a, b, c])),
        ("and or not", .all([word("and"), word("or"), word("not")])),
        ("ANDROID", word("android")),
        ("\"AND\"", word("and")),
        ("has", word("has")),
    ]) func operatorsBindInTheirOrder(text: String, condition: Condition) throws {
        #expect(try parse(text) == condition)
    }

    @Test(arguments: [
        ("abc*", Condition.words(["abc"], lastIsPrefix: true)),
        ("\"Sour milk\"", .words(["sour", "milk"], lastIsPrefix: false)),
        ("\"sour mi\"*", .words(["sour", "mi"], lastIsPrefix: true)),
        ("WT-2024", .words(["wt", "2024"], lastIsPrefix: false)),
        ("Größe МОЛОКО", .all([word("größe"), word("молоко")])),
        (#""say \"hi\" \\""#, .words(["say", "hi"], lastIsPrefix: false)),
        ("-\"a b\"", .not(.words(["a", "b"], lastIsPrefix: false))),
        ("-15m", .not(word("15m"))),
    ]) func wordsAndPhrasesAreFolded(text: String, condition: Condition) throws {
        #expect(try parse(text) == condition)
    }

    @Test(arguments: [
        ("vendor:welltory", equals(.vendor, "welltory")),
        ("vendor:=welltory", equals(.vendor, "welltory")),
        ("vendor:\"welltory\"", equals(.vendor, "welltory")),
        ("contract:flux", equals(.contract, "flux")),
        ("outcome:error", equals(.outcome, "error")),
        ("verdict:decoded", equals(.verdict, "decoded")),
        ("inbox:team-7", equals(.inbox, "team-7")),
        ("flow:OR", equals(.flow, "OR")),
        ("method:post", equals(.method, "POST")),
        ("host:WWW.YourApp.com", equals(.host, "www.yourapp.com")),
        ("path:/dds/", equals(.path, "/dds/")),
        ("path:\"/a (b)/*..\"", equals(.path, "/a (b)/*..")),
        (#"path:"\"\\""#, equals(.path, #""\"#)),
        ("path:C:\\x", equals(.path, "C:\\x")),
        ("id:" + id.uppercased(), equals(.id, id)),
        ("result.token:t-1", equals(.result("token"), "t-1")),
        ("result.is_offline:true", .compare(.result("is_offline"), .equal, .flag(true))),
        ("result.is_offline:false", .compare(.result("is_offline"), .equal, .flag(false))),
        ("has:result.token", .has(.result("token"))),
        ("-has:outcome", .not(.has(.outcome))),
        ("has:(flow OR result.stress)", .any([.has(.flow), .has(.result("stress"))])),
        (
            "outcome:(completed OR error)",
            .any([equals(.outcome, "completed"), equals(.outcome, "error")])
        ),
        (
            "vendor:(NOT (dimmy OR ailet))",
            .not(.any([equals(.vendor, "dimmy"), equals(.vendor, "ailet")]))
        ),
        ("path:(a \"b c\")", .all([equals(.path, "a"), equals(.path, "b c")])),
        ("flow:(-a OR \"OR\")", .any([equals(.flow, "-a"), equals(.flow, "OR")])),
    ]) func fieldsTakeValues(text: String, condition: Condition) throws {
        #expect(try parse(text) == condition)
    }

    @Test(arguments: [
        ("result.stress:0.3", stress(.equal, 0.3)),
        ("result.stress:=0.3", stress(.equal, 0.3)),
        ("result.stress:>=0.3", stress(.greaterOrEqual, 0.3)),
        ("result.stress:>\"0.3\"", stress(.greater, 0.3)),
        ("result.stress:<-1.5e-3", stress(.less, -0.0015)),
        ("result.stress:<=3", stress(.lessOrEqual, 3)),
        (
            "result.stress:0.1..0.5",
            .all([stress(.greaterOrEqual, 0.1), stress(.lessOrEqual, 0.5)])
        ),
        ("result.stress:0.1..", stress(.greaterOrEqual, 0.1)),
        ("result.stress:..0.5", stress(.lessOrEqual, 0.5)),
        ("result.stress:(<0.1 OR >0.9)", .any([stress(.less, 0.1), stress(.greater, 0.9)])),
        ("result.stress:(-5)", stress(.equal, -5)),
        (
            "seq:7..9",
            .all([
                .compare(.seq, .greaterOrEqual, .integer(7)),
                .compare(.seq, .lessOrEqual, .integer(9)),
            ])
        ),
        ("seq:>9223372036854775806", .compare(.seq, .greater, .integer(Int.max - 1))),
    ]) func numbersHaveRelationsAndRanges(text: String, condition: Condition) throws {
        #expect(try parse(text) == condition)
    }

    @Test(arguments: [
        ("received_at:2026-11-20T10:00:00Z", received(.equal, "2026-11-20T10:00:00Z")),
        ("received_at:<2026-11-20T10:00:00+02:00", received(.less, "2026-11-20T08:00:00Z")),
        (
            "received_at:2026-11-20",
            .all([
                received(.greaterOrEqual, "2026-11-20T00:00:00Z"),
                received(.lessOrEqual, "2026-11-20T23:59:59.999Z"),
            ])
        ),
        (
            "received_at:2026-11-20..2026-11-21",
            .all([
                received(.greaterOrEqual, "2026-11-20T00:00:00Z"),
                received(.lessOrEqual, "2026-11-21T23:59:59.999Z"),
            ])
        ),
        ("received_at:..2026-11-20", received(.lessOrEqual, "2026-11-20T23:59:59.999Z")),
        ("received_at:2026-11-20..", received(.greaterOrEqual, "2026-11-20T00:00:00Z")),
        ("received_at:>2026-11-20", received(.greater, "2026-11-20T23:59:59.999Z")),
        ("received_at:>=2026-11-20", received(.greaterOrEqual, "2026-11-20T00:00:00Z")),
        ("received_at:<2026-11-20", received(.less, "2026-11-20T00:00:00Z")),
        ("received_at:<=2026-11-20", received(.lessOrEqual, "2026-11-20T23:59:59.999Z")),
        ("received_at:-15m", received(.greaterOrEqual, "2026-11-21T11:45:00.500Z")),
        ("received_at:<-30s", received(.less, "2026-11-21T11:59:30.500Z")),
        (
            "received_at:-2h..-1h",
            .all([
                received(.greaterOrEqual, "2026-11-21T10:00:00.500Z"),
                received(.lessOrEqual, "2026-11-21T11:00:00.500Z"),
            ])
        ),
        ("received_at:..-7d", received(.lessOrEqual, "2026-11-14T12:00:00.500Z")),
    ]) func timesAreMomentsDaysAndDistances(text: String, condition: Condition) throws {
        #expect(try parse(text) == condition)
    }

    @Test func textAtEachLimitIsRead() throws {
        let terms = Array(repeating: "a", count: Limits.queryTerms)
        #expect(try parse(terms.joined(separator: " ")) == .all(terms.map(Self.word)))
        let opening = String(repeating: "(", count: Limits.queryDepth)
        let closing = String(repeating: ")", count: Limits.queryDepth)
        #expect(try parse(opening + "a" + closing) == Self.a)
        let long = "a" + String(repeating: " ", count: Limits.queryBytes - 1)
        #expect(try parse(long) == Self.a)
    }
}
