// Every parameter of vendor document 2.2, right and wrong.
// Left out: the published callback, which is in `PublishedTests`.

import Testing

@testable import Vendors

@Suite("Welltory")
struct WelltoryTests {
    @Test("writes each parameter by its type, in a fixed order", arguments: Carrier.allCases)
    func everyParameter(carrier: Carrier) {
        let callback = carrier.callback([
            ("note", "from \"A\""), ("is_stage_server", "true"), ("measurement_quality", "0.9"),
            ("token", "t/1"), ("productivity_c", "unknown"), ("energy_c", "yellow"),
            ("stress_c", "green"), ("power", "100"), ("sdnn", "45.1"), ("rmssd", "90.30"),
            ("productivity", "1"), ("energy", "0.0"), ("stress", "1e-1"),
        ])
        let decoding = Decoding(of: callback, from: .welltory)
        #expect(decoding.verdict == .decoded)
        #expect(decoding.codes == ["unknown_parameter"])
        #expect(
            decoding.text
                == #"{"stress":1e-1,"energy":0.0,"productivity":1,"rmssd":90.30,"sdnn":45.1,"#
                + #""power":100,"stress_c":"green","energy_c":"yellow","productivity_c":"unknown","#
                + #""token":"t/1","measurement_quality":0.9,"is_stage_server":true,"#
                + #""parameters":{"note":"from \"A\""}}"#)
    }

    @Test(
        "never guesses a number: the key is left out, the others stay",
        arguments: [
            "0,32", "NaN", "nan", "inf", "-Infinity", "1e999", "", " 0.3", "0.3 ", "+0.3", ".5",
            "1.", "01", "0x1", "1_000", "½", "٣",
        ], ["stress", "rmssd"])
    func brokenNumbers(text: String, key: String) throws {
        let other = key == "stress" ? "sdnn" : "stress"
        let callback = Carrier.form.callback([(key, text), (other, "0.5")])
        let decoding = Decoding(of: callback, from: .welltory)
        #expect(decoding.verdict == .decodedWithWarnings)
        #expect(decoding.outcome == .completed)
        #expect(decoding.text == "{\"\(other)\":0.5}")
        let diagnostic = try #require(decoding.diagnostic("not_a_number"))
        #expect(diagnostic.severity == .warning)
        #expect(diagnostic.layer == .model)
        #expect(diagnostic.offset == key.utf8.count + 1)
    }

    @Test("hints at a decimal comma")
    func comma() {
        let decoding = Decoding(url: "?stress=0,32&energy=1", from: .welltory)
        #expect(
            decoding.diagnostic("not_a_number")?.hint
                == "use a point before the decimals, not a comma")
    }

    @Test("keeps what is out of range, with a warning", arguments: ["-0.1", "1.01", "32", "1e300"])
    func range(text: String) {
        let decoding = Decoding(url: "/?stress=\(text)&rmssd=\(text)", from: .welltory)
        #expect(decoding.verdict == .decodedWithWarnings)
        #expect(decoding.text == "{\"stress\":\(text),\"rmssd\":\(text)}")
        #expect(decoding.codes == ["out_of_range", "absent_parameters"])
        #expect(decoding.diagnostics.first?.offset == 9)
    }

    @Test(
        "notes a colour that says the opposite of its number, and no other",
        arguments: [
            ("stress=0.9&stress_c=green", true), ("stress=0.1&stress_c=red", true),
            ("energy=0.1&energy_c=green", true), ("productivity=0.95&productivity_c=red", true),
            ("stress=0.1&stress_c=green", false), ("stress=0.9&stress_c=yellow", false),
            ("stress=0.9&energy_c=green", false), ("energy=0.9&energy_c=green", false),
            ("productivity=0.63&productivity_c=red", false), ("stress=9&stress_c=green", false),
            ("stress=0,9&stress_c=green&energy=1", false), ("stress=0.9&stress_c=unknown", false),
        ])
    func colourAgainstNumber(query: String, isNoted: Bool) {
        let decoding = Decoding(url: "?" + query, from: .welltory)
        let found = decoding.diagnostic("inconsistent_colour")
        #expect((found != nil) == isNoted)
        #expect(found.map { $0.severity == .info } ?? true)
    }

    @Test("names the number beside such a colour where a value may be, in found")
    func numberBesideColour() {
        let found = Decoding(url: "?stress=0.95&stress_c=green", from: .welltory)
            .diagnostic("inconsistent_colour")
        #expect(found?.expected == "stress_c: another colour for stress")
        #expect(found?.found == #""green" beside "0.95""#)
    }

    @Test(
        "notes what a whole result has and this one lacks",
        arguments: [
            (
                "stress=1&energy=1&productivity=1&rmssd=1&sdnn=1&power=1",
                "stress_c, energy_c, productivity_c"
            ),
            (
                "stress=1&energy=1&rmssd=1&sdnn=1&power=1&stress_c=red&energy_c=red&productivity_c=red",
                "productivity"
            ),
            (
                "stress=1&energy=1&productivity=1&rmssd=1&sdnn=1&power=1&stress_c=red&energy_c=green"
                    + "&productivity_c=red1", nil
            ),
        ] as [(String, String?)])
    func absentParameters(query: String, names: String?) {
        let found = Decoding(url: "?" + query, from: .welltory).diagnostic("absent_parameters")
        #expect(found.map { $0.severity == .info } ?? true)
        #expect(found?.expected == names.map { "the parameters " + $0 })
    }

    @Test("keeps an unknown colour, with a warning", arguments: ["blue", "Green", "", "grün"])
    func colour(text: String) {
        let callback = Carrier.query.callback([("stress", "0.1"), ("energy_c", text)])
        let decoding = Decoding(of: callback, from: .welltory)
        #expect(decoding.verdict == .decodedWithWarnings)
        #expect(decoding.codes == ["unknown_colour", "absent_parameters"])
        #expect(decoding.text == "{\"stress\":0.1,\"energy_c\":\"\(text)\"}")
    }

    @Test("leaves out a flag that is neither true nor false", arguments: ["1", "yes", "True", ""])
    func flag(text: String) {
        let decoding = Decoding(url: "?stress=0.1&is_stage_server=\(text)", from: .welltory)
        #expect(decoding.codes == ["not_a_boolean", "absent_parameters"])
        #expect(decoding.text == #"{"stress":0.1}"#)
    }

    @Test("warns when stress is missing, and is undecodable without any measurement")
    func missing() {
        let partial = Decoding(url: "?energy=0.5", from: .welltory)
        #expect(partial.verdict == .decodedWithWarnings)
        #expect(partial.codes == ["missing_parameter", "absent_parameters"])
        for url in [
            "", "?", "/dds/", "?token=t&stress_c=red", "?stress=x", "?measurement_quality=1",
        ] {
            let none = Decoding(url: url, from: .welltory)
            #expect(none.verdict == .undecodable)
            #expect(none.contract == .welltoryDDS)
            #expect(none.outcome == nil && none.value == nil)
            #expect(none.diagnostics.contains { $0.severity == .error })
        }
    }

    @Test("takes the last of several values, query before body, with one warning")
    func duplicates() throws {
        let callback = Callback(
            target: Array("/?stress=0.1&x=1&stress=0.2".utf8),
            body: .form(Array("stress=0.3&x=2".utf8)))
        let decoding = Decoding(of: callback, from: .welltory)
        #expect(
            decoding.text
                == #"{"stress":0.3,"parameters":{"x":"2"},"#
                + #""duplicates":{"stress":["0.1","0.2","0.3"],"x":["1","2"]}}"#)
        let warnings = decoding.diagnostics.filter { $0.code == "duplicate_parameter" }
        #expect(warnings.map(\.found) == ["another \"stress\"", "another \"x\""])
        #expect(warnings.map(\.offset) == [17, 11])
        #expect(warnings.map(\.part) == [.target, .body])
        #expect(warnings.map(\.layer) == [.url, .form])
    }

    @Test("reads plus as itself in a query and as a space in a form")
    func plus() {
        let query = Decoding(url: "?stress=1&note=a+b%2Bc", from: .welltory)
        #expect(query.root?["parameters"]?["note"]?.string == "a+b+c")
        let form = Decoding(form: "stress=1&note=a+b%2Bc", from: .welltory)
        #expect(form.root?["parameters"]?["note"]?.string == "a b+c")
    }

    @Test("finds the query between the first ? and the first #")
    func fragments() {
        let decoding = Decoding(url: "https://a/?stress=0.5&note=?#stress=0.9", from: .welltory)
        #expect(decoding.text == #"{"stress":0.5,"parameters":{"note":"?"}}"#)
        #expect(Decoding(url: "/#?stress=1", from: .welltory).verdict == .undecodable)
    }

    @Test("passes empty pairs, names without value and several equals signs")
    func pairs() {
        let decoding = Decoding(url: "?&&stress=1&a&=b&c==d=&", from: .welltory)
        #expect(
            decoding.text == #"{"stress":1,"parameters":{"a":"","":"b","c":"=d="}}"#)
    }
}
