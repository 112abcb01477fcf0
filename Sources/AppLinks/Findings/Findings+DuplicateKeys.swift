// Names that an object has twice. JSON doesn't say which one counts (RFC 8259 §4), and readers
// differ.

import JSON

extension Findings {
    /// Adds a finding for every member whose name an earlier one of its object has, up to
    /// `Limits.findings` in all.
    mutating func addDuplicateKeys(of document: JSONDocument) {
        for repeated in document.repeatedNames.prefix(max(0, Limits.findings - all.count)) {
            let name = repeated.repetition.name
            add(
                .duplicateKey, .warning, name.pointer, at: name,
                "\((name.string ?? "").quoted) stands twice in one object, and readers differ in "
                    + "which one they take; keep one.")
        }
    }
}
