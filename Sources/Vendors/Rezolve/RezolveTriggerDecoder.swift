// A Rezolve trigger: a link that stands for a product, a category or an engagement, or that is none
// and belongs into the browser (vendor document 4.4).
//
// Invariant: an id that is no number costs no other one. Left out: whether the ids exist.

import JSONText
import PositionedJSON

/// The decoder of the `rezolve-trigger` contract.
enum RezolveTriggerDecoder {
    /// The members of a value, by the number of components that a trigger's path has.
    private static let idNames = ["partner_id", "merchant_id", "category_id", "product_id"]

    /// The link to classify: the target itself, or a URL in the parameter `url`.
    private struct TriggerLink {
        let bytes: [UInt8]
        let path: RezolvePath
        /// The place in the message of each byte.
        let source: EscapedText?
        let part: Diagnostic.Part

        func offset(of index: Int) -> Int {
            source.map { $0.sourceOffset(ofUnescaped: index) } ?? index
        }
    }

    /// Decodes a message whose duplicates are resolved.
    static func decode(_ message: inout Message, _ path: RezolvePath) -> Decoding {
        guard let link = link(&message, path) else {
            return Decoding(
                contract: .rezolveTrigger, outcome: nil, value: nil, findings: message.findings)
        }
        var json = JSONWriter(reservingCapacity: 256)
        var outcome: Outcome?
        json.beginObject()
        let isWritten = write(link, &message, to: &json, outcome: &outcome)
        writeParameters(of: &message, to: &json)
        json.endObject()
        return Decoding(
            contract: .rezolveTrigger, outcome: outcome, value: isWritten ? json.bytes : nil,
            findings: message.findings)
    }

    /// What is to be classified; nil, with an error, when there is nothing.
    ///
    /// The parameters of a link in `url` replace those beside it.
    private static func link(_ message: inout Message, _ path: RezolvePath) -> TriggerLink? {
        guard let parameter = message.parameter("url"), path.site == .callbacks || isBare(path)
        else {
            if path.site == .callbacks, message.parameter("engagementid") == nil {
                message.findings.addMissingPayload(
                    "url", hint: "a trigger is the link itself, or a URL in the parameter url")
                return nil
            }
            return TriggerLink(
                bytes: message.bytes(of: .target), path: path, source: nil, part: .target)
        }
        let text = message.value(of: parameter)
        guard let clean = CleanText(text, findings: &message.findings) else { return nil }
        let bytes = Array(clean.bytes)
        let found = message.findings
        message = Message(Callback(target: bytes))
        message.resolveDuplicates(keeping: .first)
        message.findings = found
        return TriggerLink(
            bytes: bytes, path: RezolvePath(of: bytes[...]), source: text, part: text.part)
    }

    private static func isBare(_ path: RezolvePath) -> Bool {
        path.host == nil && path.components.isEmpty
    }

    /// Writes what the link stands for; false, with an error, when it is no trigger at all.
    private static func write(
        _ link: TriggerLink, _ message: inout Message, to json: inout JSONWriter,
        outcome: inout Outcome?
    ) -> Bool {
        if let text = text("engagementid", &message), !text.isEmpty {
            json.member("kind", "engagement")
            json.key("engagement_id")
            json.string(utf8: text)
            return true
        }
        switch link.path.site {
        case .other:
            json.member("kind", "custom_url")
            json.member("url", String(decoding: link.bytes, as: UTF8.self))
            json.member("action", "open_in_browser")
            addCustomURL(link, &message.findings)
            return true
        case .engagements, .callbacks:
            message.findings.add(
                .error, .model, "missing_parameter", in: link.part,
                expected: "the parameter engagementid", found: "none",
                hint: "a link of an engagement carries its id")
            return false
        case .triggers: return writeIDs(link, &message, to: &json, outcome: &outcome)
        }
    }

    private static func writeIDs(
        _ link: TriggerLink, _ message: inout Message, to json: inout JSONWriter,
        outcome: inout Outcome?
    ) -> Bool {
        var components = link.path.components.map { ($0.lowerBound, link.bytes[$0]) }
        let isInstant = components.count == 1 && components[0].1.elementsEqual("instant".utf8)
        if isInstant, let path = text("path", &message) {
            components = path.split(separator: UInt8(ascii: "/")).map { (components[0].0, $0) }
        }
        let kind = kind(components.count, isInstant)
        guard let kind else {
            message.findings.add(
                .error, .url, "bad_trigger", in: link.part,
                at: link.offset(of: components.dropFirst(4).first?.0 ?? end(of: link)),
                expected: "partner/merchant/category or partner/merchant/category/product",
                found: components.count == 1 ? "1 component" : "\(components.count) components",
                hint: "the SDK calls such a link a bad trigger")
            return false
        }
        var ids: [Int?] = []
        for (name, component) in zip(idNames, components) {
            ids.append(number(component, name, link, &message.findings))
        }
        if ids.contains(nil) { outcome = .error }
        json.member("kind", ids.contains(nil) ? "bad_trigger" : kind)
        for (name, id) in zip(idNames, ids) where id != nil { json.member(name, id) }
        if isInstant {
            message.findings.add(
                .info, .model, "uncertain_id_order", in: link.part,
                expected: "partner/merchant/category", found: "a path in an instant link",
                hint: "no vendor document says in which order these ids stand")
        }
        return true
    }

    private static func kind(_ count: Int, _ isInstant: Bool) -> String? {
        if count == 3 { return "category" }
        return count == 4 && !isInstant ? "product" : nil
    }

    /// The end of the link's path, where a missing component belongs.
    private static func end(of link: TriggerLink) -> Int {
        link.bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
            ?? link.bytes.count
    }

    /// A component as a whole number that isn't negative; nil, with an error, when it is none.
    private static func number(
        _ component: (offset: Int, bytes: ArraySlice<UInt8>), _ name: String, _ link: TriggerLink,
        _ findings: inout Findings
    ) -> Int? {
        let text = Array(component.bytes)
        let digits = EscapedText(
            part: link.part, bytes: text, range: text.indices, escaping: .query
        ).unescaped().bytes
        if digits.allSatisfy({ 0x30...0x39 ~= $0 }),
            let number = Int(String(decoding: digits, as: UTF8.self))
        {
            return number
        }
        findings.add(
            .error, .model, "not_an_integer", in: link.part, at: link.offset(of: component.offset),
            expected: "\(name): a whole number", found: Excerpt.quoted(digits),
            hint: "the SDK calls such a link a bad trigger")
        return nil
    }

    private static func addCustomURL(_ link: TriggerLink, _ findings: inout Findings) {
        let host = link.path.host ?? ""
        let resembles = host.contains("rzlv.co") || host.hasSuffix("rezolve.com")
        findings.add(
            resembles ? .warning : .info, .model, resembles ? "lookalike_host" : "custom_url",
            in: link.part, at: link.offset(of: 0), expected: "a link of rzlv.co",
            found: host.isEmpty ? "another scheme" : Excerpt.quoted(Array(host.utf8)[...]),
            hint: resembles
                ? "hosts are compared whole: this one is not Rezolve's"
                : "a custom URL: the SDK hands it to the browser")
    }

    /// The text of a parameter; nil, with an error when it is broken, when there is none.
    private static func text(_ name: String, _ message: inout Message) -> ArraySlice<UInt8>? {
        guard let parameter = message.parameter(name) else { return nil }
        let text = message.value(of: parameter)
        return CleanText(text, findings: &message.findings)?.bytes
    }

    /// Writes the ids for statistics, which are texts, and the other parameters as `parameters`.
    private static func writeParameters(of message: inout Message, to json: inout JSONWriter) {
        for (name, member) in [("ad", "ad_id"), ("placement", "placement_id")] {
            guard let text = text(name, &message) else { continue }
            json.key(member)
            json.string(utf8: text)
        }
        let known = ["ad", "placement", "engagementid", "path"]
        let others = message.parameters.filter { parameter in
            !known.contains { message.isNamed(parameter, $0) }
        }
        for parameter in others {
            message.findings.addUnknownParameter(parameter, named: message.name(of: parameter))
        }
        if !others.isEmpty { json.member("parameters", others, of: &message) }
    }
}
