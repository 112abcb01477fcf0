// Checks the names of a link's parameters: missing, misspelled, unknown.

import Text

extension LaunchReader {
    /// The parameter `name`; if it is absent, adds an error that names what was found instead.
    mutating func require(_ name: String, hint: String? = nil) -> Entry? {
        if let entry = entry(name) { return entry }
        if let empty = entries.first(where: { $0.name == name }) {
            message.findings.add(
                .error, .model, "missing_parameter", at: empty.offset,
                expected: "a value of \(name)", found: "nothing", hint: hint)
        } else if let other = misspelling(of: name) {
            let isCase = other.name.lowercased() == name.lowercased()
            message.findings.add(
                .error, .model, isCase ? "wrong_letter_case" : "missing_parameter",
                at: other.offset, expected: "the parameter \(name)",
                found: Excerpt.quoted(Array(other.name.utf8)[...]),
                hint: isCase ? "names are compared letter by letter" : "did you mean \(name)?")
        } else {
            message.findings.add(
                .error, .model, "missing_parameter", expected: "the parameter \(name)",
                found: "none", hint: hint)
        }
        return nil
    }

    /// Adds a note for each parameter that the contract doesn't have.
    ///
    /// - Parameters:
    ///   - known: the names of the contract.
    ///   - required: those whose misspellings were already reported.
    ///   - callback: the parameter after whose value an unescaped `&` may have cut the link.
    mutating func noteUnknown(
        known: [String], required: [String], callback: String? = nil
    ) {
        var isBehindCallback = false
        for entry in entries {
            if known.contains(entry.name) {
                isBehindCallback =
                    isBehindCallback || (entry.name == callback && entry.value.contains("?"))
                continue
            }
            if isTold(entry, required) { continue }
            let meant = Spelling.nearest(to: entry.name, among: known)
            let isCase = meant?.lowercased() == entry.name.lowercased()
            let hint =
                meant.map { "did you mean \($0)?" }
                ?? (isBehindCallback ? "write & in the callback as %26" : nil)
            message.findings.add(
                meant == nil ? .info : .warning, .url,
                isCase ? "wrong_letter_case" : "unknown_parameter", at: entry.offset,
                expected: meant.map { "the parameter \($0)" } ?? "a parameter of the contract",
                found: Excerpt.quoted(Array(entry.name.utf8)[...]), hint: hint)
        }
    }

    /// Whether a misspelling was already reported with a missing parameter.
    func isTold(_ entry: Entry, _ required: [String]) -> Bool {
        required.contains { name in
            self.entry(name) == nil && misspelling(of: name)?.offset == entry.offset
        }
    }

    /// A parameter that is probably a misspelled `name`.
    private func misspelling(of name: String) -> Entry? {
        entries.first { $0.name.lowercased() == name.lowercased() && $0.name != name }
            ?? entries.first { entry in
                !LaunchContract.allNames.contains(entry.name)
                    && Spelling.nearest(to: entry.name, among: [name]) != nil
            }
    }
}

extension LaunchContract {
    /// Every name of any contract: none of them is a misspelling of another.
    static let allNames = Set(
        Contract.launchable.compactMap(\.declaration.launch).flatMap { $0.known + $0.relatedNames })
}
