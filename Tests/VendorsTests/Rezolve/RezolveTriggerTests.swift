// Rezolve's triggers, by the table of vendor document 4.4.

import Testing

@testable import Vendors

@Suite("Rezolve triggers")
struct RezolveTriggerTests {
    @Test(
        "are classified by host and path",
        arguments: [
            (
                "http://rzlv.co/12/252/7/1041?ad=3&placement=9",
                #"{"kind":"product","partner_id":12,"merchant_id":252,"category_id":7,"#
                    + #""product_id":1041,"ad_id":"3","placement_id":"9"}"#
            ),
            (
                "https://rzlv.co/12/252/7",
                #"{"kind":"category","partner_id":12,"merchant_id":252,"category_id":7}"#
            ),
            (
                "HTTPS://RZLV.CO:443/12/252/%37/?placement=browse",
                #"{"kind":"category","partner_id":12,"merchant_id":252,"category_id":7,"#
                    + #""placement_id":"browse"}"#
            ),
            (
                "/emulate/rezolve/1/2/3/04",
                #"{"kind":"product","partner_id":1,"merchant_id":2,"category_id":3,"product_id":4}"#
            ),
            ("/1/2/3", #"{"kind":"category","partner_id":1,"merchant_id":2,"category_id":3}"#),
            (
                "http://rzlv.co/instant?path=2/252/2",
                #"{"kind":"category","partner_id":2,"merchant_id":252,"category_id":2}"#
            ),
            (
                "https://instant.eu.rezolve.com/resolve?engagementid=e-77",
                #"{"kind":"engagement","engagement_id":"e-77"}"#
            ),
            (
                "http://rzlv.co/instant?path=2/252/2/5",
                #"{"kind":"product","partner_id":2,"merchant_id":252,"category_id":2,"#
                    + #""product_id":5}"#
            ),
            (
                "/callbacks/rezolve/qa?url=http%3A//rzlv.co/1/2/3%3Fad%3D5",
                #"{"kind":"category","partner_id":1,"merchant_id":2,"category_id":3,"ad_id":"5"}"#
            ),
            (
                "/callbacks/rezolve?engagementid=e-1",
                #"{"kind":"engagement","engagement_id":"e-1"}"#
            ),
            (
                "https://shop.example/1/2/3?a=1",
                #"{"kind":"custom_url","url":"https://shop.example/1/2/3?a=1","#
                    + #""action":"open_in_browser","parameters":{"a":"1"}}"#
            ),
            (
                "myapp:order?x",
                #"{"kind":"custom_url","url":"myapp:order?x","action":"open_in_browser","#
                    + #""parameters":{"x":""}}"#
            ),
        ] as [(String, String)])
    func classified(url: String, value: String) {
        let decoding = Decoding(url: url, from: .rezolve)
        #expect(decoding.text == value)
        #expect(decoding.contract == .rezolveTrigger && decoding.verdict == .decoded)
        #expect(decoding.outcome == nil)
    }

    @Test("keep all values of repeated parameters, of which the first counts")
    func duplicates() {
        let decoding = Decoding(url: "http://rzlv.co/1/2/3?ad=5&ad=6&a=x&ad=7&a=y", from: .rezolve)
        let value =
            #"{"kind":"category","partner_id":1,"merchant_id":2,"category_id":3,"ad_id":"5","#
            + #""parameters":{"a":"x"},"duplicates":{"ad":["5","6","7"],"a":["x","y"]}}"#
        #expect(decoding.text == value)
        #expect(decoding.verdict == .decodedWithWarnings)
    }

    @Test(
        "of another host are links for the browser, however similar the host is",
        arguments: [
            "https://rzlv.co.evil.example/1/2/3", "https://evil.example/rzlv.co/1/2/3",
            "https://xrzlv.co/1/2/3", "https://rzlv.co@evil.example/1/2/3",
            "https://instant.eu.rezolve.com.evil.example/1/2/3", "https://eu.rezolve.com/1/2/3",
            "https://instant.a.b.rezolve.com/x", "https://instant..rezolve.com/x", "https:///1/2/3",
            "https://instant.a b.rezolve.com/x", "https://instant.a@b.rezolve.com/x",
            "https://instant.ä.rezolve.com/x", #"https://evil.example\@rzlv.co/12/252/7"#,
            #"https://rzlv.co\.evil.example/1/2/3"#, "https://rzlv.co\t.evil.example/1/2/3",
            "rzlv.co/1/2/3", " https://rzlv.co/1/2/3",
        ])
    func hosts(url: String) {
        let decoding = Decoding(url: url, from: .rezolve)
        #expect(decoding.root?["kind"]?.string == "custom_url")
    }

    @Test(
        "say when the host isn't what it seems",
        arguments: [
            ("https://rzlv.co.evil.example/1/2/3", "lookalike_host", 0, "\"rzlv.co.evil.example\""),
            (#"https://evil.example\@rzlv.co/1/2/3"#, "lookalike_host", 20, "\"evil.example\""),
            ("https://ana:pw@rzlv.co/1/2/3", "userinfo", 8, "one"),
            ("https://rzlv.co.evil.example/x?engagementid=e", "lookalike_host", 0, "evil"),
            ("https://shop.example/x?engagementid=e", "unusual_host", 0, "\"shop.example\""),
            ("https://rzlv.co/1/2/3?engagementid=e", "unusual_host", 0, "\"rzlv.co\""),
            ("/callbacks/rezolve?url=rzlv.co/1/2/3", "custom_url", 23, "no scheme"),
            (
                "/callbacks/rezolve?url=%20https://rzlv.co/1/2/3", "custom_url", 23,
                "\" \" before the link"
            ),
        ] as [(String, String, Int, String)])
    func hostsInDisguise(url: String, code: String, offset: Int, found: String) {
        let decoding = Decoding(url: url, from: .rezolve)
        #expect(decoding.codes == [code])
        #expect(decoding.diagnostics.first?.offset == offset)
        #expect(decoding.diagnostics.first?.found.contains(found) == true)
        #expect(decoding.verdict == .decodedWithWarnings)
    }

    @Test(
        "that lack the parameter of their form are bad, and say nothing else",
        arguments: [
            ("/instant", "path", nil), ("http://rzlv.co/instant?path=", "path", 23),
            ("/resolve?engagementid=", "engagementid", 9), ("/resolve", "engagementid", nil),
            ("/emulate/rezolve/instant?engagementid=", "engagementid", 25),
            ("https://instant.eu.rezolve.com/x", "engagementid", nil),
            ("https://instant.eu.rezolve.com/resolve?engagementid=", "engagementid", 39),
            ("/callbacks/rezolve?url=https%3A//rzlv.co/instant%3Fpath%3D", "path", 51),
        ] as [(String, String, Int?)])
    func missing(url: String, name: String, offset: Int?) {
        let decoding = Decoding(url: url, from: .rezolve)
        #expect(decoding.verdict == .decodedWithWarnings && decoding.outcome == .error)
        #expect(decoding.text == #"{"kind":"bad_trigger"}"#)
        #expect(decoding.codes == ["missing_parameter"])
        #expect(decoding.diagnostics.first?.expected == "a value of the parameter \(name)")
        #expect(decoding.diagnostics.first?.offset == offset)
    }

    @Test(
        "are read alike by the check of launches",
        arguments: [
            ("https://rzlv.co/12/252/7", "partner merchant category"),
            ("https://rzlv.co/12/252/7/1041", "partner merchant category product"),
            ("https://rzlv.co/instant?path=2/252/2/5", "partner merchant category product"),
            ("https://rzlv.co/12/252/7?engagementid=e", "engagementid"),
            ("https://instant.a-1.rezolve.com/x?engagementid=e", "engagementid"),
            ("/emulate/rezolve/resolve?engagementid=e", "engagementid"),
            ("/emulate/rezolve/rezolve/12/252/7", "not a trigger"), ("/1/2", "not a trigger"),
            ("/1/x/3", "not a trigger"), ("/instant?path=1/2", "not a trigger"),
            ("https://instant.a b.rezolve.com/x", "browser"),
            ("https://a.example/1/2/3", "browser"),
            (#"https://evil.example\@rzlv.co/12/252/7"#, "browser"),
        ])
    func alike(url: String, reading: String) {
        let check = LaunchCheck(of: Array(url.utf8), as: .rezolveTrigger)
        let value = Decoding(url: url, from: .rezolve).root
        switch reading {
        case "browser":
            #expect(check.reaction.kind == .browser && value?["kind"]?.string == "custom_url")
        case "not a trigger":
            #expect(check.reaction.kind == .errorPage)
            #expect(value == nil || value?["kind"]?.string == "bad_trigger")
        default:
            #expect(check.reaction.kind == .starts)
            let names = ["partner", "merchant", "category", "product"].filter {
                value?[$0 + "_id"] != nil
            }
            let read = value?["engagement_id"] == nil ? names : ["engagementid"]
            #expect(read.joined(separator: " ") == reading)
            // No link is made of an engagement without a region, but it is read.
            let engagement = check.parameters.first { $0.name == "engagementid" }?.value
            #expect(engagement == value?["engagement_id"]?.string)
        }
    }

    @Test(
        "are bad with another number of components",
        arguments: [
            ("http://rzlv.co/1/2", 18), ("http://rzlv.co/1/2/3/4/5", 23), ("http://rzlv.co", 14),
            ("/emulate/rezolve/1/2?ad=1", 20), ("/", 1),
            ("http://rzlv.co/instant?path=1/2", 31), ("/instant?path=1/2/3/4/5", 22),
        ])
    func badCount(url: String, offset: Int) {
        let decoding = Decoding(url: url, from: .rezolve)
        #expect(decoding.verdict == .decodedWithWarnings && decoding.contract == .rezolveTrigger)
        #expect(decoding.outcome == .error && decoding.root?["kind"]?.string == "bad_trigger")
        #expect(decoding.diagnostic("bad_trigger")?.offset == offset)
    }

    @Test(
        "with an id that is no number keep the others",
        arguments: [
            ("/1/x/3", #"{"kind":"bad_trigger","partner_id":1,"category_id":3}"#, [3]),
            (
                "http://rzlv.co/1//3/4",
                #"{"kind":"bad_trigger","partner_id":1,"category_id":3,"product_id":4}"#, [17]
            ),
            ("//2/3", #"{"kind":"bad_trigger","merchant_id":2,"category_id":3}"#, [1]),
            ("/instant?path=1//3", #"{"kind":"bad_trigger","partner_id":1,"category_id":3}"#, [16]),
            ("/-1/2/3/4.0", #"{"kind":"bad_trigger","merchant_id":2,"category_id":3}"#, [1, 8]),
            (
                "/1/2/99999999999999999999",
                #"{"kind":"bad_trigger","partner_id":1,"merchant_id":2}"#, [5]
            ),
            (
                "/instant?path=a/2/%63",
                #"{"kind":"bad_trigger","merchant_id":2}"#, [14, 18]
            ),
            (
                "/callbacks/rezolve?url=http%3A%2F%2Frzlv.co%2Fa%2F2%2F3",
                #"{"kind":"bad_trigger","merchant_id":2,"category_id":3}"#, [46]
            ),
        ] as [(String, String, [Int])])
    func badNumbers(url: String, value: String, offsets: [Int]) {
        let decoding = Decoding(url: url, from: .rezolve)
        #expect(decoding.text == value)
        #expect(decoding.verdict == .decodedWithWarnings && decoding.outcome == .error)
        #expect(
            decoding.diagnostics.allSatisfy {
                $0.code == (($0.severity == .info) ? "uncertain_id_order" : "not_an_integer")
            })
        #expect(decoding.diagnostics.compactMap(\.offset) == offsets)
    }

    @Test(
        "without a link at all can't be decoded",
        arguments: ["/callbacks/rezolve", "/callbacks/rezolve/qa?a=1"])
    func nothing(url: String) {
        let decoding = Decoding(url: url, from: .rezolve)
        #expect(decoding.verdict == .undecodable)
        #expect(decoding.codes == ["missing_parameter"])
    }

    @Test("hold nothing of what the sandbox takes for itself")
    func ownParameters() {
        let own = "\(FlowID.parameter)=x&scenario=silent"
        let asked = Decoding(url: "/emulate/rezolve/1/2/3?\(own)", from: .rezolve)
        #expect(asked.root?["parameters"] == nil && asked.verdict == .decoded)
        #expect(asked.codes == [])
        let vendors = Decoding(url: "https://rzlv.co/1/2/3?\(own)", from: .rezolve)
        #expect(vendors.root?["parameters"]?["scenario"]?.string == "silent")
        #expect(vendors.codes == ["unknown_parameter"])
    }

    @Test("name no credential")
    func credentials() {
        let decoding = Decoding(url: "/1/2/3?password=hunter2", from: .rezolve)
        #expect(decoding.text?.contains("hunter2") == false)
        let custom = Decoding(url: "https://shop.example/?password=hunter2", from: .rezolve)
        #expect(custom.text?.contains("hunter2") == false)
    }

    @Test(
        "are recognised",
        arguments: [
            ("http://rzlv.co/1/2/3", .rezolve), ("https://instant.eu.rezolve.com/x", .rezolve),
            ("https://host.example/emulate/rezolve/1/2/3", .rezolve),
            ("/emulate/rezolve/1/2/3", .rezolve), ("?engagementid=1", .rezolve),
            ("https://rzlv.co.evil.example/1/2/3", nil), ("/1/2/3", nil),
            ("/v1/submissions/act/7/answers", .rezolve),
        ] as [(String, Vendor?)])
    func recognised(url: String, vendor: Vendor?) {
        #expect(Vendor(recognizing: Callback(target: Array(url.utf8))) == vendor)
    }
}
