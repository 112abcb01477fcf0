// Callbacks with exactly one broken layer, each in a realistic way.
//
// Invariant: the decoder blames that layer first. Only layers that the contract has are requested;
// `answers` refuses the others before.

import Text

extension VendorApp {
    /// The result, with one layer broken.
    func malformed(_ layer: Diagnostic.Layer) -> EmulatedAnswer {
        let good = completed().query
        var answer = EmulatedAnswer(query: good, outcome: nil)
        switch layer {
        case .url: answer.query = Self.joined(good, former.completed().query)
        case .form:
            answer.query = []
            answer.body = .form(Self.joined(good, former.completed().query))
        case .body:
            answer.query = []
            answer.body = .other(contentType: "text/plain", good)
        case .percent, .base64, .utf8, .json, .model:
            answer.query =
                switch contract {
                case .welltoryDDS: malformedMeasurement(layer)
                case .ailetDeeplink: malformedReport(layer)
                default: malformedItem(layer)
                }
        }
        let callback = Callback(target: Self.joined([], answer.query), body: answer.body)
        answer.outcome = Decoding(of: callback, from: contract.vendor).outcome
        return answer
    }

    /// Both queries, so that each parameter occurs twice; adds `?` if there is one.
    private static func joined(_ first: [UInt8], _ second: [UInt8]) -> [UInt8] {
        first.isEmpty ? Array("?".utf8) + second : first + Array("&".utf8) + second
    }

    /// A decimal comma, a truncated escape, or a letter in Latin-1.
    private func malformedMeasurement(_ layer: Diagnostic.Layer) -> [UInt8] {
        var measurement = measurement
        if layer == .utf8 { measurement.token = nil }
        let stress = String(
            decoding: JSONModelWriter.text(of: measurement.stress ?? 0), as: UTF8.self)
        measurement.stress = nil
        let rest = measurement.callbackQuery
        let broken =
            switch layer {
            case .percent: "stress=\(stress)%2&"
            case .model: "stress=0,\(stress.split(separator: ".").last ?? "0")&"
            default: "stress=\(stress)&token=caf%E9&"
            }
        return Array(broken.utf8) + rest
    }

    private func malformedReport(_ layer: Diagnostic.Layer) -> [UInt8] {
        var report = visitReport(.completed)
        if layer == .model { report.status = "IR_RESULT_DONE" }
        var query = QueryWriter()
        query.add("result", escaped: PercentEncoding.encode(Self.malformed(report.json(), layer)))
        return query.bytes + Array((layer == .percent ? "%7" : "").utf8)
    }

    private func malformedItem(_ layer: Diagnostic.Layer) -> [UInt8] {
        let isFlux = contract == .flux
        var json = item.json(as: isFlux ? .camelCase : .snakeCase)
        json = Self.malformed(json, layer)
        if layer == .model { json = Self.replacingWidth(in: json) }
        var text = Base64Text.encode(json, urlSafe: isFlux)
        if layer == .base64 {
            // A single Base64 character encodes no byte.
            text.removeLast(text.count - (text.count / 4 - 1) * 4 - 1)
        }
        if layer == .percent { text += Array("%3".utf8) }
        var query = QueryWriter()
        if isFlux { query.add("status", "completed") }
        query.add("response", escaped: text)
        return query.bytes
    }

    /// Truncated JSON, or JSON with a letter in Latin-1; unchanged for other layers.
    private static func malformed(_ json: [UInt8], _ layer: Diagnostic.Layer) -> [UInt8] {
        switch layer {
        case .json:
            // Not inside a character, which would break another layer.
            Array(json[...(json.dropLast(json.count / 4 + 1).lastIndex { $0 < 0x80 } ?? 0)])
        case .utf8: json.dropLast() + Array(",\"note\":\"caf".utf8) + [0xE9] + Array("\"}".utf8)
        default: json
        }
    }

    /// The item with its width as a text with a decimal comma.
    private static func replacingWidth(in json: [UInt8]) -> [UInt8] {
        let name = Array("\"width\":".utf8)
        let starts = json.indices.first { json[$0...].starts(with: name) }
        guard let start = starts.map({ $0 + name.count }),
            let end = json[start...].firstIndex(of: UInt8(ascii: ","))
        else { return json }
        let number = json[start..<end].map { $0 == UInt8(ascii: ".") ? UInt8(ascii: ",") : $0 }
        let quote = [UInt8(ascii: "\"")]
        return json[..<start] + quote + number + quote + json[end...]
    }
}
