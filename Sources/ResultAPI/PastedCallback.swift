// A callback that a person pastes, and its decoding: the same for the command line and the API.
//
// Invariant: nothing is stored, and the output holds no credential. Left out: files and terminals;
// requests that arrive are `ReceivedRequest`s.

import JSON
import Vendors

/// A pasted callback with its vendor and contract, as far as known.
package struct PastedCallback {
    let callback: Callback

    /// Nil guesses the vendor by names.
    let vendor: Vendor?

    /// The expected contract; nil detects it from the message.
    let contract: Contract?

    /// Takes a callback in parts.
    package init(_ callback: Callback, vendor: Vendor?, contract: Contract?) {
        self.callback = callback
        self.vendor = vendor ?? contract?.vendor
        self.contract = contract
    }

    /// Interprets a text as a JSON body, as parameters, or else as a URL.
    ///
    /// Surrounding whitespace is ignored; nil for several lines that are not JSON.
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

    /// The decoding by the vendor's contracts; it says so if no vendor could be guessed.
    package var decoding: Decoding {
        let isList = callback.batch(for: vendor ?? .xCallbackURL) != nil
        let ofElement = "this is a list of callbacks: decode one element at a time"
        guard let vendor = vendor ?? Vendor(recognizing: callback) else {
            return Decoding(
                ofUnknownVendor: callback,
                hint: isList
                    ? ofElement
                    : "name the vendor: --vendor of the command, vendor on the page and in the API")
        }
        var decoding = Decoding(of: callback, from: vendor, contract: contract)
        if isList {
            for index in decoding.diagnostics.indices
            where decoding.diagnostics[index].severity == .error {
                decoding.diagnostics[index].hint = ofElement
            }
        }
        return decoding
    }

    /// The road of decoding, of the callback as it would be stored: offsets are those of its text
    /// without credentials.
    package var layers: LayerTrace {
        let stored = PastedCallback(
            callback.withoutCredentials, vendor: vendor, contract: contract)
        return LayerTrace(of: stored.callback, stored.decoding)
    }
}

extension String {
    fileprivate var trimmingWhitespace: String {
        let start = drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}

extension Decoding {
    /// Writes the object that the decoding endpoint returns.
    package func writeDocument(with layers: LayerTrace, to json: inout JSONWriter) {
        json.object { json in
            json.member("vendor", contract?.vendor.rawValue)
            json.member("contract", contract?.rawValue)
            json.member("outcome", outcome?.rawValue)
            json.member("verdict", verdict.rawValue)
            json.member("result", raw: value ?? Array("null".utf8))
            json.array("diagnostics") { json in
                for diagnostic in diagnostics { diagnostic.write(to: &json) }
            }
            json.key("layers")
            layers.write(to: &json)
        }
    }
}
