// Dimmy's and Flux's callback: an item as JSON in Base64 (vendor document 1.2 and 1.3).
//
// Invariant: an item is open JSON. It is passed on untouched, and no member of it is required.
// `status` or `error` tells Flux from Dimmy; an item that was posted as JSON tells by its spelling.

import JSONText
import PositionedJSON

/// The decoder of the `dimmy-2024` and `flux` contracts.
enum DimmyDecoder {
    /// What Flux says in `status`.
    static let statuses = ["completed", "cancelled", "error"]

    /// What Flux says in `error`.
    static let reasons = ["invalid_request", "not_logged_in", "flow_unavailable"]

    /// Decodes a message; of parameters that repeat the first one counts, as in the vendor's code.
    static func decode(_ message: inout Message) -> Decoding {
        let posted = message.body.flatMap { DimmyItem.isItem($0.document.root) ? $0 : nil }
        if posted == nil { message.adoptBodyMembers() }
        message.resolveDuplicates(keeping: .first)
        let reason = message.parameter("error")
        guard let status = message.parameter("status") else {
            if let reason { return failed(reason, &message) }
            return completed(posted, isFlux: false, &message)
        }
        let statusText = message.value(of: status)
        let text = CleanText(statusText, findings: &message.findings)?.bytes
        switch text.map({ String(decoding: $0, as: UTF8.self) }) {
        case "completed": return completed(posted, isFlux: true, &message)
        case "cancelled": return cancelled(&message)
        case "error": return failed(reason, &message)
        case let other:
            if other != nil { addUnknownStatus(status, text ?? [], &message.findings) }
            return Decoding(
                contract: .flux, outcome: nil, value: nil, findings: message.findings)
        }
    }

    private static func completed(
        _ posted: Payload?, isFlux: Bool, _ message: inout Message
    ) -> Decoding {
        let (payload, isPlain) = payload(posted, &message)
        guard let payload else {
            return Decoding(
                contract: isFlux ? .flux : .dimmy2024, outcome: nil, value: nil,
                findings: message.findings)
        }
        let item = DimmyItem(payload)
        let isCamelCase = isPlain && item.isCamelCase
        var json = JSONWriter(reservingCapacity: payload.document.bytes.count + 256)
        json.beginObject()
        item.write(to: &json, findings: &message.findings)
        writeContext(of: &message, to: &json)
        json.endObject()
        return Decoding(
            contract: isFlux || isCamelCase ? .flux : .dimmy2024, outcome: .completed,
            value: json.bytes, findings: message.findings)
    }

    /// The item's JSON, and whether it came as JSON and not in Base64.
    private static func payload(
        _ posted: Payload?, _ message: inout Message
    ) -> (payload: Payload?, isPlain: Bool) {
        guard let response = message.parameter("response") else {
            if posted == nil {
                message.findings.addMissingPayload(
                    "response", hint: "a finished flow sends its item as Base64 in response")
            }
            return (posted, true)
        }
        let isPlain = response.escaping == .none
        let text = message.value(of: response)
        let payload =
            isPlain
            ? Payload(text, findings: &message.findings)
            : Payload(base64: text, findings: &message.findings)
        guard let payload, payload.document.root.kind != .array else { return (payload, isPlain) }
        return (payload.requireObject(&message.findings) ? payload : nil, isPlain)
    }

    private static func cancelled(_ message: inout Message) -> Decoding {
        var json = JSONWriter()
        json.beginObject()
        writeContext(of: &message, to: &json)
        json.endObject()
        return Decoding(
            contract: .flux, outcome: .cancelled, value: json.bytes, findings: message.findings)
    }

    private static func failed(_ reason: Parameter?, _ message: inout Message) -> Decoding {
        if message.parameter("status") == nil {
            message.findings.add(
                .warning, .model, "missing_parameter", expected: "status=error", found: "none",
                hint: "Flux sends status with every callback")
        }
        let text = reasonText(reason, &message)
        var json = JSONWriter()
        json.beginObject()
        json.key("error")
        json.string(utf8: text)
        writeContext(of: &message, to: &json)
        json.endObject()
        return Decoding(
            contract: .flux, outcome: .error, value: json.bytes, findings: message.findings)
    }

    /// The reason of an error; `unknown`, with a warning, when there is none that can be read.
    private static func reasonText(
        _ reason: Parameter?, _ message: inout Message
    ) -> ArraySlice<UInt8> {
        let expected = "one of " + reasons.joined(separator: ", ")
        let text = reason.map { reason in
            let text = message.value(of: reason)
            return Repaired(text, findings: &message.findings).bytes
        }
        guard let reason, let text, !text.isEmpty else {
            message.findings.add(
                .warning, .model, "missing_error_reason", in: reason?.part ?? .target,
                at: reason?.valueRange.lowerBound, expected: expected, found: "none")
            return Array("unknown".utf8)[...]
        }
        if !reasons.contains(where: { text.elementsEqual($0.utf8) }) {
            message.findings.add(
                .warning, .model, "unknown_error_reason", in: reason.part,
                at: reason.valueRange.lowerBound, expected: expected,
                found: Excerpt.quoted(text))
        }
        return text
    }

    /// Writes what the partner put into the callback's own query.
    private static func writeContext(of message: inout Message, to json: inout JSONWriter) {
        let context = message.parameters.filter { parameter in
            !["response", "status", "error"].contains { message.isNamed(parameter, $0) }
        }
        json.member("context", context, of: &message)
    }

    private static func addUnknownStatus(
        _ status: Parameter, _ text: ArraySlice<UInt8>, _ findings: inout Findings
    ) {
        findings.add(
            .error, .model, "unknown_status", in: status.part,
            at: status.valueRange.lowerBound, expected: "completed, cancelled or error",
            found: Excerpt.quoted(text))
    }
}
