// Reads the callback in a link: a whole URL with an allowed scheme. Invariant: only a callback that
// a vendor's app could open is kept.

extension LaunchReader {
    /// Reads a callback that is a URL in the link.
    mutating func readCallback(_ entry: Entry, allowing kinds: Set<CallbackURL.Kind>) {
        guard entry.isClean else { return }
        readCallback(entry.value, entry, allowing: kinds) {
            entry.text.sourceOffset(ofUnescaped: $0)
        }
    }

    /// Reads the text of a callback.
    ///
    /// - Parameter place: maps an offset in the text to one in the part that holds the parameter.
    mutating func readCallback(
        _ text: String, _ entry: Entry, allowing kinds: Set<CallbackURL.Kind>,
        place: (Int) -> Int
    ) {
        let excerpt = Self.excerpt(text)
        if Self.isEscapedAgain(text) {
            message.findings.add(
                .error, .model, "double_encoded", at: place(0),
                expected: "\(entry.name): a URL", found: excerpt,
                hint: "the callback was percent-encoded twice; encode it once")
            return
        }
        let url: CallbackURL
        do throws(CallbackURL.Fault) {
            url = try CallbackURL(text)
        } catch {
            message.findings.add(
                .error, .model, "invalid_callback", at: place(error.offset),
                expected: "\(entry.name): \(error.expected)", found: error.found,
                hint: hint(for: text))
            return
        }
        if url.kind == .refused {
            addRefusedCallback(url, entry, found: excerpt, at: place(0))
        } else if !kinds.contains(url.kind) {
            message.findings.add(
                .error, .model, "invalid_callback", at: place(0),
                expected: "\(entry.name): a whole URL, with its scheme", found: excerpt,
                hint: url.kind == .component ? "only Welltory takes an Android activity" : nil)
        } else {
            callbacks.append((entry.name, url))
            guard url.isExposed else { return }
            message.findings.add(
                .warning, .model, "insecure_callback", at: place(0),
                expected: "\(entry.name): https", found: excerpt,
                hint: "the result can be read on its way, and no app link opens")
        }
    }

    /// Adds: the callback has a scheme that is never opened, whatever the rest of the link says.
    mutating func addRefusedCallback(
        _ url: CallbackURL, _ entry: Entry, found: String, at offset: Int
    ) {
        let scheme = "\(url.scheme ?? ""):"
        message.findings.add(
            .error, .model, LaunchCheck.refusedCallback, at: offset,
            expected: "\(entry.name): https or an app's own scheme", found: found,
            hint: "\(scheme) would run script or read files")
        linkReaction =
            linkReaction
            ?? .nothing("no app opens a callback of the scheme \(scheme)", isInferred: true)
    }

    /// Adds: the link names no callback.
    mutating func addNoCallback(_ severity: Diagnostic.Severity, _ name: String, hint: String) {
        message.findings.add(
            severity, .model, "no_callback", expected: "the parameter \(name)", found: "none",
            hint: hint)
    }

    /// Whether `text` would be a URL if it were decoded once more.
    static func isEscapedAgain(_ text: String) -> Bool {
        let start = text.prefix { $0 != "%" }
        guard start.count < text.count, !text.contains("://") else { return false }
        let rest = text[start.endIndex...].uppercased()
        return rest.hasPrefix("%3A") && LaunchReader.isScheme(start)
    }

    /// The callback for people, without the query, which may hold a vendor's data.
    private static func excerpt(_ text: String) -> String {
        Excerpt.quoted(Redaction.redactTarget(Array(text.utf8))[...])
    }

    private static func isScheme(_ text: Substring) -> Bool {
        CallbackScheme.isName(String(text))
    }

    /// How to correct a callback that is not a URL.
    private func hint(for text: String) -> String? {
        if case .octets(let octets, _) = Base64Text.decode(Array(text.utf8)[...]),
            String(decoding: octets.prefix(8), as: UTF8.self).contains(":")
        {
            return "the contract of 2024 wrote it in Base64; write the URL itself"
        }
        guard text.contains(" ") else { return nil }
        if text.hasPrefix(" ") || text.hasSuffix(" ") { return "leave out the spaces around it" }
        return contract?.declaration.launch?.callback?.isBase64 == true
            ? "a space in the callback is %20"
            : "a space in the callback is %20, and in the link that is %2520"
    }
}
