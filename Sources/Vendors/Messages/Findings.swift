// Collects the diagnostics of one decoding.
//
// Invariant: never more than `Limits.maximumDiagnostics`. If there are more, the last one reports
// it, with the worst severity of those left out. No diagnostic repeats a credential.

/// A bounded list of diagnostics.
struct Findings {
    private(set) var list: [Diagnostic] = []

    /// The part that a diagnostic without an offset is about, such as one for what is missing.
    var usualPart: Diagnostic.Part = .target

    /// Continues with the diagnostics of a decoding.
    init(_ list: [Diagnostic] = []) { self.list = list }

    /// Whether further diagnostics are left out, so that nobody needs to search for their places.
    var isFull: Bool { list.count >= Limits.maximumDiagnostics - 1 }

    /// Adds a diagnostic; if there are too many, notes that one was left out.
    ///
    /// - Parameter part: nil for the target if there is an offset, else for the usual part.
    mutating func add(
        _ severity: Diagnostic.Severity, _ layer: Diagnostic.Layer, _ code: String,
        in part: Diagnostic.Part? = nil, at offset: Int? = nil, pointer: String? = nil,
        expected: String, found: String, hint: String? = nil
    ) {
        if isFull { return leaveOut(severity) }
        list.append(
            Diagnostic(
                severity: severity, layer: layer, code: code,
                part: part ?? (offset == nil ? usualPart : .target), offset: offset,
                pointer: pointer.map(SafePointer.redacted), expected: expected,
                found: Self.withoutCredentials(found), hint: hint.map(Self.withoutCredentials)))
    }

    /// An excerpt may begin anywhere, but a name precedes its value, so that truncation leaves no
    /// value without its name.
    private static func withoutCredentials(_ text: String) -> String {
        let bytes = Array(text.utf8)
        // Redaction splits a path at the slashes before a host.
        if text.contains("@"), let mark = text.firstIndex(of: "\"") {
            let rest = Array("//".utf8) + text[mark...].dropFirst().utf8
            let redacted = Redaction.redactBody(rest)
            if redacted != rest {
                return String(text[...mark])
                    + String(decoding: redacted.dropFirst(2), as: UTF8.self)
            }
        }
        let redacted = Redaction.redactBody(bytes)
        return redacted == bytes ? text : String(decoding: redacted, as: UTF8.self)
    }

    /// Adds diagnostics about a text inside a part of this message.
    ///
    /// - Parameter place: maps an offset in that text to one in the part.
    mutating func adopt(
        _ others: Findings, in part: Diagnostic.Part, placing place: (_ offset: Int) -> Int
    ) {
        for finding in others.list {
            add(
                finding.severity, finding.layer, finding.code, in: part,
                at: finding.offset.map(place), pointer: finding.pointer,
                expected: finding.expected, found: finding.found, hint: finding.hint)
        }
    }

    /// Notes that a diagnostic of this severity was left out.
    mutating func leaveOut(_ severity: Diagnostic.Severity) {
        let note = list.last.flatMap { $0.code == "too_many_diagnostics" ? $0.severity : nil }
        let severities = [severity, note ?? .info]
        let worst: Diagnostic.Severity =
            [.error, .warning].first(where: severities.contains) ?? .info
        if note == worst { return }
        if note != nil { list.removeLast() }
        list.append(
            Diagnostic(
                severity: worst, layer: .model, code: "too_many_diagnostics", part: .target,
                expected: "at most \(Limits.maximumDiagnostics) diagnostics", found: "more"))
    }
}
