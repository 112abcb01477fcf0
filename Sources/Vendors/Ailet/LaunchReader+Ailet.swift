// Reads Ailet's links (vendor document 3.1). The app's reaction to an invalid one is not
// documented; it is assumed to be the status (3.2) that names the parameter.

import Text

extension LaunchReader {
    /// Reads `intelligenceretail:?method=…`.
    mutating func readAilet() -> Reaction {
        takeParameters()
        noteUnexpectedPath()
        let method = readMethod()
        var missing: [String] = []
        for name in method?.required ?? ["login", "password"] where entry(name) == nil {
            missing.append(name)
            _ = require(name, hint: method.map { "\($0.rawValue) needs it" })
        }
        let hasScheme = readBackScheme()
        if !hasScheme, let method, method.optional.contains("back_url_scheme") {
            let isNeeded = method == .visit
            addNoCallback(
                isNeeded ? .warning : .info, "back_url_scheme",
                hint: "Ailet's app can't come back without it")
        }
        noteParameters(of: method)
        makeLaunch(launchParameters(of: method))
        if !hasError { return .starts("vendor document 3.1") }
        return reaction(hasMethod: method != nil, missing)
    }

    private mutating func noteUnexpectedPath() {
        guard url.scheme?.lowercased() == "intelligenceretail",
            !(url.host ?? "").isEmpty || !["", "/"].contains(url.path)
        else { return noteSlashes() }
        findings.add(
            .warning, .url, "unexpected_path", at: (url.scheme?.utf8.count ?? 0) + 1,
            expected: "intelligenceretail:?method=", found: "a host or a path",
            hint: "the parameter method says what the link asks for")
    }

    /// Adds a note on `intelligenceretail://?…`, which apps may or may not read like the form
    /// without slashes.
    private mutating func noteSlashes() {
        let colon = url.scheme?.utf8.count ?? 0
        guard url.scheme?.lowercased() == "intelligenceretail",
            link.dropFirst(colon + 1).starts(with: "//".utf8)
        else { return }
        findings.add(
            .info, .url, "unexpected_slashes", at: colon + 1,
            expected: "intelligenceretail:?method=", found: "\"//\"",
            hint: "the vendor's documents write no slashes")
    }

    private mutating func readMethod() -> AiletMethod? {
        let names = AiletMethod.allCases.map(\.rawValue)
        let expected = "method: one of " + names.joined(separator: ", ")
        guard let entry = require("method", hint: expected), entry.isClean else { return nil }
        if let method = AiletMethod(rawValue: entry.value) { return method }
        let meant = Spelling.nearest(to: entry.value, among: names)
        message.findings.add(
            .error, .model, "unknown_method", at: entry.text.range.lowerBound, expected: expected,
            found: Excerpt.quoted(Array(entry.value.utf8)[...]),
            hint: meant.map { "did you mean \($0)?" })
        return nil
    }

    /// Reads the callback scheme; returns whether the parameter is present.
    private mutating func readBackScheme() -> Bool {
        guard let entry = entry("back_url_scheme") else { return false }
        guard entry.isClean else { return true }
        let callback = try? CallbackURL(CallbackScheme.callback(CallbackScheme.value(entry.value)))
        if let callback, callback.kind == .refused {
            addRefusedCallback(
                callback, entry, found: Excerpt.quoted(Array(entry.value.utf8)[...]),
                at: entry.text.range.lowerBound)
            return true
        }
        guard let callback, callback.kind == .web || isBareScheme(callback) else {
            message.findings.add(
                .error, .model, "invalid_callback", at: entry.text.range.lowerBound,
                expected: "back_url_scheme: an app's scheme, as in partnerapp",
                found: Excerpt.quoted(Array(entry.value.utf8)[...]),
                hint: "Ailet's app appends :?result= to it")
            return true
        }
        callbacks = [(entry.name, callback)]
        if !CallbackScheme.isName(entry.value) {
            message.findings.add(
                .warning, .model, "not_a_scheme", at: entry.text.range.lowerBound,
                expected: "back_url_scheme: a scheme without its colon",
                found: callback.kind == .web
                    ? "a URL" : Excerpt.quoted(Array(entry.value.utf8)[...]),
                hint: callback.kind == .web
                    ? "Ailet's app appends :?result= to it; only an emulator can go there"
                    : "Ailet's app writes the colon itself")
        }
        return true
    }

    private func isBareScheme(_ callback: CallbackURL) -> Bool {
        callback.kind == .custom && callback.description.hasSuffix(":")
    }

    private mutating func noteParameters(of method: AiletMethod?) {
        let required = method?.required ?? ["login", "password"]
        noteUnknown(known: AiletMethod.allParameters, required: required + ["method"])
        guard let method else { return }
        let used = ["method"] + method.required + method.optional
        for entry in entries
        where AiletMethod.allParameters.contains(entry.name) && !used.contains(entry.name)
            && !entry.value.isEmpty
        {
            message.findings.add(
                .info, .model, "unused_parameter", at: entry.offset,
                expected: "a parameter of \(method.rawValue)", found: "\"\(entry.name)\"")
        }
        if entry("user_id") == nil {
            message.findings.add(
                .info, .model, "no_user_id", expected: "the parameter user_id", found: "none",
                hint: "needed where the account signs in with an external id")
        }
    }

    private func launchParameters(of method: AiletMethod?) -> [Launch.Parameter] {
        guard let method else { return [] }
        return (["method"] + method.required + method.optional).compactMap(parameter)
    }

    private func reaction(hasMethod: Bool, _ missing: [String]) -> Reaction {
        guard callback != nil else { return .nothing("there is no scheme to come back to") }
        let status =
            if !hasMethod {
                "IR_ERROR"
            } else if missing.contains("login") || missing.contains("password") {
                "IR_ERROR_AUTH"
            } else if missing.contains("store_id") {
                "IR_ERROR_STORE_ID_INCORRECT"
            } else if missing.contains("visit_id") {
                "IR_ERROR_VISIT_ID_INCORRECT"
            } else {
                "IR_ERROR"
            }
        let result = PercentEncoding.encode(#"{"status":"\#(status)"}"#.utf8)
        return .returns(
            "result=" + String(decoding: result, as: UTF8.self),
            "the status that is about what is missing", isInferred: true)
    }
}
