// A new configuration file: every setting with its meaning and default, commented out.
//
// Invariant: with its comment signs removed it loads, and changes no setting that has a default.

/// The text of a new configuration file.
package enum ConfigurationTemplate {
    /// All settings; those of `given` are in force, the others are comments.
    package static func text(given: Set<String> = ["listen.host", "listen.port", "data"]) -> String
    {
        let defaults = Configuration()
        var lines = [
            "# Landfall's configuration. Every key is optional; unknown keys are errors. Paths are",
            "# relative to this file. LANDFALL_… variables win over it, and flags over them;",
            "# \"landfall config show\" lists what is in force. A commented key shows its default, or an",
            "# example.",
        ]
        var open: [Substring] = []
        for setting in Configuration.settings where setting.isInFile {
            let parts = setting.key.split(separator: ".")
            let sign = given.contains(setting.key) ? "" : "# "
            if parts.first != open.first || parts.count == 1 { lines.append("") }
            for depth in parts.indices.dropLast()
            where Array(parts[...depth]) != Array(open.prefix(depth + 1)) {
                let isGiven = given.contains {
                    $0.hasPrefix(parts[...depth].joined(separator: "."))
                }
                lines.append((isGiven ? "" : "# ") + indent(depth) + "\(parts[depth]):")
            }
            open = Array(parts.dropLast())
            let depth = parts.count - 1
            let value = setting.value(defaults).map(\.yaml)
            lines.append(sign + indent(depth) + "# " + setting.meaning)
            lines.append(
                sign + indent(depth) + "\(parts[depth]): \(setting.example ?? value ?? "null")")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func indent(_ depth: Int) -> String { String(repeating: "  ", count: depth) }
}
