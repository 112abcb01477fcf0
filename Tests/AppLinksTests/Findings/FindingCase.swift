// A file that has a finding, and one that is written as the finding asks and has it no longer.

import AppLinks

/// One finding, with a file for and a file against it.
struct FindingCase: Sendable, CustomStringConvertible {
    let code: FindingCode
    let severity: Finding.Severity
    let pointer: String
    let line: Int
    let bad: String
    let good: String

    init(
        _ code: FindingCode, _ severity: Finding.Severity, _ pointer: String, _ line: Int,
        _ bad: String, good: String
    ) {
        self.code = code
        self.severity = severity
        self.pointer = pointer
        self.line = line
        self.bad = bad
        self.good = good
    }

    var description: String { "\(code.rawValue) at \(pointer)" }

    /// A rule, on line 3, which ends a file with one entry.
    static func rule(
        _ code: FindingCode, _ severity: Finding.Severity, _ pointer: String, _ bad: String,
        good: String
    ) -> FindingCase {
        let place = pointer.isEmpty ? "" : "/applinks/details/0/components/0\(pointer)"
        return FindingCase(code, severity, place, 3, components(bad), good: components(good))
    }

    /// A file with components on line 3.
    static func components(_ components: String, links: String = "") -> String {
        """
        {"applinks":{\(links)"details":[
        {"appIDs":["K7Q2M9X4ZA.org.wharf.shop"],"components":[
        \(components)]}]}}
        """
    }

    /// A file with an entry on line 2.
    static func entry(_ members: String, links: String = "") -> String {
        """
        {"applinks":{\(links)"details":[
        {\(members)}]}}
        """
    }

    /// A file with paths on line 3.
    static func paths(_ paths: String) -> String {
        """
        {"applinks":{"details":[
        {"appIDs":["K7Q2M9X4ZA.org.wharf.shop"],"paths":[
        \(paths)]}]}}
        """
    }
}
