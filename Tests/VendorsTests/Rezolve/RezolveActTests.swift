// The answers to Rezolve's acts, by vendor document 4.5.

import Mutations
import Testing

@testable import Vendors

@Suite("Rezolve acts")
struct RezolveActTests {
    private static let target = Array("/emulate/rezolve/v1/submissions/act/act%2D7/answers".utf8)

    private static let whole = """
        {"userId":41,"userName":"ada","entityId":"e-1","scanId":null,"personTitle":null,
        "firstName":"Ada","lastName":"Byron","email":"ada@example.com","phone":null,
        "latitude":51.5,"longitude":-0.1,"answers":[{"question_id":"q1","answer":"2"}]}
        """

    private static func decode(_ json: String) -> Decoding {
        Decoding(of: Callback(target: target, body: .json(Array(json.utf8))), from: .rezolve)
    }

    @Test("keep every member in its place, with the act's id from the path")
    func published() throws {
        let decoding = Self.decode(Self.whole)
        #expect(decoding.contract == .rezolveAct && decoding.verdict == .decoded)
        #expect(decoding.outcome == .completed && decoding.diagnostics.isEmpty)
        #expect(try decoding.text == #"{"act_id":"act-7","# + compact(Self.whole).dropFirst())
    }

    @Test("of the Android SDK nest their place, and name the service")
    func android() throws {
        let json = #"""
            {"serviceId":"service-501","location":{"latitude":15.8,"longitude":74.5},"answers":[]}
            """#
        let decoding = Self.decode(json)
        #expect(decoding.verdict == .decoded && decoding.diagnostics.isEmpty)
        #expect(decoding.root?["location"]?["latitude"]?.double == 15.8)
        #expect(
            Self.decode(#"{"location":null,"serviceId":null,"answers":[]}"#).diagnostics.isEmpty)
        let swapped = Self.decode(#"{"location":{"latitude":116,"longitude":39},"answers":[]}"#)
        #expect(swapped.diagnostic("out_of_range")?.pointer == "/location/latitude")
        #expect(swapped.codes == ["out_of_range"])
        let open = Self.decode(#"{"answers":[],"zz":{"latitude":116,"longitude":39}}"#)
        #expect(open.diagnostic("swapped_coordinates")?.pointer == "/zz/latitude")
        #expect(open.diagnostic("swapped_coordinates")?.offset == 31)
        for wrong in [#"{"location":"here","answers":[]}"#, #"{"serviceId":5,"answers":[]}"#] {
            #expect(Self.decode(wrong).diagnostic("wrong_type")?.severity == .warning)
        }
    }

    @Test(
        "are read as dates in both forms",
        arguments: [
            ("24/12/2026 18:30", .date("2026-12-24T18:30:00")),
            ("29/02/2024 00:00", .date("2024-02-29T00:00:00")),
            ("2026-12-24T18:30:05+0100", .date("2026-12-24T18:30:05+01:00")),
            ("2026-12-24T18:30:05-05:00", .date("2026-12-24T18:30:05-05:00")),
            ("2026-12-24T18:30:05Z", .date("2026-12-24T18:30:05Z")),
            (
                "12/24/2026 18:30",
                .impossible(hint: "day and month are swapped: the day comes first")
            ),
            ("29/02/2026 00:00", .impossible(hint: nil)),
            ("24/12/2026 24:00", .impossible(hint: nil)),
            ("2026-13-01T00:00:00Z", .impossible(hint: nil)),
            ("2026-12-01T00:00:00+2500", .impossible(hint: nil)), ("24/12/26 18:30", .none),
            ("tomorrow", .none), ("", .none), ("２４/12/2026 18:30", .none),
        ] as [(String, RezolveDate)])
    func dates(text: String, date: RezolveDate) {
        #expect(RezolveDate.read(text) == date)
        let decoding = Self.decode(#"{"answers":[{"question_id":"q","answer":"\#(text)"}]}"#)
        let answer = decoding.root?["answers"]?[0]
        #expect(answer?["answer"]?.string == text)
        switch date {
        case .date(let normalised): #expect(answer?["date"]?.string == normalised)
        case .impossible:
            #expect(decoding.diagnostic("impossible_date")?.pointer == "/answers/0/answer")
        case .none: #expect(decoding.verdict == .decoded && answer?["date"] == nil)
        }
    }

    @Test(
        "name what is wrong, and keep the rest",
        arguments: [
            (#"{"email":"a"}"#, "missing_answers", ""),
            (#"{"answers":{}}"#, "wrong_type", "/answers"),
            (#"{"answers":[1]}"#, "wrong_type", "/answers/0"),
            (#"{"answers":[{"answer":"1"}]}"#, "missing_question_id", "/answers/0"),
            (#"{"answers":[{"question_id":"q"}]}"#, "missing_answer", "/answers/0"),
            (#"{"answers":[{"question_id":"q","answer":2}]}"#, "wrong_type", "/answers/0/answer"),
            (
                #"{"answers":[{"question_id":1,"answer":""},{"question_id":"1","answer":""}]}"#,
                "duplicate_answer", "/answers/1/question_id"
            ),
            (#"{"answers":[],"phone":5}"#, "wrong_type", "/phone"),
            (#"{"answers":[],"latitude":"1"}"#, "wrong_type", "/latitude"),
            (#"{"answers":[],"latitude":117.6}"#, "out_of_range", "/latitude"),
            (#"{"answers":[],"colour":1}"#, "unknown_member", "/colour"),
            (#"{"answers":[],"act_id":8}"#, "act_id_mismatch", "/act_id"),
            (#"{"answers":[],"phone":"1","phone":"2"}"#, "duplicate_member", "/phone"),
        ])
    func flaws(json: String, code: String, pointer: String) {
        let decoding = Self.decode(json)
        #expect(decoding.diagnostic(code)?.pointer == pointer)
        #expect(decoding.value != nil && decoding.contract == .rezolveAct)
    }

    @Test("belong to the act of the path, and have no reason, which is the sandbox's")
    func ownMembers() throws {
        let decoding = Self.decode(#"{"act_id":"act-8","reason":"bad_signature","answers":[]}"#)
        #expect(decoding.text == #"{"act_id":"act-7","answers":[]}"#)
        #expect(decoding.verdict == .decodedWithWarnings)
        #expect(decoding.diagnostic("act_id_mismatch")?.severity == .warning)
        #expect(decoding.diagnostic("unknown_member")?.pointer == "/reason")
        #expect(Self.decode(#"{"act_id":"act-7","answers":[]}"#).diagnostics.isEmpty)
        #expect(Self.decode(#"{"act_id":null,"answers":[]}"#).diagnostics.isEmpty)
        let elsewhere = Decoding(
            of: Callback(
                target: Array("/callbacks/rezolve".utf8),
                body: .json(Array(#"{"act_id":"act-8","answers":[]}"#.utf8))), from: .rezolve)
        #expect(elsewhere.root?["act_id"]?.string == "act-8")
    }

    @Test("keep all values of members that repeat")
    func repetitions() {
        let json = #"{"answers":[],"phone":"1","phone":"2","colour":1}"#
        let decoding = Self.decode(json)
        #expect(decoding.root?["phone"]?.string == "1")
        let all = decoding.root?["duplicates"]?["/phone"]?.elements.map { $0.string }
        #expect(all == ["1", "2"])
        #expect(decoding.diagnostic("unknown_member")?.found == "\"colour\"")
    }

    @Test("without a body, or with a broken one, can't be decoded")
    func undecodable() {
        let none = Decoding(of: Callback(target: Self.target), from: .rezolve)
        #expect(none.verdict == .undecodable && none.codes == ["missing_parameter"])
        let broken = Self.decode(#"{"answers":["#)
        #expect(broken.contract == .rezolveAct)
        #expect(broken.diagnostic("broken_json")?.offset == 12)
        #expect(Self.decode("[]").codes == ["not_an_object"])
    }

    @Test("survive 20,000 mutations, as triggers do")
    func mutations() {
        var random = SeededGenerator(seed: 0x4E21)
        let urls = [
            "http://rzlv.co/12/252/7/1041?ad=3&placement=9",
            "/callbacks/rezolve?url=http%3A//rzlv.co/1",
            "/instant?path=2/252/2", "https://instant.eu.rezolve.com/resolve?engagementid=e",
        ].map { Array($0.utf8) }
        for round in 0..<20_000 {
            let isAct = round % 2 == 0
            let message = isAct ? Array(Self.whole.utf8) : urls[round / 2 % urls.count]
            let bytes = random.mutation(of: message)
            let callback =
                isAct ? Callback(target: Self.target, body: .json(bytes)) : Callback(target: bytes)
            for diagnostic in Decoding(of: callback, from: .rezolve).diagnostics {
                let size = diagnostic.part == .target ? callback.target.count : bytes.count
                guard let offset = diagnostic.offset, !(0...size ~= offset) else { continue }
                Issue.record("\(diagnostic) is outside of \(bytes)")
            }
        }
    }
}
