// Reads Dimmy's links of 2024, and Flux's (vendor document 1.1 and 1.2).

extension LaunchReader {
    /// Reads a link of 2024: `flow`, and `callback` in Base64.
    mutating func readDimmy() -> Reaction {
        takeParameters()
        if entry("flow") == nil, let newer = entry("flowName") {
            message.findings.add(
                .error, .model, "newer_contract", at: newer.offset,
                expected: "the parameter flow", found: "\"flowName\"",
                hint: "flowName belongs to https://flux.api.optioryx.com/open")
        } else {
            _ = require("flow", hint: "the id of a flow, or default for the device's own")
        }
        let callback = require("callback", hint: "the Base64 of the URL to go back to")
        if let callback, callback.isClean { readBase64Callback(callback) }
        noteUnknown(
            known: ["flow", "callback", "code", "flowName"], required: ["flow", "callback"])
        message.findings.add(
            .info, .model, "outdated_contract", expected: "a link of the contract flux",
            found: "one of 2024", hint: "the vendor's current app refuses the links of 2024")
        makeLaunch(
            ["flow", "code"].compactMap(parameter)
                + [Launch.Parameter("callback", self.callback?.description ?? "")])
        return hasError
            ? .nothing("Dimmy sends nothing when it can't start") : .starts("vendor document 1.1")
    }

    /// Reads a link of Flux: `flowName`, and `callback` as a URL.
    mutating func readFlux() -> Reaction {
        takeParameters()
        if entry("flowName") == nil, let older = entry("flow") ?? entry("flowId") {
            message.findings.add(
                .error, .model, "older_contract", at: older.offset,
                expected: "the parameter flowName",
                found: Excerpt.quoted(Array(older.name.utf8)[...]),
                hint: "Flux knows flows by their name, exactly as it is written in the account")
        } else if let name = require("flowName", hint: "the name of a flow"),
            name.value == "default"
        {
            message.findings.add(
                .info, .model, "default_flow", at: name.offset, expected: "the name of a flow",
                found: "\"default\"", hint: "Flux has no local flow; default is a name like others")
        }
        let callback = entry("callback")
        if let callback {
            readCallback(callback, allowing: [.web, .custom])
        } else {
            addNoCallback(.info, "callback", hint: "the flow ends inside of the vendor's app")
        }
        noteUnknown(
            known: ["flowName", "callback", "code", "flow", "flowId"], required: ["flowName"],
            callback: "callback")
        makeLaunch(["flowName", "callback", "code"].compactMap(parameter))
        if !hasError { return .starts("vendor document 1.1") }
        if callback != nil, self.callback == nil {
            return .nothing("Flux can't go to a callback that is no URL")
        }
        if ["flowName", "code"].contains(where: { entry($0)?.isClean == false }) {
            return .nothing("a link with broken escapes is no URL to Flux", isInferred: true)
        }
        guard self.callback != nil else { return .nothing("there is no callback to go back to") }
        return .returns(
            "status=error&error=invalid_request", "Flux comes back so without a flowName")
    }

    /// A parameter that is present, in the form of a launch.
    func parameter(_ name: String) -> Launch.Parameter? {
        entry(name).map { Launch.Parameter(name, $0.value) }
    }

    private mutating func readBase64Callback(_ entry: Entry) {
        let text = Array(entry.value.utf8)[...]
        let octets: [UInt8]
        switch Base64Text.decode(text) {
        case .broken(let index):
            let isURL = entry.value.contains(":") || Self.isEscapedAgain(entry.value)
            message.findings.add(
                .error, .base64, "invalid_base64",
                at: entry.text.sourceOffset(ofUnescaped: isURL ? 0 : index),
                expected: "callback: standard Base64 of a URL",
                found: isURL ? "a URL" : Excerpt.byte(text.dropFirst(index)),
                hint: isURL ? "encode the URL in Base64; only Flux takes it as it is" : nil)
            return
        case .octets(let decoded, let repairedAt):
            octets = decoded
            noteSpelling(of: entry, repairedAt)
        }
        let place = { (offset: Int) in
            entry.text.sourceOffset(ofUnescaped: Base64Text.sourceIndex(ofOctet: offset, in: text))
        }
        if let offset = octets[...].firstUTF8Fault {
            message.findings.add(
                .error, .utf8, "invalid_utf8", at: place(offset), expected: "callback: UTF-8",
                found: Excerpt.byte(octets[offset...]))
            return
        }
        let url = String(decoding: octets, as: UTF8.self)
        readCallback(url, entry, allowing: [.web, .custom], place: place)
    }

    /// Adds a note for what a strict Base64 decoder would refuse.
    private mutating func noteSpelling(of entry: Entry, _ repairedAt: Int?) {
        if let repairedAt {
            message.findings.add(
                .info, .base64, "space_in_base64",
                at: entry.text.sourceOffset(ofUnescaped: repairedAt), expected: "+",
                found: "a space", hint: "the value was form-encoded: + became a space; send %2B")
        }
        let isOther = entry.value.contains { $0 == "-" || $0 == "_" }
        guard isOther || entry.value.utf8.count % 4 != 0 else { return }
        message.findings.add(
            .info, .base64, "nonstandard_base64",
            at: entry.text.range.lowerBound,
            expected: "callback: the alphabet with + and /, and = at the end",
            found: isOther ? "- or _" : "no padding",
            hint: "the vendor's code reads standard Base64 only")
    }
}
