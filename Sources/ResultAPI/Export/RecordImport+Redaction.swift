// Redacts an imported line as a received request, because another program or an older version may
// have written it.
//
// Invariant: a line without credentials is stored unchanged, byte by byte. Left out: masking;
// imported values stay as they are.

import FoundationEssentials
import JSON
import Vendors

extension RecordImport {
    /// The `request` member without credentials, as compact JSON; already validated.
    static func redactedRequest(_ node: JSONNode) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: node.byteRange.count)
        json.object { json in
            for member in node.members {
                let (name, value) = (member.name.string ?? "", member.value)
                json.key(name)
                switch name {
                case "target": write(value, Redaction.redactTarget, to: &json)
                case "host", "peer":
                    // User information is recognised only after a scheme.
                    let scheme = Array("https://".utf8)
                    write(
                        value,
                        { Array(Redaction.redactAuthority(scheme + $0).dropFirst(scheme.count)) },
                        to: &json)
                case "headers": writeFields(value, to: &json)
                case "body" where value.kind == .object: writeBody(value, to: &json)
                case "parameters", "delivery":
                    json.raw(Redaction.redactBody(value.compactText))
                default: json.value(value)
                }
            }
        }
        return json.bytes
    }

    /// The `diagnostics` member without credentials; already validated.
    ///
    /// `expected` never repeats a peer's text, and the program's own texts name credentials.
    static func redactedDiagnostics(_ diagnostics: [UInt8]) -> [UInt8] {
        guard Redaction.redactBody(diagnostics) != diagnostics,
            let root = try? JSONDocument(parsing: diagnostics).root
        else { return diagnostics }
        var json = JSONWriter(reservingCapacity: diagnostics.count)
        json.array { json in
            for element in root.elements {
                json.object { json in
                    for member in element.members {
                        let name = member.name.string ?? ""
                        json.key(name)
                        if name == "expected" {
                            json.raw(member.value.text)
                        } else {
                            json.raw(Redaction.redactBody(Array(member.value.text)))
                        }
                    }
                }
            }
        }
        return json.bytes
    }

    private static func writeFields(_ headers: JSONNode, to json: inout JSONWriter) {
        let fields = KeptFields(pseudonyms: nil)
        json.array { json in
            for line in headers.elements {
                let name = Array((line[0]?.string ?? "").utf8)
                json.array { json in
                    if let name = line[0] { json.raw(name.text) }
                    if let value = line[1] {
                        write(value, { Array(fields.value(of: name[...], $0[...])) }, to: &json)
                    }
                }
            }
        }
    }

    private static func writeBody(_ body: JSONNode, to json: inout JSONWriter) {
        let isEncoded = body["encoding"]?.string == "base64"
        json.object { json in
            for member in body.members {
                let name = member.name.string ?? ""
                json.key(name)
                if name == "data", isEncoded {
                    let octets = Data(base64Encoded: member.value.string ?? "") ?? Data()
                    let redacted = Redaction.redactBody([UInt8](octets))
                    if redacted == [UInt8](octets) {
                        json.raw(member.value.text)
                    } else {
                        json.value(Data(redacted).base64EncodedString())
                    }
                } else if name == "data" {
                    write(member.value, Redaction.redactBody, to: &json)
                } else {
                    json.raw(member.value.text)
                }
            }
        }
    }

    /// Writes a string unchanged, or the result of `redact` if it changes the text.
    private static func write(
        _ value: JSONNode, _ redact: ([UInt8]) -> [UInt8], to json: inout JSONWriter
    ) {
        let text = Array((value.string ?? "").utf8)
        let redacted = redact(text)
        if value.kind != .string || redacted == text {
            json.raw(value.text)
        } else {
            json.value(String(decoding: redacted, as: UTF8.self))
        }
    }
}
