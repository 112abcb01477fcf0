// A request in two views of the same bytes: for the vendors' decoders, and for storage. The stored
// view contains no credentials and, if masking is on, no masked values.

import FoundationEssentials
import HTTP1
import JSON
import ResultAPI
import Vendors

/// One received request with its body.
package struct ReceivedRequest {
    private let request: Request
    private let body: [UInt8]
    private let pseudonyms: Pseudonyms?

    /// - Parameters:
    ///   - body: decoded, without the content coding of the request.
    ///   - pseudonyms: nil stores health and location values unchanged.
    package init(_ request: Request, body: [UInt8], masking pseudonyms: Pseudonyms? = nil) {
        self.request = request
        self.body = body
        self.pseudonyms = pseudonyms
    }

    /// The view for the decoders.
    package var callback: Callback {
        Callback(
            target: Array(request.target),
            body: body.isEmpty
                ? nil : Callback.Body(body, contentType: request.first(.contentType)),
            webhookID: request.method == .post ? WebhookFields(request).id : nil)
    }

    /// Decodes the request with the vendor's contracts and writes the `request` member of its
    /// record (example in Documentation/API.md).
    ///
    /// O(size).
    ///
    /// - Parameter pinned: the contract that the receiver expects; stored with the request, so that
    ///   decoding it again gives the same result.
    package func read(
        by vendor: Vendor, contract pinned: Contract? = nil
    ) -> (decoding: Decoding, json: [UInt8]) {
        let callback = callback
        guard let pseudonyms else {
            return (
                Decoding(of: callback, from: vendor, contract: pinned),
                json(of: callback, pinned: pinned)
            )
        }
        let masking = Masking(of: callback, from: vendor, contract: pinned, by: pseudonyms)
        return (
            masking.decoding,
            json(of: masking.callback, masked: masking.extent, pinned: pinned)
        )
    }

    /// The `request` member of a record that is not a callback: a launch.
    ///
    /// O(size).
    package var json: [UInt8] {
        let callback = callback
        guard let pseudonyms else { return json(of: callback) }
        let masked = Masking.mask(callback, by: pseudonyms)
        let isSame =
            masked.target == callback.target && masked.body?.bytes == callback.body?.bytes
        return json(of: masked, masked: isSame ? nil : .values)
    }

    private func json(
        of callback: Callback, masked: Masking.Extent? = nil, pinned: Contract? = nil
    ) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: request.bytes.count + body.count * 2 + 256)
        json.object { json in
            json.member("method", request.method.rawValue)
            json.member("scheme", request.origin.isSecure ? "https" : "http")
            json.member("host", String(decoding: request.authority ?? [], as: UTF8.self))
            json.key("target")
            json.string(utf8: Redaction.redactTarget(callback.target))
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
            write(callback.body, to: &json)
            if let masked { json.member("masked", masked.rawValue) }
            if let pinned { json.member("pinned", pinned.rawValue) }
        }
        return json.bytes
    }

    private func write(
        _ line: (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>), to json: inout JSONWriter
    ) {
        let value = KeptFields(pseudonyms: pseudonyms).value(of: line.name, line.value)
        if value.span.isASCII {
            json.string(utf8: value[...])
        } else {
            json.value(Self.text(value[...]))
        }
    }

    /// Decodes UTF-8, or else each byte as a character of ISO 8859-1, so that no byte is lost.
    private static func text(_ octets: ArraySlice<UInt8>) -> String {
        String(validating: octets, as: UTF8.self)
            ?? String(String.UnicodeScalarView(octets.map { Unicode.Scalar($0) }))
    }

    /// Whether a body is larger as JSON text than in Base64: JSON escapes a control character with
    /// six bytes.
    private static func isMostlyEscapes(_ body: [UInt8]) -> Bool {
        guard body.count > 4096 else { return false }
        var controls = 0
        for octet in body where octet < 0x20 {
            if octet != 0x09, octet != 0x0A, octet != 0x0D { controls += 1 }
        }
        return controls * 5 > body.count / 3
    }

    private func write(_ body: Callback.Body?, to json: inout JSONWriter) {
        guard let body else { return json.null() }
        let kept = Redaction.redactBody(body.bytes)
        json.object { json in
            if !Self.isMostlyEscapes(kept),
                kept.span.isASCII || String(validating: kept, as: UTF8.self) != nil
            {
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
