// Reads Welltory's links: of iOS and the web, of the Android app, and of the Play Store (document
// 2.1).

import Text

extension LaunchReader {
    private static let androidPath = "/Measurement/Start/"

    /// Reads a link in any of its forms.
    mutating func readWelltory() -> Reaction {
        if url.scheme?.lowercased() == "welltory" { openPath() } else { openReferrer() }
        if let linkReaction { return linkReaction }
        takeParameters(.last)
        let source = require(
            "source", hint: "the name that Welltory has registered for the partner")
        if let callback = require("callback", hint: "the URL that Welltory has registered") {
            readCallback(callback, allowing: [.web, .custom, .component])
            checkPlatform(of: callback)
            if let source { verify(source, callback) }
        }
        noteExtras()
        makeLaunch(
            entries.filter { !$0.name.isEmpty }.map { Launch.Parameter($0.name, $0.value) })
        return hasError
            ? .nothing(
                "both parameters verify the partner; no message is known for a wrong one",
                isInferred: true) : .starts("vendor document 2.1")
    }

    /// Adds a warning if the callback is of another platform than the link: the vendor documents a
    /// URL for links of the web and iOS, and `package/activity` for Android.
    ///
    /// A request target without scheme, as the emulator gets it, is of any platform.
    private mutating func checkPlatform(of entry: Entry) {
        guard url.scheme != nil, let callback, callback.kind != .custom else { return }
        let isComponent = callback.kind == .component
        guard isComponent == (form == .link) else { return }
        message.findings.add(
            .warning, .model, "callback_of_other_platform", at: entry.text.range.lowerBound,
            expected: isComponent ? "callback: a URL" : "callback: package/activity",
            found: Excerpt.quoted(Redaction.redactTarget(Array(entry.value.utf8))[...]),
            hint: isComponent
                ? "only Android's links take an activity: --form android writes one"
                : "Welltory for Android returns to an activity, as in com.example.app/.Result")
    }

    /// Adds an error unless the partner is registered, and the callback for it.
    private mutating func verify(_ source: Entry, _ callback: Entry) {
        guard let partners else { return }
        guard let partner = partners.first(where: { $0.source == source.value }) else {
            let names = partners.map(\.source).joined(separator: ", ")
            return message.findings.add(
                .error, .model, "unregistered_source", at: source.offset,
                expected: "source: a registered name, of \(names)",
                found: Excerpt.quoted(Array(source.value.utf8)[...]),
                hint: Spelling.nearest(to: source.value, among: partners.map(\.source))
                    .map { "did you mean \($0)?" } ?? "welltory.partners lists the names")
        }
        guard let url = self.callback, !partner.accepts(url) else { return }
        message.findings.add(
            .error, .model, "unregistered_callback", at: callback.offset,
            expected: "callback: one that is registered for \(partner.source), of "
                + partner.callbacks.joined(separator: ", "),
            found: Excerpt.quoted(Redaction.redactTarget(Array(callback.value.utf8))[...]),
            hint: "the partner's callbacks in welltory.partners have to list it")
    }

    /// Finds the parameters in the path of `welltory://branch/Measurement/Start/…`.
    private mutating func openPath() {
        form = .android
        let path = Array(Self.androidPath.utf8)
        let start = url.pathRange.lowerBound
        guard url.host?.lowercased() == "branch", link[url.pathRange].starts(with: path) else {
            findings.add(
                .error, .url, "wrong_path", at: 0,
                expected: "welltory://branch/Measurement/Start/",
                found: Excerpt.quoted(link[..<url.pathRange.upperBound]))
            linkReaction = .nothing("the app does not know this place", isInferred: true)
            return
        }
        let range =
            (start + path.count)..<(url.fragmentRange.map { $0.lowerBound - 1 } ?? link.count)
        envelope = EscapedText(part: .target, bytes: link, range: range, escaping: .query)
        guard let bare = link[range].firstIndex(of: UInt8(ascii: "=")) else { return }
        findings.add(
            .warning, .url, "unescaped_parameters", at: bare,
            expected: "all parameters as one path component", found: "\"=\"",
            hint: "percent-encode the whole text: = is %3D, & is %26, / is %2F")
    }

    /// Finds the parameters in the Play Store's `referrer`, if there is one.
    private mutating func openReferrer() {
        let isStore = url.host?.lowercased() == "play.google.com"
        var outer = LaunchReader(link, as: contract)
        outer.takeParameters()
        if let referrer = outer.entry("referrer"), isStore || outer.entry("source") == nil {
            form = .playStore
            envelope = referrer.text
        } else if isStore {
            findings.add(
                .error, .model, "missing_parameter", expected: "the parameter referrer",
                found: "none", hint: "the Play Store hands it on to the app")
            linkReaction = .nothing("the Play Store passes no link on to the app")
        }
    }

    /// Adds a note for each parameter that only the Android app knows.
    private mutating func noteExtras() {
        var isBehindCallback = false
        for entry in entries {
            if entry.name == "callback" || entry.name == "source" {
                isBehindCallback = entry.name == "callback" && entry.value.contains("?")
                continue
            }
            if isTold(entry, ["source", "callback"]) { continue }
            message.findings.add(
                .info, .url, "extra_parameter", at: entry.offset,
                expected: "source and callback", found: Excerpt.quoted(Array(entry.name.utf8)[...]),
                hint: isBehindCallback
                    ? "if it belongs to the callback, write & as %26"
                    : "the Android app sends it back; iOS may not")
        }
    }
}
