// Writes parameters that no contract names as one JSON object of strings. Invariant: a credential
// is written as a mark, whatever its value.

import JSON

extension JSONWriter {
    /// Writes a member `name` with `parameters` of `message` as strings.
    ///
    /// Names must be unique. Repairs are added to the message's diagnostics.
    mutating func member(
        _ name: String, _ parameters: some Sequence<Parameter>, of message: inout Message
    ) {
        key(name)
        beginObject()
        for parameter in parameters {
            key(String(decoding: message.name(of: parameter), as: UTF8.self))
            value(of: parameter, &message)
        }
        endObject()
    }

    /// Writes a member `duplicates` with all values of each repeated name; nothing if there are
    /// none.
    ///
    /// Values are in the order of the message, including the one that is used: of parameters by
    /// name, and of the payload's members by pointer.
    mutating func memberOfDuplicates(of message: inout Message, and payload: Payload? = nil) {
        let members = payload?.repetitions ?? []
        if message.repetitions.isEmpty, members.isEmpty { return }
        key("duplicates")
        beginObject()
        writeRepeatedParameters(of: &message)
        for member in members {
            key(SafePointer.redacted(member.pointer))
            array { json in for text in member.texts { json.raw(text) } }
        }
        endObject()
    }

    private mutating func writeRepeatedParameters(of message: inout Message) {
        var rest = message.repetitions[...]
        while let first = rest.first {
            key(String(decoding: message.name(of: first), as: UTF8.self))
            beginArray()
            let findings = message.findings
            for parameter in rest where message.haveSameName(first, parameter) {
                value(of: parameter, &message)
            }
            // Defects in the value that is used are reported where it is read.
            message.findings = findings
            endArray()
            rest = rest.filter { !message.haveSameName(first, $0) }[...]
        }
    }

    /// Writes a parameter's text, or the mark for a credential.
    private mutating func value(of parameter: Parameter, _ message: inout Message) {
        if Redaction.isCredential(message.name(of: parameter)) {
            // Not even decoded: a diagnostic about a broken escape would repeat a part of it.
            value(Redaction.mark)
        } else {
            let text = message.value(of: parameter)
            string(utf8: Repaired(text, findings: &message.findings).bytes)
        }
    }
}
