// Decodes what a target app appends to a callback URL of x-callback-url 1.0.
//
// The specification lets the three URLs be any: which of them was opened shows in errorCode and
// errorMessage, in the mark that Landfall's own launches have, or in a path that ends with a word
// for cancelling. Everything else is a result. Left out: the meaning of results, which each action
// defines.

import JSON
import LinkPatterns

/// The decoder of the `x-callback-url` contract.
enum XCallbackURLDecoder {
    /// An error has the first two; in every other message, misspelled ones are searched for.
    private static let table = NameTable(["errorCode", "errorMessage", "x-source"], usual: 2)

    /// The last component of a path that is for cancelling.
    private static let cancelling = ["cancel", "cancelled", "canceled", "x-cancel"]

    /// Decodes a message; of repeated parameters the first is used.
    static func decode(_ message: inout Message) -> Decoding {
        message.adoptBodyMembers()
        message.settle(table, keeping: .first)
        let isLaunch = message.launchedContract == .xCallbackURL
        guard !message.hasLostBody, !isLaunch else {
            _ = message.explainMissing(table.names)
            return Decoding(
                contract: .xCallbackURL, outcome: nil, value: nil, findings: message.findings)
        }
        // An action may return anything, in any form: secrets are hidden in the whole message.
        var clean = redacted(message)
        var json = JSONWriter(ofDocument: 256)
        json.beginObject()
        for (key, name) in table.names.enumerated() {
            guard let parameter = clean.parameter(key: key),
                let text = CleanText(clean.value(of: parameter), findings: &clean.findings)
            else { continue }
            json.key(name)
            json.string(utf8: text.bytes)
        }
        let results = clean.others.filter {
            !clean.isNamed($0, XCallbackURL.outcomeParameter)
        }
        if !results.isEmpty { json.member("parameters", results, of: &clean) }
        json.memberOfDuplicates(of: &clean)
        json.endObject()
        message.findings = clean.findings
        let outcome = outcome(of: message)
        if outcome == .error { checkError(&message) }
        return Decoding(
            contract: .xCallbackURL, outcome: outcome, value: json,
            findings: message.findings)
    }

    /// The message without its secrets; the same if it has none.
    ///
    /// Diagnostics have the offsets of the redacted message then.
    private static func redacted(_ message: Message) -> Message {
        let (target, body) = (message.bytes(of: .target), message.bytes(of: .body))
        let cleanTarget = Redaction.redactTarget(target)
        let cleanBody = Redaction.redactBody(body)
        if cleanTarget == target, cleanBody == body { return message }
        let content = message.received?.mapBytes { _ in cleanBody }
        var clean = Message(Callback(target: cleanTarget, body: content))
        clean.adoptBodyMembers()
        clean.settle(table, keeping: .first)
        return clean
    }

    private static func outcome(of message: Message) -> Outcome {
        if message.has("errorCode") || message.has("errorMessage") { return .error }
        let marked = message.parameter(XCallbackURL.outcomeParameter).flatMap { parameter in
            Outcome(
                rawValue: String(
                    decoding: message.value(of: parameter).unescaped().bytes, as: UTF8.self))
        }
        if let marked { return marked }
        let path = LinkURL(utf8: message.bytes(of: .target)).path
        let word = path.split(separator: "/").last?.lowercased() ?? ""
        return cancelling.contains(word) ? .cancelled : .completed
    }

    /// Warns of a parameter that every error has, and that is missing or empty.
    private static func checkError(_ message: inout Message) {
        for name in ["errorCode", "errorMessage"] {
            let parameter = message.parameter(name)
            guard parameter?.valueRange.isEmpty ?? true else { continue }
            message.findings.add(
                .warning, .model, "missing_parameter", in: parameter?.part, at: parameter?.offset,
                expected: "a value of the parameter \(name)",
                found: parameter == nil ? "no such parameter" : "nothing",
                hint: "an error has errorCode and errorMessage")
        }
    }
}
