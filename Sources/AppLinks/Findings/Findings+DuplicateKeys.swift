// Finds duplicate names in objects. JSON doesn't define which one applies (RFC 8259 §4), and
// readers differ.

import JSON

extension Findings {
    /// Adds a finding for every member whose name an earlier member of its object has, up to
    /// `Limits.findings` in total.
    mutating func addDuplicateKeys(of document: JSONDocument) {
        for repeated in document.repeatedNames.prefix(max(0, Limits.findings - all.count)) {
            let name = repeated.repetition.name
            add(
                .duplicateKey, .warning, name.pointer, at: name,
                "\((name.string ?? "").quoted) is repeated in one object, and readers differ in "
                    + "which one they use; keep one.")
        }
    }
}
