// A callback that somebody asks about, and what is said of it: the same for the command line and the API.
//
// Invariant: nothing is stored, and the answer holds no credential.
// Left out: files and terminals; requests that arrive are `ReceivedRequest`s.

import JSON
import Vendors

/// A callback with whose it is, as far as that is known.
package struct PastedCallback {
    package let callback: Callback

    /// Nil asks for a guess by names.
    package let vendor: Vendor?

    /// The contract that is expected; nil leaves it to the message.
    package let contract: Contract?

    /// Takes the parts of a request.
    package init(_ callback: Callback, vendor: Vendor?, contract: Contract?) {
        self.callback = callback
        self.vendor = vendor ?? contract?.vendor
        self.contract = contract
    }

    /// Takes a text for what it looks like: a JSON body, parameters alone, or else a URL.
    ///
    /// Whitespace around it is dropped; nil for several lines that are no JSON.
    package init?(_ text: String, vendor: Vendor?, contract: Contract?) {
        let text = text.trimmingWhitespace
        let bytes = Array(text.utf8)
        if text.hasPrefix("{") || text.hasPrefix("[") {
            self.init(
                Callback(target: Array("/".utf8), body: .json(bytes)), vendor: vendor,
                contract: contract)
            return
        }
        if text.contains(where: \.isNewline) { return nil }
        let beginning = text.prefix { $0 != "=" }
        let isURL = beginning.count == text.count || beginning.contains { "?:/#".contains($0) }
        self.init(
            isURL
                ? Callback(target: bytes) : Callback(target: Array("/".utf8), body: .form(bytes)),
            vendor: vendor, contract: contract)
    }

    /// What the contracts of the vendor make of it; says so where no vendor could be guessed.
    package var decoding: Decoding {
        guard let vendor = vendor ?? Vendor(recognizing: callback) else {
            var decoding = Decoding(of: callback, from: .raw)
            decoding.diagnostics = [
                Diagnostic(
                    severity: .error, layer: .model, code: "unknown_vendor", part: .target,
                    expected: "parameters of a vendor", found: "none that is known",
                    hint: "name the vendor")
            ]
            return decoding
        }
        return Decoding(of: callback, from: vendor, contract: contract)
    }
}

extension String {
    fileprivate var trimmingWhitespace: String {
        let start = drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}

extension Decoding {
    /// Writes the object that decoding without storing answers.
    package func writeDocument(to json: inout JSONWriter) {
        json.object { json in
            json.member("vendor", contract?.vendor.rawValue)
            json.member("contract", contract?.rawValue)
            json.member("outcome", outcome?.rawValue)
            json.member("verdict", verdict.rawValue)
            json.key("result")
            json.raw(value ?? Array("null".utf8))
            json.key("diagnostics")
            json.array { json in
                for diagnostic in diagnostics { diagnostic.write(to: &json) }
            }
        }
    }
}
