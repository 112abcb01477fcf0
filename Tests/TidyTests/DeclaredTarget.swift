// The targets of Package.swift and what the sources import, for the test that compares them.

/// A target that the manifest declares.
struct DeclaredTarget {
    let name: String
    /// The folder of its sources, from the root.
    let folder: String
    /// The modules that it may import besides the system's.
    let dependencies: Set<String>

    /// Reads the arguments of a target; nil without a name.
    fileprivate init?(_ text: Substring) {
        guard let name = text.firstMatch(of: /name: "([^"]+)"/)?.output.1 else { return nil }
        let list = text.firstMatch(
            of: /dependencies: \[(.*?)\],\s*(?:path|swiftSettings):/.dotMatchesNewlines())
        // A product has the name of its module; its package may have another.
        let modules = list?.output.1.replacing(/package: "[^"]+"/, with: "") ?? ""
        self.name = String(name)
        folder =
            text.firstMatch(of: /path: "([^"]+)"/).map { String($0.output.1) }
            ?? (name.hasSuffix("Tests") ? "Tests/" : "Sources/") + name
        dependencies = Set(modules.matches(of: /"([^"]+)"/).map { String($0.output.1) })
    }
}

extension SourceTree {
    /// The targets of the manifest, in its order.
    func targets() throws -> [DeclaredTarget] {
        let manifest = try file("Package.swift").lines.joined(separator: "\n")
        return manifest.split(separator: "arget(").dropFirst().compactMap { DeclaredTarget($0) }
    }
}

extension SourceTree.File {
    /// The modules that the file imports.
    var imports: [String] {
        lines.compactMap { line in
            line.wholeMatch(of: /\s*(?:@\w+ )?import (?:enum )?(\w+)(?:\.\w+)*/)
                .map { String($0.output.1) }
        }
    }
}
