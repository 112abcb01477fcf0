// Decodes a Rezolve trigger: a link to a product, a category or an engagement, or a custom URL for
// the browser (vendor document 4.4).
//
// Invariant: an invalid id doesn't affect the others. A link with no, too few, too many or invalid
// ids has one outcome, `error`, as the SDK has one `onBadTrigger`. Left out: whether the ids exist.

import JSON

/// The decoder of the `rezolve-trigger` contract.
enum RezolveTriggerDecoder {
    /// Decodes a message whose duplicates are resolved.
    ///
    /// A URL in the parameter `url` is the link, if there is no other; its parameters replace those
    /// next to it.
    static func decode(_ message: inout Message, _ path: RezolvePath) -> Decoding {
        var (value, outcome): (JSONWriter?, Outcome?)
        if let text = carriedLink(in: message, path) {
            if let clean = CleanText(text, findings: &message.findings) {
                var link = Self.message(of: clean)
                (value, outcome) = read(&link, RezolvePath(of: link.bytes(of: .target)[...]))
                message.findings.adopt(link.findings, in: text.part) {
                    text.sourceOffset(ofUnescaped: $0)
                }
            }
        } else if path.site == .callbacks, message.parameter("engagementid") == nil {
            message.findings.addMissingPayload(
                "url", hint: "a trigger is the link itself, or a URL in the parameter url")
        } else {
            (value, outcome) = read(&message, path)
        }
        return Decoding(
            contract: .rezolveTrigger, outcome: outcome, value: value, findings: message.findings)
    }

    /// The link in the parameter `url`; nil if the message itself is the link.
    static func carriedLink(in message: Message, _ path: RezolvePath) -> EscapedText? {
        isBare(path) ? message.parameter("url").map(message.value) : nil
    }

    /// Parses a link.
    static func message(of link: CleanText) -> Message {
        var message = Message(Callback(target: Array(link.bytes)))
        message.resolveDuplicates(keeping: .first)
        return message
    }

    /// Whether the path is empty of ids, so that a parameter may hold the link.
    private static func isBare(_ path: RezolvePath) -> Bool {
        switch path.site {
        case .callbacks: true
        case .triggers, .sandbox: path.components.isEmpty && path.host == nil
        case .engagements, .other: false
        }
    }

    /// The value of a link; nil, with an error, if it is not a trigger.
    private static func read(
        _ message: inout Message, _ path: RezolvePath
    ) -> (value: JSONWriter?, outcome: Outcome?) {
        let link = RezolveLink(path, of: message)
        link.report(to: &message.findings, opensApp: false)
        var json = JSONWriter(ofDocument: 256)
        var outcome: Outcome?
        json.beginObject()
        let isWritten = write(link, &message, to: &json, outcome: &outcome)
        writeParameters(of: &message, except: path.ownParameters, to: &json)
        json.endObject()
        return (isWritten ? json : nil, outcome)
    }

    /// Writes the link's content; false, with an error, if the text of its ids is broken.
    private static func write(
        _ link: RezolveLink, _ message: inout Message, to json: inout JSONWriter,
        outcome: inout Outcome?
    ) -> Bool {
        var text: ArraySlice<UInt8>?
        if let name = name(ofParameterOf: link.form) {
            text = required(name, &message)
            if text == nil {
                guard isMissing(name, in: message) else { return false }
                outcome = .error
                json.member("kind", "bad_trigger")
                return true
            }
        }
        switch link.form {
        case .engagement:
            json.member("kind", "engagement")
            json.key("engagement_id")
            json.string(utf8: text ?? [])
        case .instant, .trigger:
            guard link.componentCount != nil else { return false }
            let isBad = !link.isComplete || link.ids.contains { $0.number == nil }
            if isBad { outcome = .error }
            let kind = link.ids.count == 3 ? "category" : "product"
            json.member("kind", isBad ? "bad_trigger" : kind)
            for id in link.ids where id.number != nil { json.member("\(id.name)_id", id.number) }
        case nil:
            json.member("kind", "custom_url")
            json.member("url", String(decoding: message.bytes(of: .target), as: UTF8.self))
            json.member("action", "open_in_browser")
        }
        return true
    }

    /// The parameter that has the ids in a link of this form; nil if they are in its path, or none
    /// are.
    private static func name(ofParameterOf form: RezolveForm?) -> String? {
        switch form {
        case .engagement: "engagementid"
        case .instant: "path"
        case .trigger, nil: nil
        }
    }

    private static func isMissing(_ name: String, in message: Message) -> Bool {
        message.parameter(name)?.valueRange.isEmpty ?? true
    }

    /// The text of a parameter that the link's form requires; nil, with an error, if it is missing
    /// or broken.
    private static func required(_ name: String, _ message: inout Message) -> ArraySlice<UInt8>? {
        guard let parameter = message.parameter(name), !isMissing(name, in: message) else {
            message.findings.add(
                .error, .model, "missing_parameter", at: message.parameter(name)?.offset,
                expected: "a value of the parameter \(name)",
                found: message.parameter(name) == nil ? "no such parameter" : "nothing",
                hint: name == "path"
                    ? "the ids between slashes, as in 2/252/2"
                    : "a link of an engagement carries its id")
            return nil
        }
        return CleanText(message.value(of: parameter), findings: &message.findings)?.bytes
    }

    /// Writes the ids for statistics, which are strings, and the other parameters as `parameters`.
    private static func writeParameters(
        of message: inout Message, except own: [String], to json: inout JSONWriter
    ) {
        for (name, member) in [("ad", "ad_id"), ("placement", "placement_id")] {
            guard let parameter = message.parameter(name),
                let text = CleanText(message.value(of: parameter), findings: &message.findings)
            else { continue }
            json.key(member)
            json.string(utf8: text.bytes)
        }
        let known = ["ad", "placement", "engagementid", "path"] + own
        let others = message.parameters.filter { parameter in
            !known.contains { message.isNamed(parameter, $0) }
        }
        for parameter in others {
            message.findings.addUnknownParameter(parameter, named: message.name(of: parameter))
        }
        if !others.isEmpty { json.member("parameters", others, of: &message) }
        json.memberOfDuplicates(of: &message)
    }
}
