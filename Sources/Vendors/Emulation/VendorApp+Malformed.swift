// Callbacks with exactly one broken layer, each in a realistic way.
//
// Invariant: the decoder blames that layer first. Only layers that the contract has are requested;
// `answers` refuses the others before.

extension VendorApp {
    /// The result, with one layer broken.
    func malformed(_ layer: Diagnostic.Layer, _ app: AppBehaviour) -> EmulatedAnswer {
        let good = app.completed(self).query
        var answer = EmulatedAnswer(query: good, outcome: nil)
        switch layer {
        case .url: answer.query = Self.joined(good, app.completed(former).query)
        case .form:
            answer.query = []
            answer.body = .form(Self.joined(good, app.completed(former).query))
        case .body:
            answer.query = []
            answer.body = .other(contentType: "text/plain", good)
        case .percent, .base64, .utf8, .json, .model: answer.query = app.malformed(self, layer)
        }
        let callback = Callback(target: Self.joined([], answer.query), body: answer.body)
        answer.outcome = Decoding(of: callback, from: contract.vendor).outcome
        return answer
    }

    /// Both queries, so that each parameter occurs twice; adds `?` if there is one.
    private static func joined(_ first: [UInt8], _ second: [UInt8]) -> [UInt8] {
        first.isEmpty ? Array("?".utf8) + second : first + Array("&".utf8) + second
    }

    /// Truncated JSON, or JSON with a letter in Latin-1; unchanged for other layers.
    static func malformed(_ json: [UInt8], _ layer: Diagnostic.Layer) -> [UInt8] {
        switch layer {
        case .json:
            // Not inside a character, which would break another layer.
            Array(json[...(json.dropLast(json.count / 4 + 1).lastIndex { $0 < 0x80 } ?? 0)])
        case .utf8: json.dropLast() + Array(",\"note\":\"caf".utf8) + [0xE9] + Array("\"}".utf8)
        default: json
        }
    }

}
