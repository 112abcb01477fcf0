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
}
