// Callbacks in the forms in which partners' back ends forward them: JSON under another label, forms
// in parts, a URL in JSON, lists.
// Invariant: what is decoded is the same as from the link itself.

import JSON
import Testing

@testable import Vendors

@Suite("What partners send")
struct SentAsTests {
    private static let boundary = Array("b0undary".utf8)

    private static func decoding(
        _ body: Callback.Body, from vendor: Vendor = .welltory, target: String = "/callbacks/x"
    ) -> Decoding {
        Decoding(of: Callback(target: Array(target.utf8), body: body), from: vendor)
    }

    private static func decoding(parts text: String, from vendor: Vendor = .welltory) -> Decoding {
        decoding(.multipart(boundary: boundary, Array(text.utf8)), from: vendor)
    }

    /// A whole form of parts.
    private static func form(_ parts: [(fields: String, content: String)]) -> String {
        parts.map { "--b0undary\r\n\($0.fields)\r\n\r\n\($0.content)\r\n" }.joined()
            + "--b0undary--\r\n"
    }

    private static func named(_ name: String, _ content: String) -> (String, String) {
        ("Content-Disposition: form-data; name=\"\(name)\"", content)
    }

    // MARK: Labels

    @Test(
        "is JSON under the label of text or bytes too, with a warning",
        arguments: ["text/plain", "text/json", "application/octet-stream"])
    func mislabelled(type: String) {
        let body = Array(#" {"stress":0.5,"energy":1}"#.utf8)
        let decoding = Self.decoding(
            .init(body, contentType: Array("\(type); charset=utf-8".utf8)[...]))
        #expect(decoding.text == #"{"stress":0.5,"energy":1}"#)
        #expect(decoding.codes == ["mislabelled_body", "absent_parameters"])
        #expect(decoding.verdict == .decodedWithWarnings)
    }

    @Test(
        "is nothing else under these labels",
        arguments: [
            ("text/plain", "stress=0.5&energy=1"), ("application/octet-stream", "\u{1}\u{2}"),
            ("application/xml", #"{"stress":0.5}"#),
        ])
    func unsupported(type: String, text: String) {
        let decoding = Self.decoding(.other(contentType: type, Array(text.utf8)))
        #expect(decoding.codes == ["unsupported_content_type"])
        #expect(decoding.verdict == .undecodable)
    }

    @Test("needs its signature under every label, and in a list")
    func deliveries() {
        let delivery = #"{"item_ids":["1"]}"#
        for type in ["application/json", "text/plain", "application/x-www-form-urlencoded"] {
            for text in [delivery, "[\(delivery)]", "[{},\(delivery)]"] {
                let body = Callback.Body(Array(text.utf8), contentType: Array(type.utf8)[...])
                #expect(Callback(target: [], body: body).holdsDelivery(), "\(type) \(text)")
            }
        }
        let other = Callback.Body(Array(delivery.utf8), contentType: Array("text/html".utf8)[...])
        #expect(!Callback(target: [], body: other).holdsDelivery())
    }

    @Test(
        "needs its signature in every layer that the decoder removes",
        arguments: [
            "\u{FEFF}{\"item_ids\":[\"1\"]}", #""{\"item_ids\":[\"1\"]}""#,
            "%7B%22item_ids%22%3A%5B%221%22%5D%7D",
            "\u{FEFF}{\"started_at\":\"2026-01-01T08:00:00Z\",\"ended_at\":\"2026-01-01T08:04:00Z\"}",
        ])
    func layersOfDeliveries(text: String) {
        let callback = Callback(target: Array("/".utf8), body: .json(Array(text.utf8)))
        #expect(Decoding(of: callback, from: .dimmy).outcome == .completed)
        #expect(callback.holdsDelivery())
    }

    @Test("needs its signature at a receiver of webhooks, whatever it is")
    func deliveriesAtReceivers() {
        let callback = Callback(target: Array("/".utf8), body: .json(Array(#"{"a":1}"#.utf8)))
        #expect(callback.holdsDelivery(at: .fluxWebhook))
        #expect(!callback.holdsDelivery(at: .flux))
        #expect(!Callback(target: Array("/?a=1".utf8)).holdsDelivery(at: .fluxWebhook))
    }

    // MARK: Forms in parts

    @Test("is a form in parts, each with its name, and values as they are")
    func parts() {
        let text = Self.form([
            Self.named("stress", "0.32"), Self.named("energy", "0.7"),
            (
                "content-disposition:form-data;name=stress_c ; filename=\"a\\\"b; name=x\"\r\n"
                    + "Content-Type: text/plain\r\nContent-Transfer-Encoding: 8bit", "green"
            ),
            Self.named("note", "a+b %41 &c=\r\n--b0und\r\n"), Self.named("größe", "ü"),
        ])
        let decoding = Self.decoding(parts: text)
        #expect(decoding.root?["stress"]?.double == 0.32)
        #expect(decoding.root?["stress_c"]?.string == "green")
        #expect(
            decoding.root?["parameters"]?["note"]?.string == "a+b %41 &c=\r\n--b0und\r\n")
        #expect(decoding.root?["parameters"]?["größe"]?.string == "ü")
        #expect(decoding.verdict == .decoded)
        let unknown = decoding.diagnostic("unknown_parameter")
        #expect(unknown?.layer == .form && unknown?.part == .body)
        let rest = Array(text.utf8)[(unknown?.offset ?? 0)...]
        #expect(rest.prefix(4).elementsEqual("note".utf8))
    }

    @Test(
        "is a form of every vendor",
        arguments: [
            (Vendor.dimmy, "response", "eyJjb2RlIjoiYSJ9", #""code":"a""#),
            (.ailet, "result", #"{"status":"IR_RESULT_OK"}"#, #""status_code":1"#),
            (.rezolve, "url", "https://rzlv.co/1/2/3", #""kind":"category""#),
            (.xCallbackURL, "errorCode", "7", #""errorCode":"7""#),
        ])
    func vendors(vendor: Vendor, name: String, content: String, value: String) {
        let decoding = Self.decoding(parts: Self.form([Self.named(name, content)]), from: vendor)
        #expect(decoding.text?.contains(value) == true, "\(decoding.text ?? "") \(decoding.codes)")
    }

    @Test("may have no parts, or empty ones")
    func empty() {
        #expect(Self.decoding(parts: "--b0undary--").codes.contains("no_measurement"))
        let text = "--b0undary\r\nContent-Disposition: form-data; name=a\r\n\r\n--b0undary--\r\n"
        let decoding = Self.decoding(parts: text, from: .xCallbackURL)
        #expect(decoding.root?["parameters"]?["a"]?.string?.isEmpty == true)
    }

    @Test(
        "is refused at the first byte that breaks the form",
        arguments: [
            ("", "stress=1"), ("", " --b0undary--"), ("", "--other\r\n"),
            ("--b0undary", "x\r\n"), ("--b0undary", " \r\n"), ("--b0undary", "\nContent"),
            ("--b0undary\r\n", ": form-data\r\n\r\n"), ("--b0undary\r\n", "no colon\r\n\r\n"),
            ("--b0undary\r\n", " folded: 1\r\n\r\n"), ("--b0undary\r\n", "X: 1\r\n\r\n1"),
            ("--b0undary\r\n", "X: 1"), ("--b0undary\r\nX: 1\r\n", "Y: 1\n\n"),
            ("--b0undary\r\nContent-Disposition: ", "attachment; name=a\r\n\r\n"),
            ("--b0undary\r\nContent-Disposition: form-data", "\r\n\r\n1"),
            ("--b0undary\r\nContent-Disposition: form-data; name=", "\"a\r\n\r\n1"),
            ("--b0undary\r\nContent-Disposition: form-data; name", " =a\r\n\r\n1"),
            ("--b0undary\r\nContent-Disposition: form-data; name=a; ", "name=b\r\n\r\n1"),
            (
                "--b0undary\r\nContent-Disposition: form-data; name=a\r\n",
                "Content-Disposition: form-data; name=b\r\n\r\n1"
            ),
            (
                "--b0undary\r\nContent-Disposition: form-data; name=a\r\n"
                    + "Content-Transfer-Encoding: ", "base64\r\n\r\nMQ=="
            ),
            ("--b0undary\r\nContent-Disposition: form-data; name=a\r\n\r\n0.3", ""),
            ("--b0undary\r\nContent-Disposition: form-data; name=a\r\n\r\n0.3\r\n--b0undar", ""),
            (
                "--b0undary\r\nContent-Disposition: form-data; name=a\r\n\r\n0.3\r\n--b0undary",
                "-"
            ),
            ("--b0undary--\r\n", "more"), ("--b0undary--", "more"),
        ])
    func broken(good: String, bad: String) {
        let decoding = Self.decoding(parts: good + bad)
        #expect(decoding.verdict == .undecodable)
        #expect(decoding.codes == ["broken_multipart"])
        #expect(decoding.diagnostics.first?.offset == good.utf8.count, "\(decoding.diagnostics)")
    }

    @Test("is refused where the fields of a part are too long, without reading on")
    func longFields() {
        let name = String(repeating: "a", count: Limits.maximumPartFieldBytes)
        let decoding = Self.decoding(parts: Self.form([Self.named(name, "1")]))
        #expect(decoding.codes == ["broken_multipart"])
        #expect(decoding.diagnostics.first?.offset == 12 + Limits.maximumPartFieldBytes)
    }

    @Test("has at most as many parts as parameters")
    func manyParts() {
        let many = (0...Limits.maximumParameters).map { Self.named("p\($0)", "1") }
        let decoding = Self.decoding(parts: Self.form(many), from: .xCallbackURL)
        #expect(decoding.codes.contains("too_many_parameters"))
    }

    @Test(
        "names its boundary in the content type",
        arguments: [
            ("multipart/form-data; boundary=a", "a"),
            ("Multipart/Form-Data;charset=utf-8; Boundary=\"a b:c\"", "a b:c"),
            ("multipart/form-data", nil), ("multipart/form-data; boundary=", nil),
            ("multipart/form-data; boundary=\"a ", nil),
            ("multipart/form-data; boundary=\"a \"", nil),
            ("multipart/form-data; boundary=" + String(repeating: "a", count: 71), nil),
        ])
    func boundaries(type: String, boundary: String?) {
        let body = Callback.Body(Array("x".utf8), contentType: Array(type.utf8)[...])
        guard case .multipart(let found, _) = body else {
            Issue.record("no form in parts")
            return
        }
        #expect(found == boundary.map { Array($0.utf8) })
        if boundary == nil { #expect(Self.decoding(body).codes == ["missing_boundary"]) }
    }

    @Test("cut at every byte is refused or the same, and never traps")
    func cuts() {
        let whole = Self.form([Self.named("stress", "0.3"), Self.named("energy", "1")])
        let bytes = Array(whole.utf8)
        for count in 0..<bytes.count - 2 {
            let body = Callback.Body.multipart(
                boundary: Self.boundary, Array(bytes.prefix(count)))
            #expect(Self.decoding(body).verdict == .undecodable, "\(count)")
        }
        #expect(Self.decoding(parts: whole).verdict == .decoded)
    }

    // MARK: A URL in JSON

    @Test(
        "is a URL in JSON, however its characters are escaped",
        arguments: [
            #"{"url":"https://www.yourapp.com/dds/?stress=0.5&energy=1#x"}"#,
            #" { "url" : "https:\/\/www.yourapp.com\/dds\/?stress=0.5&energy=1" } "#,
            #"{"url":"yourapp://dds?stress=0.5\u0026energy=%31"}"#,
        ])
    func wrapped(text: String) {
        let decoding = Decoding(json: text, from: .welltory)
        #expect(decoding.text == #"{"stress":0.5,"energy":1}"#)
        #expect(decoding.codes == ["wrapped_url", "absent_parameters"])
        #expect(decoding.verdict == .decoded)
    }

    @Test(
        "has diagnostics where the URL is in the body, and those of the request's own query there")
    func places() {
        let text = #"{"url":"https:\/\/a\/?stress=0,5\u0026energy=1"}"#
        let callback = Callback(
            target: Array("/callbacks/x?productivity=0,1".utf8), body: .json(Array(text.utf8)))
        let decoding = Decoding(of: callback, from: .welltory)
        let found = decoding.diagnostics.filter { $0.code == "not_a_number" }
        #expect(found.map(\.part) == [.body, .target])
        #expect(found.first?.pointer == "/url")
        let rest = Array(text.utf8).dropFirst(found.first?.offset ?? 0)
        #expect(rest.starts(with: "0,5".utf8) || rest.starts(with: ",5".utf8))
        let own = callback.target.dropFirst(found.last?.offset ?? 0)
        #expect(own.starts(with: "0,1".utf8) || own.starts(with: ",1".utf8))
    }

    @Test(
        "is no URL in JSON where there is more, or no query, or a parameter of the vendor's own",
        arguments: [
            (Vendor.welltory, #"{"url":"https://a/?stress=1","stress":0.5}"#),
            (.welltory, #"{"url":"https://a/"}"#), (.welltory, #"{"url":"?stress=1"}"#),
            (.welltory, #"{"url":7}"#), (.xCallbackURL, #"{"url":"https://a/?errorCode=1"}"#),
            (.rezolve, #"{"url":"https://rzlv.co/1/2/3?ad=1"}"#),
        ])
    func unwrapped(vendor: Vendor, text: String) {
        #expect(Decoding(json: text, from: vendor).diagnostic("wrapped_url") == nil)
    }

    @Test("carries its flow in the URL, and is recognised by it")
    func flow() {
        let flow = "0192f1d2-7a3b-7c4d-8e5f-0123456789ab"
        let text = #"{"url":"https://a/?stress=0.5&energy=1&landfall_flow=\#(flow)"}"#
        #expect(Decoding(json: text, from: .welltory).flow == flow)
        let callback = Callback(target: Array("/".utf8), body: .json(Array(text.utf8)))
        #expect(Vendor(recognizing: callback) == .welltory)
    }

    // MARK: Lists

    @Test(
        "is a list of callbacks where all of it are objects",
        arguments: [
            (
                Vendor.welltory, "application/json", #" [{"a":1}, {"b":[{}]}]"#,
                [#"{"a":1}"#, #"{"b":[{}]}"#]
            ),
            (.ailet, "text/plain", "[{}]", ["{}"]), (.welltory, "application/json", "[]", nil),
            (.welltory, "application/json", "[{},1]", nil),
            (.welltory, "application/json", #"{"a":[{}]}"#, nil),
            (.welltory, "application/json", "[{}", nil), (.welltory, "text/html", "[{}]", nil),
            (.raw, "application/json", "[{}]", nil),
        ] as [(Vendor, String, String, [String]?)])
    func lists(vendor: Vendor, type: String, text: String, elements: [String]?) {
        let callback = Callback(
            target: [], body: .init(Array(text.utf8), contentType: Array(type.utf8)[...]))
        let found = callback.batch(for: vendor)?.map { String(decoding: $0, as: UTF8.self) }
        #expect(found == elements)
    }

    // MARK: Privacy

    @Test("is masked in every form: no value of a person remains")
    func masking() throws {
        let names = ["stress", "Stress", "stres", "rmssd"]
        for name in names {
            let bodies: [Callback.Body] = [
                .multipart(
                    boundary: Self.boundary,
                    Array(Self.form([Self.named(name, "0.8765"), Self.named("energy", "1")]).utf8)),
                .multipart(
                    boundary: nil, Array(Self.form([Self.named(name, "0.8765")]).utf8)),
                .json(Array(#"{"url":"https:\/\/a\/?\#(name)=0.8765\u0026energy=1"}"#.utf8)),
                .json(Array(#"{"url":"https://a/?\#(name)=0.8765"}"#.utf8)),
                .other(
                    contentType: "text/plain", Array(#"{"\#(name)":0.8765,"energy":1}"#.utf8)),
            ]
            for body in bodies {
                let masking = Masking(
                    of: Callback(target: Array("/x".utf8), body: body), from: .welltory,
                    by: Pseudonyms { $0.reduce(7) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 } })
                let stored = String(
                    decoding: Redaction.redactBody(masking.callback.body?.bytes ?? []),
                    as: UTF8.self)
                #expect(!stored.contains("0.8765"), "\(stored)")
                let value = masking.decoding.text ?? ""
                #expect(!value.contains("0.8765"), "\(value)")
                #expect(!"\(masking.decoding.diagnostics)".contains("0.8765"))
            }
        }
    }
}
