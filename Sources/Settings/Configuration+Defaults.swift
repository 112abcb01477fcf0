// Where things are that no one has named: the configuration file, the data, the page, the sites.
//
// Invariant: folders are beside the configuration file, or in the current folder without one, so
// that the program runs anywhere. The page comes with the program. Left out: the defaults of single
// values, which are those of `Configuration`'s properties.

import FoundationEssentials

extension Configuration {
    /// The configuration files that are looked for in the current folder, in this order.
    static let usualFiles = [newFile, "Config/landfall.yaml"]

    /// The first of them, which `landfall config init` writes.
    package static let newFile = "landfall.yaml"

    /// The names of the folders beside the configuration file.
    static let dataName = "landfall-data"
    static let sitesName = "sites"
    static let fixturesName = "rezolve"
    static let certificatesName = "tls"

    /// The first usual file that exists.
    package static var usualFile: String? {
        usualFiles.first { FileManager.default.fileExists(atPath: $0) }
    }

    /// Moves the folders that no one has named to the configuration file's folder.
    mutating func setFolders(beside file: String) {
        dataFolder = Self.resolve(Self.dataName, file)
        sitesFolder = Self.resolve(Self.sitesName, file)
        rezolve.fixturesFolder = Self.resolve(Self.fixturesName, file)
    }

    /// The folder of the certificates, also where TLS is not configured.
    package var certificatesFolder: String {
        tls?.folder ?? Self.resolve(Self.certificatesName, file ?? "")
    }

    /// Whether the folder of the sites may be missing: nobody has named it.
    package var sitesMayBeMissing: Bool { origins["sites.folder"] == nil }

    /// The page that was installed with the program, or that of the checkout in which it was built;
    /// nil if there is none.
    static let installedPage: String? = page(
        near: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "")

    /// The page's folder for a program: `share/landfall/public` or `public` beside or above it.
    package static func page(near program: String) -> String? {
        var folder = program[...]
        while let slash = folder.lastIndex(of: "/") {
            folder = folder[..<slash]
            for place in ["/share/landfall/public", "/public"] {
                let found = folder + place
                // A folder of this name alone could be anything.
                if ["index.html", "openapi.json"].allSatisfy({
                    FileManager.default.fileExists(atPath: "\(found)/\($0)")
                }) {
                    return String(found)
                }
            }
        }
        return nil
    }
}
