// What queries find of a request: the same when it is written and when it is read back.

import Testing

@testable import ResultStore

@Suite struct RecordRequestTests {
    @Test(arguments: [
        ("/callbacks/raw?x", "/callbacks/raw"), ("/?x", "/"), ("/", "/"), ("?x", ""), ("*", "*"),
        ("http://Abs.Example:80/callbacks/welltory/abs?x", "/callbacks/welltory/abs"),
        ("HTTPS://abs.example/A//b", "/A//b"), ("hTTp://[::1]:8080/é?/x", "/é"),
        ("http://abs.example", "/"), ("http://abs.example?/x", "/"), ("https://", "/"),
        ("/http://abs.example/x", "/http://abs.example/x"), ("http:/x?y", "http:/x"),
        ("welltory://abs.example/x?y", "welltory://abs.example/x"), ("", ""),
    ])
    func thePathHasNeitherQueryNorAuthority(target: String, path: String) throws {
        let request = RecordRequest(
            method: "GET", scheme: nil, host: "abs.example", target: Array(target.utf8),
            version: "1.1", peer: "", fields: [], body: nil)
        #expect(request.facts.path == path)
        #expect(try #require(RecordRequest(json: request.json)).facts == request.facts)
    }

    /// A request of a delivery with other fields than its id and body.
    private func delivered(
        to target: String, key: String, body: String, coding: String? = nil
    ) -> RecordRequest {
        RecordRequest(
            method: "POST", scheme: nil, host: "", target: Array(target.utf8), version: "1.1",
            peer: "", fields: [(Array("Idempotency-Key".utf8)[...], Array(key.utf8)[...])],
            body: RecordRequest.Body(Array(body.utf8), contentCoding: coding), delivery: "msg 1")
    }

    @Test func aDeliveryIsRecognisedByItsIdAndBody() throws {
        let first = delivered(to: "/a", key: "k", body: "x")
        #expect(first.facts.idempotencyKey == "msg 1")
        #expect(try #require(RecordRequest(json: first.json)).facts == first.facts)
        let signed = RecordRequest.signedTexts(of: first.identityTexts)
        let again = delivered(to: "/%61?b", key: "l", body: "x", coding: "gzip")
        #expect(RecordRequest.signedTexts(of: again.identityTexts) == signed)
        #expect(again.identityTexts != first.identityTexts)
        let other = delivered(to: "/a", key: "k", body: #"x","content_coding":"gzip"#)
        #expect(RecordRequest.signedTexts(of: other.identityTexts) != signed)
    }

    @Test func aRepeatedRequestMayBeCompressed() throws {
        let first = delivered(to: "/a", key: "k", body: "x")
        let again = delivered(to: "/a", key: "k", body: "x", coding: "gzip")
        #expect(again.identityTexts == first.identityTexts)
        let stored = try #require(RecordRequest(json: again.json))
        #expect(stored.identityTexts == first.identityTexts)
        let other = delivered(to: "/a", key: "k", body: "y", coding: "gzip")
        #expect(other.identityTexts != first.identityTexts)
    }
}
