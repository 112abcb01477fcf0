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
    }

    private static let secret = Array("zQ9xW8vT7uS6".utf8)

    private static func isSecret(in text: [UInt8]) -> Bool {
        text.indices.contains { text[$0...].starts(with: secret) }
    }

    private static func isJSON(_ bytes: [UInt8]) -> Bool {
        (try? JSONDocument(parsing: bytes)) != nil
    }
}
