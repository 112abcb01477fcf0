// Responses as values: fields that can't begin another line, statuses and their phrases.
// How they go over the wire is tested in `ServerExchangeTests`.

import Testing

@testable import HTTP1

struct ResponseTests {
    @Test("RFC 9110 §5.5: a value that holds line ends or NUL can't begin another line")
    func injection() {
        var response = Response(.ok)
        response.add("Location", "/a\r\nSet-Cookie: b\u{0}\u{7F}ä")
        #expect(text(response.fieldLines) == "Location: /a??Set-Cookie: b??ä\r\n")
    }

    @Test("RFC 9110 §5.5: a tab inside a value is sent as it is")
    func tab() {
        var response = Response(.ok)
        response.add("A", "b\tc")
        #expect(text(response.fieldLines) == "A: b\tc\r\n")
    }

    @Test("fields come in the order in which they were added")
    func order() {
        var response = Response(.created, contentType: "text/plain", body: [1])
        response.add("ETag", "\"a\"")
        #expect(text(response.fieldLines) == "Content-Type: text/plain\r\nETag: \"a\"\r\n")
        #expect(response.body == [1])
        let shared = Response(.ok, sharing: response.fieldLines, body: [2])
        #expect(shared.fieldLines == response.fieldLines)
    }

    @Test(
        "RFC 9110 §6.4.1: 204 and 304 have no content",
        arguments: [
            (Status.ok, true), (.noContent, false), (.notModified, false), (.badRequest, true),
        ])
    func content(_ status: Status, _ isAllowed: Bool) {
        #expect(status.allowsContent == isAllowed)
    }
}
