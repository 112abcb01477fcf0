// Parameters that no contract names, as one JSON object of strings.
// Invariant: a credential is written as a mark, whatever its value.

import JSONText

extension JSONWriter {
    /// Writes a member called `name` whose value holds `parameters` as strings.
    ///
    /// The names must be unique. Findings gather what had to be repaired.
    mutating func member(
        _ name: String, _ parameters: some Sequence<Parameter>, findings: inout Findings
    ) {
        key(name)
        beginObject()
        for parameter in parameters {
            key(parameter.nameText)
            if Redaction.isCredential(parameter.name) {
                // Not even unescaped: a finding about a broken escape would repeat a part of it.
                value(Redaction.mark)
            } else {
                string(utf8: Repaired(parameter.value, findings: &findings).bytes)
            }
        }
        endObject()
    }
}
