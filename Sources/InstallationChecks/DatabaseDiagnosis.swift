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
            let missing = try DatabaseSchema(address, catalog: .all).missing()
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
