// Reads links of x-callback-url 1.0: scheme and action in front of the query, and parameters of both.

import Text

extension LaunchReader {
    /// Reads `scheme://x-callback-url/action?…`.
    mutating func readXCallbackURL() -> Reaction {
        takeParameters()
        let (scheme, action) = XCallbackURL.place(in: url)
        for (name, text) in [("scheme", scheme), ("action", action)] {
            guard let text else { continue }
            let value = EscapedText(
                part: .target, bytes: Array(text.utf8), range: 0..<text.utf8.count,
                escaping: .query)
            var ignored = Findings()
            pathParameters.append(
                Launch.Parameter(
                    name, String(decoding: Repaired(value, findings: &ignored).bytes, as: UTF8.self)
                ))
        }
        checkPlace(scheme)
        if action == nil {
            findings.add(
                .error, .url, "missing_action", at: url.pathRange.lowerBound,
                expected: "an action as the path", found: "none",
                hint: "write scheme://x-callback-url/action")
        }
        let callbacks = Launch.callbackParameters(of: .xCallbackURL)
        for name in callbacks {
            if let entry = entry(name) { readCallback(entry, allowing: [.web, .custom]) }
        }
        if !callbacks.contains(where: { entry($0) != nil }) {
            addNoCallback(.info, "x-success", hint: "the person stays in the target app")
        }
        noteOthers(callbacks)
        let others = entries.filter { entry in
            !entry.name.isEmpty && !entry.value.isEmpty
                && !pathParameters.contains { $0.name == entry.name }
        }
        makeLaunch(pathParameters + others.map { Launch.Parameter($0.name, $0.value) })
        return hasError
            ? .nothing("the specification has no answer to an invalid link", isInferred: true)
            : .starts("x-callback-url 1.0")
    }

    /// Adds an error for a scheme that no app can have, and for another host.
    private mutating func checkPlace(_ scheme: String?) {
        let parameter = pathParameters.first { $0.name == "scheme" }
        let expected = parameter.map(XCallbackURL.expectation) ?? "the target app's scheme"
        if let expected {
            findings.add(
                .error, .url, "invalid_scheme", at: 0, expected: expected,
                found: scheme.map { Excerpt.quoted(Array($0.utf8)[...]) } ?? "none")
        } else if let host = url.host, host.lowercased() != XCallbackURL.host {
            findings.add(
                .error, .url, "wrong_host", at: 0, expected: XCallbackURL.host,
                found: Excerpt.quoted(Array(host.utf8)[...]))
        }
    }

    /// Adds a note for each parameter that was probably meant to be another.
    private mutating func noteOthers(_ callbacks: [String]) {
        let known = Launch.knownParameters(of: .xCallbackURL).filter { $0.hasPrefix("x-") }
        var follows = false
        for entry in entries {
            if known.contains(entry.name) {
                // A mark that isn't escaped ends the callback at the next &.
                let text = entry.text.bytes[entry.text.range]
                follows = callbacks.contains(entry.name) && text.contains(UInt8(ascii: "?"))
                continue
            }
            if pathParameters.contains(where: { $0.name == entry.name }) {
                message.findings.add(
                    .info, .url, "reserved_parameter", at: entry.offset,
                    expected: "another name", found: Excerpt.quoted(Array(entry.name.utf8)[...]),
                    hint: "here the name means a part of the link, so the emulator leaves it out")
                continue
            }
            let meant = Spelling.nearest(to: entry.name, among: known)
            let isReserved = XCallbackURL.isReserved(entry.name)
            guard isReserved || follows else { continue }
            let isMeant = isReserved && meant != nil
            let isLost = isMeant && !entries.contains { $0.name == meant }
            message.findings.add(
                isLost ? .error : isMeant ? .warning : .info, .url, "unknown_parameter",
                at: entry.offset,
                expected: isMeant ? "the parameter \(meant ?? "")" : "a parameter of the action",
                found: Excerpt.quoted(Array(entry.name.utf8)[...]),
                hint: isMeant
                    ? "did you mean \(meant ?? "")?"
                    : follows ? "if it belongs to the callback, write & as %26" : nil)
        }
    }
}
