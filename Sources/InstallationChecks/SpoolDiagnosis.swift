// Callbacks that wait for a database while the configuration names none: they were acknowledged
// with 202, and no server stores them. Left out: what a server with a database stores by itself.

import Files
import Settings

/// Looks for a spool that nothing empties.
package struct SpoolDiagnosis {
    /// The folders of the spool that hold callbacks, in order; none if there is a database.
    package let folders: [String]

    /// Looks for a spool.
    package init(_ configuration: Configuration) {
        let spool = configuration.dataFolder + "/spool"
        let numbers = Self.names(in: spool).compactMap { Int($0) }.sorted()
        folders =
            configuration.database == nil
            ? numbers.map { "\(spool)/\($0)" }.filter { Self.holdsRecords($0 + "/results") } : []
    }

    /// A warning for each folder.
    package var diagnoses: [Diagnosis] {
        folders.map { folder in
            Diagnosis.warning(
                "spool", "callbacks in \(folder) wait for a database, and none is configured",
                "Name it in results.store, and a server stores them there; or run "
                    + "\"landfall results import\" on each file of \(folder)/results, then remove "
                    + "\(folder).")
        }
    }

    private static func holdsRecords(_ folder: String) -> Bool {
        names(in: folder).contains { name in
            name.contains(".jsonl") && ((try? FileStatus("\(folder)/\(name)"))?.size ?? 0) > 0
        }
    }

    private static func names(in folder: String) -> [String] {
        (try? Folder.list(folder)) ?? []
    }
}
