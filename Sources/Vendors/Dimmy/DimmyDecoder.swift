// Decodes Dimmy's and Flux's callback: an item as JSON in Base64 (vendor document 1.2 and 1.3).
//
// Invariant: an item is open JSON, and is passed on even if members are missing. `status` or
// `error` identifies Flux unless they are the partner's own beside an item of 2024, otherwise the
// item's spelling, otherwise the receiver's expected contract. Webhooks are left to
// `FluxWebhookDecoder`.

import JSON
import Text

/// The decoder of the `dimmy-2024` and `flux` contracts.
enum DimmyDecoder {
    /// Flux's values of `status`.
    static let statuses = ["completed", "cancelled", "error"]

    /// Flux's values of `error`.
    static let reasons = ["invalid_request", "not_logged_in", "flow_unavailable"]

    /// The parameters of both contracts.
    private static let table = NameTable(
        ["response", "status", "error"], usual: 2, openers: ["status", "response"])

    /// The parameter of the contract of 2024.
    private static let table2024 = NameTable(["response"], usual: 1, openers: ["response"])

    /// The meaning of the parameters other than `response`.
    private struct Answer {
        var outcome: Outcome?
        /// Flux's parameter `error`.
        var reason: Parameter?
        /// A status that no contract defines.
        var unknownStatus: Parameter?
        /// Whether `status` or `error` is present.
        var isFlux = false
    }

    /// Decodes a message; of repeated parameters the first is used, as in the vendor's code.
    static func decode(_ message: inout Message, pinned: Contract?) -> Decoding {
        if FluxWebhookDecoder.applies(to: message, pinned) {
            return FluxWebhookDecoder.decode(&message)
        }
        let posted = message.body.flatMap { DimmyItem.isItem($0.document.root) ? $0 : nil }
        if posted == nil { message.adoptBodyMembers() }
        let isOf2024 = hasOwnStatus(message, posted, pinned)
        message.settle(isOf2024 ? table2024 : table, keeping: .first)
        let hasItem = posted != nil || message.has("response")
        let answer =
            isOf2024 ? Answer(outcome: .completed) : answer(of: &message, hasItem: hasItem)
        let item = item(posted, answer, &message)
        let isLost = item == nil && (answer.outcome == .completed || answer.outcome == nil)
        let contract = contract(answer, item, pinned, message)
        let isLink = message.parameter("response").map { $0.escaping != .none } ?? false
        if contract == .flux, !answer.isFlux, isLink, !isLost {
            addMissingStatus("status=completed", &message.findings)
        }
        if answer.isFlux, !isLost { item?.warnOfSnakeCase(&message.findings) }
        if !isLost { noteBase64(&message, contract) }
        let value = isLost ? nil : value(of: item, answer, contract, &message)
        // Without status, only an item shows that the flow was finished.
        let outcome = isLost && !answer.isFlux ? nil : answer.outcome
        return Decoding(
            contract: contract, outcome: outcome, value: value, findings: message.findings)
    }

    /// Notes Base64 in another form than the contract's: the vendor's demo of 2024 reads only the
    /// standard alphabet with padding, and Flux writes base64url.
    ///
    /// Padding isn't noted in Flux's.
    private static func noteBase64(_ message: inout Message, _ contract: Contract) {
        guard let response = message.parameter("response"), response.escaping != .none else {
            return
        }
        let value = message.value(of: response)
        if contract == .flux, !mayHaveStandardAlphabet(value) { return }
        let text = Base64Text.trim(value.unescaped().bytes)
        if text.first.map({ "{[\"".utf8.contains($0) }) ?? true { return }
        if contract == .flux {
            let other = text.first { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }
            guard let other else { return }
            return message.findings.add(
                .info, .base64, "standard_base64", in: response.part,
                at: response.valueRange.lowerBound,
                expected: "response: the alphabet with - and _",
                found: Excerpt.quoted([other]), hint: "Flux writes base64url (RFC 4648 §5)")
        }
        let isOther = text.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        guard isOther || text.count % 4 != 0 else { return }
        message.findings.add(
            .info, .base64, "nonstandard_base64", in: response.part,
            at: response.valueRange.lowerBound,
            expected: "response: the alphabet with + and /, and = at the end",
            found: isOther ? "- or _" : "other padding",
            hint: "the vendor's demo of 2024 reads standard Base64 only")
    }

    /// What escapes of `+` and `/` begin with.
    private static let escapedSigns = Array("%2".utf8)

    /// Whether `+` or `/` may be in a value, as written or escaped.
    private static func mayHaveStandardAlphabet(_ value: EscapedText) -> Bool {
        let text = value.bytes.span.extracting(value.range)
        for sign in "+/\\".utf8 where text.place(of: sign, from: 0, to: text.count) < text.count {
            return true
        }
        return text.contains(escapedSigns)
    }

    private static func contract(
        _ answer: Answer, _ item: DimmyItem?, _ pinned: Contract?, _ message: Message
    ) -> Contract {
        if answer.isFlux { return .flux }
        if item == nil, message.launchedContract == .flux { return .flux }
        if let spelling = item?.spelling { return spelling == .camelCase ? .flux : .dimmy2024 }
        return pinned == .flux ? .flux : .dimmy2024
    }

    // MARK: Status

    private static func answer(of message: inout Message, hasItem: Bool) -> Answer {
        let reason = message.parameter("error")
        guard let status = message.parameter("status") else {
            guard reason != nil else { return Answer(outcome: .completed) }
            addMissingStatus("status=error", &message.findings)
            return Answer(outcome: .error, reason: reason, isFlux: true)
        }
        let text = message.value(of: status)
        guard let name = CleanText(text, findings: &message.findings)?.bytes else {
            return Answer(reason: reason, isFlux: true)
        }
        let outcomes: [Outcome] = [.completed, .cancelled, .error]
        for (known, outcome) in zip(statuses, outcomes)
        where name.span.isText(known, from: 0, to: name.count) {
            return Answer(outcome: outcome, reason: reason, isFlux: true)
        }
        let meant = zip(statuses, outcomes).first { isSlip(name, for: $0.0) }
        let near = Spelling.nearest(to: name, of: statuses).map { "perhaps \($0) is meant" }
        message.findings.add(
            hasItem || meant != nil ? .warning : .error, .model, "unknown_status", in: status.part,
            at: status.valueRange.lowerBound, expected: "completed, cancelled or error",
            found: Excerpt.quoted(name), hint: meant.map { "write \($0.0)" } ?? near)
        return Answer(outcome: meant?.1, reason: reason, unknownStatus: status, isFlux: true)
    }

    /// Whether `status` and `error` are the partner's own, beside an item of 2024.
    ///
    /// The contract of 2024 appends `response` only. If a value is one of Flux's, or like one, or
    /// the item isn't in snake_case, the names are Flux's.
    private static func hasOwnStatus(
        _ message: Message, _ posted: Payload?, _ pinned: Contract?
    ) -> Bool {
        guard pinned != .flux, message.has("status") || message.has("error") else { return false }
        let isFluxs = message.parameters.contains { parameter in
            let isStatus = message.isNamed(parameter, "status")
            guard isStatus || message.isNamed(parameter, "error") else { return false }
            let text = message.value(of: parameter).unescaped().bytes
            let values = isStatus ? statuses : reasons
            let isAny = values.contains {
                text.span.isText($0, from: 0, to: text.count) || isSlip(text, for: $0)
            }
            return isAny || Spelling.nearest(to: text, of: values) != nil
        }
        if isFluxs { return false }
        var ignored = Findings()
        let sent = message.parameter("response").flatMap { response in
            Payload(
                message.value(of: response), in: response.escaping == .none ? .none : .base64,
                findings: &ignored)
        }
        guard let root = (posted ?? sent)?.document.root else { return false }
        let spelling = DimmyItem.spelling(of: root[0] ?? root)
        return spelling == .snakeCase || spelling == nil && pinned == .dimmy2024
    }

    /// Whether a text clearly means one of Flux's values.
    private static func isSlip(_ text: ArraySlice<UInt8>, for known: String) -> Bool {
        Spelling.isVariant(text, of: known)
            || slips[known, default: []].contains { Spelling.isVariant(text, of: $0) }
    }

    /// Words that clearly mean one of the statuses.
    private static let slips = [
        "completed": ["complete"], "cancelled": ["canceled", "cancel"],
        "error": ["failed", "failure"],
    ]

    private static func addMissingStatus(_ expected: String, _ findings: inout Findings) {
        findings.add(
            .warning, .model, "missing_parameter", expected: expected, found: "none",
            hint: "Flux sends status with every callback")
    }

    // MARK: Item

    /// The item; one that comes with a cancelled or failed flow is kept, with a warning.
    private static func item(
        _ posted: Payload?, _ answer: Answer, _ message: inout Message
    ) -> DimmyItem? {
        let response = message.parameter("response")
        let isExpected = answer.outcome == .completed
        if posted == nil, response == nil {
            let hasStatus = answer.isFlux && answer.outcome == nil
            if isExpected, !hasStatus, !message.explainMissing(table.names) {
                message.findings.addMissingPayload(
                    "response", hint: "a finished flow sends its item as Base64 in response")
            }
            return nil
        }
        if !isExpected, let outcome = answer.outcome {
            if let response {
                message.findings.add(
                    .warning, .model, "unexpected_parameter", in: response.part,
                    at: response.offset,
                    expected: "no response with status=\(outcome.rawValue)", found: "response")
            } else if let posted {
                posted.add(
                    .warning, "unexpected_parameter", about: posted.document.root,
                    expected: "no item with status=\(outcome.rawValue)", found: "an item",
                    to: &message.findings)
            }
        }
        guard let payload = payload(posted, response, &message) else { return nil }
        return DimmyItem(payload, findings: &message.findings)
    }

    private static func payload(
        _ posted: Payload?, _ response: Parameter?, _ message: inout Message
    ) -> Payload? {
        guard let response else { return posted }
        posted?.addDuplicate(of: "response", to: &message.findings)
        let payload = Payload(
            message.value(of: response), in: response.escaping == .none ? .none : .base64,
            findings: &message.findings)
        guard let payload, !DimmyItem.isArrayOfItems(payload.document.root) else { return payload }
        return payload.requireObject(&message.findings) ? payload : nil
    }

    // MARK: Value

    private static func value(
        of item: DimmyItem?, _ answer: Answer, _ contract: Contract, _ message: inout Message
    ) -> JSONWriter {
        var json = JSONWriter(ofDocument: (item?.size ?? 0) * 3 / 2 + 512)
        json.beginObject()
        if let status = answer.unknownStatus {
            json.key("status")
            let text = message.value(of: status)
            json.string(utf8: Repaired(text, findings: &message.findings).bytes)
        }
        let usual: DimmyItem.Spelling = contract == .flux ? .camelCase : .snakeCase
        item?.write(to: &json, usually: usual, findings: &message.findings)
        if answer.outcome == .error || answer.reason != nil {
            json.key("error")
            json.string(utf8: reasonText(answer.reason, answer.outcome, &message))
        }
        writeContext(of: &message, and: item?.payload, to: &json)
        json.endObject()
        return json
    }

    /// The reason of an error; `unknown`, with a warning, if there is none that can be read.
    private static func reasonText(
        _ reason: Parameter?, _ outcome: Outcome?, _ message: inout Message
    ) -> ArraySlice<UInt8> {
        let text = reason.map { reason in
            let text = message.value(of: reason)
            return Repaired(text, findings: &message.findings).bytes
        }
        if let text, reasons.contains(where: { text.elementsEqual($0.utf8) }) {
            guard outcome != .error, let reason, let outcome else { return text }
            message.findings.add(
                .warning, .model, "unexpected_parameter", in: reason.part, at: reason.offset,
                expected: "no error with status=\(outcome.rawValue)", found: "error")
            return text
        }
        let isMissing = text?.isEmpty ?? true
        message.findings.add(
            .warning, .model, isMissing ? "missing_error_reason" : "unknown_error_reason",
            in: reason?.part ?? .target, at: reason?.valueRange.lowerBound,
            expected: "one of " + reasons.joined(separator: ", "),
            found: isMissing ? "none" : Excerpt.quoted(text ?? []),
            hint: Spelling.nearest(to: text ?? [], of: reasons).map { "perhaps \($0) is meant" })
        return isMissing ? Array("unknown".utf8)[...] : text ?? []
    }

    /// Writes the partner's own parameters in the callback URL, and repeated names there or in the
    /// payload.
    static func writeContext(
        of message: inout Message, and payload: Payload?, to json: inout JSONWriter
    ) {
        json.member("context", message.others, of: &message)
        json.memberOfDuplicates(of: &message, and: payload)
    }
}
