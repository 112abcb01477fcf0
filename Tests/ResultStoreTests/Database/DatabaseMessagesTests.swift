// What people read when a database can't be used: libpq's words, and what to do.

import Testing

@testable import PostgreSQLStore
@testable import ResultStore

@Suite struct DatabaseMessagesTests {
    @Test(arguments: [
        (
            "connection to server at \"db\" (10.0.0.1), port 5432 failed: FATAL:  password "
                + "authentication failed for user \"landfall\"\n", "PGPASSFILE"
        ),
        ("connection to server at \"db\" failed: fe_sendauth: no password supplied", "PGPASSFILE"),
        ("connection to server at \"db\" failed: session is read-only", "name the primary"),
        (
            "server certificate for \"db\" does not match host name \"x\"",
            "use a name that the server's certificate has"
        ),
        ("SSL error: certificate verify failed", "PGSSLROOTCERT"),
        ("FATAL:  database \"nix\" does not exist", "create it"),
        ("connection to server failed: Connection refused\n\tIs the server running?", "start the"),
    ])
    func aConnectionThatFailsSaysWhatToDo(message: String, advice: String) {
        let error = StoreError(DatabaseError(kind: .unreachable, message: message))
        #expect("\(error)".contains(advice))
        #expect(!"\(error)".contains("\n"))
    }
    @Test func aFullDiskIsTheDatabasesOwn() {
        let error = DatabaseError(kind: .failed, state: "53100", message: "could not extend file")
        #expect("\(StoreError(error))".contains("its disk is full: make room on its server"))
    }
}
