// The reading of one launch link as it goes on: what was found, and what was wrong.
//
// Invariant: findings about the link as a whole count in the link; those about parameters count in
// the text that holds them, and are put in their place at the end. The first of several parameters
// with one name counts, the last for Welltory (vendor document 6).

import AppLinks

/// What is known of a link so far.
struct LaunchReader {
    /// A parameter, read.
    struct Entry {
        let name: String
        /// The value as text; broken escapes stand as they are.
        let value: String
        /// Where it stands, as it was sent.
        let text: EscapedText
        /// Where the whole parameter starts.
        let offset: Int
        /// Whether every layer of the value is intact.
        let isClean: Bool
    }

    let link: [UInt8]
    let url: LinkURL
    var contract: Contract?
    var form = Launch.Form.link
    var entries: [Entry] = []
    var callback: CallbackURL?
    var launch: Launch?

    /// What happens whatever the parameters are, when the link opens no app.
    var linkReaction: Reaction?

    /// Findings about scheme, host, path and fragment.
    var findings = Findings()

    /// The parameters, and findings about them.
    var message = Message(Callback(target: []))

    /// The text in the link that holds the parameters, when they are escaped as one.
    var envelope: EscapedText?

    /// What was parsed out of the path, before the query's parameters.
    var pathParameters: [Launch.Parameter] = []

    /// The parameters as they are shown.
    var parameters: [Launch.Parameter] {
        pathParameters
            + entries.map { Launch.Parameter($0.name, $0.value) }.filter { parameter in
                !pathParameters.contains { $0.name == parameter.name }
            }
    }

    init(_ link: [UInt8], as contract: Contract?) {
        self.link = link
        self.contract = contract
        url = LinkURL(utf8: link)
    }

    /// The findings in their final order, with places that count in the link.
    var diagnostics: [Diagnostic] {
        var all = findings
        all.adopt(message.findings, in: .target, placing: place)
        return all.list
    }

    /// Where in the link the byte `offset` of the parameters' text stands.
    private func place(_ offset: Int) -> Int {
        // The text begins with the question mark that was put before it.
        envelope?.sourceOffset(ofUnescaped: max(0, offset - 1)) ?? offset
    }

    /// Reads the link and says what the vendor's app does.
    mutating func read() -> Reaction {
        if contract == nil, let reaction = recognize() { return reaction }
        noteFragment()
        let reaction =
            switch contract {
            case .dimmy2024: readDimmy()
            case .flux: readFlux()
            case .welltoryDDS: readWelltory()
            case .ailetDeeplink: readAilet()
            case .rezolveTrigger: readRezolve()
            case .fluxWebhook, .rezolveAct, nil: addUnknownLink()
            }
        return linkReaction ?? reaction
    }

    /// Whether anything so far is an error.
    var hasError: Bool {
        (findings.list + message.findings.list).contains { $0.severity == .error }
    }

    /// Takes the query's parameters, or those of `envelope`, and says what is wrong with each text.
    mutating func takeParameters(_ preference: Message.Preference = .first) {
        if let envelope {
            message = Message(
                Callback(target: [UInt8(ascii: "?")] + envelope.unescaped().bytes))
        } else {
            message = Message(Callback(target: link))
        }
        message.resolveDuplicates(keeping: preference)
        let parameters = message.parameters
        // The Play Store's referrer holds Welltory's own.
        let known = contract.map { LaunchRules.known($0, method: nil) + ["referrer"] } ?? []
        entries += parameters.map { entry(of: $0, known) }
    }

    /// Reads a parameter, and says what is wrong with its text.
    ///
    /// - Parameter known: the names of the contract.
    private mutating func entry(of parameter: Parameter, _ known: [String]) -> Entry {
        let name = String(decoding: message.name(of: parameter), as: UTF8.self)
        let text = message.value(of: parameter)
        var findings = Findings()
        let clean = CleanText(text, findings: &findings)
        if Redaction.isCredential(Array(name.utf8)[...]) {
            if clean == nil { addBrokenSecret(name, at: parameter.offset) }
        } else {
            // A value that the vendor doesn't ask for breaks no launch.
            let isKnown = known.contains(name)
            for finding in findings.list {
                message.findings.add(
                    isKnown ? finding.severity : .warning, finding.layer, finding.code,
                    at: finding.offset, expected: finding.expected, found: finding.found,
                    hint: finding.hint)
            }
        }
        var ignored = Findings()
        let value = clean?.bytes ?? Repaired(text, findings: &ignored).bytes
        return Entry(
            name: name, value: String(decoding: value, as: UTF8.self), text: text,
            offset: parameter.offset, isClean: clean != nil)
    }

    /// Adds a warning when the link has a fragment.
    private mutating func noteFragment() {
        guard let fragment = url.fragmentRange else { return }
        findings.add(
            .warning, .url, "fragment", at: fragment.lowerBound - 1,
            expected: "no # in the link", found: Excerpt.quoted(link[fragment]),
            hint: "what follows # belongs to no parameter; send %23")
    }

    /// Adds: a credential can't be read; its text is not shown.
    private mutating func addBrokenSecret(_ name: String, at offset: Int) {
        message.findings.add(
            .error, .percent, "broken_percent_encoding", at: offset,
            expected: "\(name): percent-encoded UTF-8",
            found: "something else", hint: "write a percent sign as %25")
    }

    /// The parameter called `name` that is not empty; an empty one is absent (vendor document 3.1).
    func entry(_ name: String) -> Entry? {
        entries.first { $0.name == name && !$0.value.isEmpty }
    }

    /// Makes the launch from what was read, by `names` or all of it.
    mutating func makeLaunch(_ parameters: [Launch.Parameter]) {
        guard let contract, !hasError else { return }
        launch = try? Launch(contract, parameters, form: form)
    }
}
