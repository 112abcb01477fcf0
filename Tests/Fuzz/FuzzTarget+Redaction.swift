// Redaction: a credential is hidden whatever follows it, what has been redacted stays as it is, JSON
// stays JSON, and the quick check misses nothing.

import JSON

@testable import Vendors

extension FuzzTarget {
    static func checkRedaction(_ bytes: [UInt8]) {
        let body = Redaction.redactBody(bytes)
        expect(Redaction.redactBody(body) == body, "a body that is redacted twice")
        let target = Redaction.redactTarget(Array("/?".utf8) + bytes)
        expect(Redaction.redactTarget(target) == target, "a target that is redacted twice")
        if body != bytes, isJSON(bytes) { expect(isJSON(body), "it is no JSON any more") }
        if !Sought.credentials.mayBe(in: bytes, bytes.indices) {
            let edits = Redactor.edits(in: bytes, for: .credentials)
            expect(edits.isEmpty, "the quick check missed a credential")
        }
        if !isSecret(in: bytes) {
            let form = Array("password=".utf8) + secret + Array("&".utf8) + bytes
            expect(!isSecret(in: Redaction.redactBody(form)), "a form's password is kept")
            let link = Redaction.redactTarget(Array("/?".utf8) + form)
            expect(!isSecret(in: link), "a target's password is kept")
        }
        checkBase64(bytes.filter { 0x20..<0x7F ~= $0 && !"\"\\".utf8.contains($0) })
    }

    /// A password after `note` in an item in Base64, whose plus signs a form decoder has changed.
    private static func checkBase64(_ note: [UInt8]) {
        if isSecret(in: note) { return }
        let text = String(decoding: note, as: UTF8.self)
        let password = String(decoding: secret, as: UTF8.self)
        let item = #"{"note":"\#(text)","password":"\#(password)"}"#
        let digits = Base64Text.encode(item.utf8, urlSafe: false).flatMap {
            $0 == UInt8(ascii: "+") ? Array("%20".utf8) : [$0]
        }
        let link = Redaction.redactTarget(Array("/?response=".utf8) + digits)
        let kept = DecodedText(link, link.indices, from: .percent).bytes
            .dropFirst("/?response=".utf8.count).filter { $0 != UInt8(ascii: "=") }
        for phase in 0..<4 {
            let rest = Array(kept.dropFirst(phase))
            let octets = EncodedJSON.decode(rest.span) ?? []
            expect(!isSecret(in: octets), "a password in Base64 with spaces is kept")
        }
    }

    private static let secret = Array("zQ9xW8vT7uS6".utf8)

    private static func isSecret(in text: [UInt8]) -> Bool {
        text.indices.contains { text[$0...].starts(with: secret) }
    }

    private static func isJSON(_ bytes: [UInt8]) -> Bool {
        (try? JSONDocument(parsing: bytes)) != nil
    }
}
