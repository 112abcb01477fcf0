// Parameters that no contract names, as one JSON object of strings.
// Invariant: a credential is written as a mark, whatever its value.

import JSONText

extension JSONWriter {
    /// Writes a member called `name` whose value holds `parameters` of `message` as strings.
    ///
    /// The names must be unique. The message's findings gather what had to be repaired.
    mutating func member(
        _ name: String, _ parameters: some Sequence<Parameter>, of message: inout Message
    ) {
        key(name)
        beginObject()
        for parameter in parameters {
            let name = message.name(of: parameter)
            key(String(decoding: name, as: UTF8.self))
            if Redaction.isCredential(name) {
                // Not even unescaped: a finding about a broken escape would repeat a part of it.
                value(Redaction.mark)
            } else {
                let text = message.value(of: parameter)
                string(utf8: Repaired(text, findings: &message.findings).bytes)
            }
        }
        endObject()
    }
}
