// The fault of a text as a value, for tests that compare it.

import JSON

extension JSONFault {
    /// The fault for which `bytes` are refused; nil when they are JSON.
    init?(in bytes: [UInt8]) {
        do throws(JSONFault) {
            _ = try JSONDocument(parsing: bytes)
            return nil
        } catch {
            self = error
        }
    }

    /// The same for a text.
    init?(in text: String) {
        self.init(in: Array(text.utf8))
    }
}
