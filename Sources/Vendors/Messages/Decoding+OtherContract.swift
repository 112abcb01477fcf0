// Detects a message that came to the wrong receiver: of another contract or vendor. Invariant: adds
// diagnostics and never changes the value.

extension Decoding {
    /// Adds a diagnostic if the message follows another contract than `pinned` or, if it can't be
    /// decoded, resembles a contract of another vendor.
    mutating func compare(with pinned: Contract?, of callback: Callback, from vendor: Vendor) {
        if let pinned, let contract, contract != pinned {
            add(
                "a message of \(pinned.rawValue)", "one of \(contract.rawValue)",
                Self.hint(contract))
        } else if verdict == .undecodable, let other = Vendor(recognizing: callback),
            other != vendor
        {
            add(
                "a callback of \(vendor.rawValue)", "one that looks like \(other.rawValue)'s",
                "send it to a receiver of \(other.rawValue)")
        }
    }

    private mutating func add(_ expected: String, _ found: String, _ hint: String) {
        let isLost = verdict == .undecodable
        var findings = Findings(diagnostics)
        findings.add(
            isLost ? .error : .warning, .model, "other_contract", expected: expected, found: found,
            hint: hint)
        diagnostics = findings.list
        if !isLost { verdict = .decodedWithWarnings }
    }

    /// The features that identify a message of `contract`, for people.
    private static func hint(_ contract: Contract) -> String {
        contract.declaration.features
            ?? "it is \(contract.vendor.rawValue)'s only contract of that kind"
    }
}
