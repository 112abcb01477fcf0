// The database: whether it can be used, and whether its tables are those of this program.

import PostgreSQLStore
import ResultAPI
import ResultStore
import Text

/// Checks a database.
package struct DatabaseDiagnosis {
    package let diagnoses: [Diagnosis]

    /// Checks a database, and changes nothing.
    ///
    /// Blocks.
    package init(_ address: DatabaseAddress) {
        do throws(StoreError) {
            let schema = DatabaseSchema(address, catalog: .all)
            let missing = try schema.missing()
            if missing.isEmpty, let room = try schema.shortLockRoom() {
                diagnoses = [
                    .warning(
                        "database", "queries may find no room for their \(room.locks) locks",
                        "Set max_locks_per_transaction on its server to "
                            + "\(room.advisedSetting) (now \(room.setting)), and restart it.")
                ]
                return
            }
            if missing.isEmpty {
                diagnoses = [.ok("database", "it can be used, and its tables are complete")]
                return
            }
            diagnoses = [
                .warning(
                    "database", "its tables lack \(missing.count.counted("change"))",
                    "A server makes the tables of an empty database itself; for others, run "
                        + "\"landfall store migrate\".")
            ]
        } catch {
            diagnoses = [
                .problem(
                    "database", "\(error)".trimmingSuffix("."),
                    "Correct results.store, or the database; PGPASSFILE or PGPASSWORD has the "
                        + "password.")
            ]
        }
    }
}
