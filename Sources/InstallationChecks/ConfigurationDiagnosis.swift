// The configuration, and what it names that has no check of its own: the page, for example.

import Server
import Settings

/// Checks a configuration that could be read.
package struct ConfigurationDiagnosis {
    /// What was found out, in the order of the report.
    package let diagnoses: [Diagnosis]

    private static let check = "configuration"

    /// Checks what a server reads at its start.
    package init(_ configuration: Configuration) {
        let faults = StartFiles.faults(configuration)
        guard faults.isEmpty else {
            diagnoses = faults.map {
                .problem(
                    Self.check, "\($0)".trimmingSuffix("."),
                    "Correct it; a server doesn't start with it.")
            }
            return
        }
        let found =
            configuration.file.map { "\($0) is valid" }
            ?? "there is no file, so the defaults apply"
        diagnoses = [.ok(Self.check, found)]
    }
}
