// The vendors' contracts: whatever a callback holds, decoding it ends soon with a record that can be
// stored, and every finding is about a byte of the request.

import JSON
import Vendors

extension FuzzTarget {
    /// An input is a query, a form, a JSON body, or what a parameter of the contract carries.
    static func check(_ contract: Contract, _ bytes: [UInt8]) {
        var choices = Choices(bytes)
        let pinned = choices.one(of: [contract, nil])
        for callback in callbacks(of: contract, bytes, &choices) {
            let decoding = Decoding(of: callback, from: contract.vendor, contract: pinned)
            checkDecoding(decoding, of: callback)
            _ = Vendor(recognizing: callback)
        }
    }

    private static func callbacks(
        of contract: Contract, _ bytes: [UInt8], _ choices: inout Choices
    ) -> [Callback] {
        let carried: [UInt8] =
            switch contract {
            case .ailetDeeplink: Array("?result=".utf8) + percentEncoded(bytes)
            case .flux: Array("?status=completed&response=".utf8) + base64(bytes)
            case .dimmy2024: Array("?response=".utf8) + base64(bytes)
            default: Array("?stress=".utf8) + percentEncoded(bytes)
            }
        let delivery = contract == .fluxWebhook ? "msg_1" : nil
        let body = choices.one(of: [Callback.Body.form(bytes), .json(bytes), .json(bytes)])
        return [
            Callback(target: carried), Callback(target: Array("/?".utf8) + bytes),
            Callback(target: bytes, body: body, webhookID: delivery),
        ]
    }

    private static func percentEncoded(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return bytes.flatMap { [UInt8(ascii: "%"), digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }
    }

    private static func base64(_ bytes: [UInt8]) -> [UInt8] {
        let letters = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var text: [UInt8] = []
        var (buffer, bits): (UInt32, UInt32) = (0, 0)
        for byte in bytes {
            (buffer, bits) = (buffer << 8 | UInt32(byte), bits + 8)
            while bits >= 6 {
                bits -= 6
                text.append(letters[Int(buffer >> bits & 63)])
            }
        }
        if bits > 0 { text.append(letters[Int(buffer << (6 - bits) & 63)]) }
        return text
    }

    // MARK: Rules

    private static func checkDecoding(_ decoding: Decoding, of callback: Callback) {
        let findings = decoding.diagnostics
        expect(findings.count <= Limits.maximumDiagnostics, "too many findings")
        for finding in findings { checkFinding(finding, of: callback) }
        let isFlawed = findings.contains { $0.severity != .info }
        switch decoding.verdict {
        case .decoded: expect(!isFlawed, "decoded, with findings")
        case .decodedWithWarnings: expect(isFlawed, "decoded with warnings, without any")
        case .undecodable:
            expect(findings.contains { $0.severity == .error }, "undecodable without an error")
        case .unmatched: expect(decoding.contract == nil, "no contract and yet one")
        }
        guard let value = decoding.value else {
            return expect(decoding.verdict == .undecodable, "decoded without a value")
        }
        expect(decoding.verdict != .undecodable, "undecodable with a value")
        expect(!value.contains { $0 < 0x20 }, "a value of several lines")
        let document = try? JSONDocument(parsing: value)
        expect(document?.root.kind == .object, "a value that isn't an object")
        expect(document?.tape == decoding.document?.tape, "a value that parses to other places")
        let names = document?.root.members.map { $0.name.string ?? "" } ?? []
        expect(Set(names).count == names.count, "a name twice: \(names)")
    }

    private static func checkFinding(_ finding: Diagnostic, of callback: Callback) {
        let length =
            switch (finding.part, callback.body) {
            case (.target, _): callback.target.count
            case (.body, .form(let bytes)), (.body, .json(let bytes)),
                (.body, .multipart(_, let bytes)), (.body, .other(_, let bytes)):
                bytes.count
            case (.body, nil), (.head, _): 0
            }
        if let offset = finding.offset {
            expect((0...length).contains(offset), "\(finding.code) outside: \(offset) of \(length)")
        }
        expect(finding.found.utf8.count <= 400, "too much of the message in \(finding.code)")
        expect(!finding.expected.isEmpty && !finding.found.isEmpty, "a finding without words")
    }
}
