// The state of reading one launch link: parameters and diagnostics.
//
// Invariant: offsets of diagnostics about the whole link refer to the link; those about parameters
// refer to the text that holds them, and are mapped at the end. Of repeated parameters the first is
// used, for Welltory the last (vendor document 6).

import LinkPatterns

/// The state of reading a link.
struct LaunchReader {
    /// A parsed parameter.
    struct Entry {
        let name: String
        /// The value as text; broken escapes stay unchanged.
        let value: String
        /// The raw text in the link.
        let text: EscapedText
        /// The offset of the whole parameter.
        let offset: Int
        /// Whether every layer of the value is valid.
        let isClean: Bool
    }

    let link: [UInt8]
    let url: LinkURL
    /// The partners that the vendor knows; nil if every one is taken for known.
    let partners: [RegisteredPartner]?
    var contract: Contract?
    var form = Launch.Form.link
    var entries: [Entry] = []
    /// The callbacks that can be read, each with its parameter.
    var callbacks: [(parameter: String, url: CallbackURL)] = []
    var launch: Launch?

    /// The reaction if the link opens no app, whatever the parameters are.
    var linkReaction: Reaction?

    /// Diagnostics about scheme, host, path and fragment.
    var findings = Findings()

    /// The parameters, and diagnostics about them.
    var message = Message(Callback(target: []))

    /// The text in the link that holds all parameters, if they are escaped together.
    var envelope: EscapedText?

    /// Parameters in the path, which precede those in the query.
    var pathParameters: [Launch.Parameter] = []

    /// The parameters for display.
    var parameters: [Launch.Parameter] {
        pathParameters
            + entries.map { Launch.Parameter($0.name, $0.value) }.filter { parameter in
                !pathParameters.contains { $0.name == parameter.name }
            }
    }

    init(_ link: [UInt8], as contract: Contract?, partners: [RegisteredPartner]? = nil) {
        self.link = link
        self.partners = partners
        self.contract = contract
        url = LinkURL(utf8: link)
    }

    /// The main callback, or the first for another end.
    var callback: CallbackURL? { callbacks.first?.url }

    /// All diagnostics in order, with offsets in the link.
    var diagnostics: [Diagnostic] {
        var all = findings
        all.adopt(message.findings, in: .target, placing: place)
        return all.list
    }

    /// The offset in the link of byte `offset` of the parameters' text.
    private func place(_ offset: Int) -> Int {
        // The text begins with a question mark that was added.
        envelope?.sourceOffset(ofUnescaped: max(0, offset - 1)) ?? offset
    }

    /// Reads the link and returns the reaction of the vendor's app.
    mutating func read() -> Reaction {
        if contract == nil, let reaction = recognize() { return reaction }
        noteFragment()
        let reaction = contract?.declaration.launch?.read(&self) ?? addUnknownLink()
        return linkReaction ?? reaction
    }

    /// Whether there is an error so far.
    var hasError: Bool {
        (findings.list + message.findings.list).contains { $0.severity == .error }
    }

    /// Takes the parameters of the query or of `envelope`, with diagnostics for each text.
    mutating func takeParameters(_ preference: Message.Preference = .first) {
        if let envelope {
            message = Message(
                Callback(target: [UInt8(ascii: "?")] + envelope.unescaped().bytes))
        } else {
            message = Message(Callback(target: link))
        }
        message.resolveDuplicates(keeping: preference)
        let parameters = message.parameters
        let known = contract?.declaration.launch.map { $0.known + $0.relatedNames } ?? []
        entries += parameters.map { entry(of: $0, known) }
    }

    /// Reads a parameter, with diagnostics for its text.
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
            // An unknown parameter doesn't invalidate a launch.
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

    /// The parameter `name` unless it is empty; empty means absent (vendor document 3.1).
    func entry(_ name: String) -> Entry? {
        entries.first { $0.name == name && !$0.value.isEmpty }
    }

    /// Makes the launch from the parameters.
    mutating func makeLaunch(_ parameters: [Launch.Parameter]) {
        guard let contract, !hasError else { return }
        launch = try? Launch(contract, parameters, form: form)
    }
}
