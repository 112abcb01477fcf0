// A request as the vendors' decoders see it, and as it is stored: two views of the same bytes. What
// is stored has no credentials in it.

import FoundationEssentials
import HTTP1
import JSONText
import Vendors

/// One received request with its body.
struct ReceivedRequest {
    private let request: Request
    private let body: [UInt8]

    /// - Parameter body: without the content coding that it may have come in.
    init(_ request: Request, body: [UInt8]) {
        self.request = request
        self.body = body
    }

    /// What the decoders read.
    var callback: Callback {
        Callback(
            target: Array(request.target),
            body: body.isEmpty
                ? nil : Callback.Body(body, contentType: request.first(.contentType)))
    }

    /// The `request` member of a record (see the README's example).
    var json: [UInt8] {
        var json = JSONWriter(reservingCapacity: request.bytes.count + body.count * 2 + 256)
        json.object { json in
            json.member("method", request.method.rawValue)
            json.member("scheme", request.origin.isSecure ? "https" : "http")
            json.member("host", String(decoding: request.authority ?? [], as: UTF8.self))
            json.key("target")
            json.string(utf8: Redaction.redactTarget(Array(request.target)))
            json.member("version", "1.\(request.minorVersion)")
            json.member("peer", request.origin.client.description)
            json.key("headers")
            json.array { json in
                for line in request.fieldLines {
                    json.array { json in
                        json.string(utf8: line.name)
                        write(line, to: &json)
                    }
                }
            }
            json.key("body")
            writeBody(to: &json)
        }
        return json.bytes
    }

    private func write(
        _ line: (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>), to json: inout JSONWriter
    ) {
        if Redaction.isSecretField(line.name) {
            json.value(Redaction.mark)
        } else if line.value.allSatisfy({ $0 < 0x80 }) {
            json.string(utf8: line.value)
        } else {
            json.value(Self.text(line.value))
        }
    }

    /// UTF-8, or else each octet as the character of its number (ISO 8859-1), so that none is lost.
    private static func text(_ octets: ArraySlice<UInt8>) -> String {
        String(validating: octets, as: UTF8.self)
            ?? String(String.UnicodeScalarView(octets.map { Unicode.Scalar($0) }))
    }

    private func writeBody(to json: inout JSONWriter) {
        if body.isEmpty { return json.null() }
        let kept = Redaction.redactBody(body)
        json.object { json in
            if kept.allSatisfy({ $0 < 0x80 }) || String(validating: kept, as: UTF8.self) != nil {
                json.member("encoding", "utf8")
                json.key("data")
                json.string(utf8: kept)
            } else {
                json.member("encoding", "base64")
                json.member("data", Data(kept).base64EncodedString())
            }
            if request.contentCoding == .gzip { json.member("content_coding", "gzip") }
        }
    }
}
