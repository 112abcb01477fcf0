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

    @Test(arguments: [
        ("connection to server on socket \"/a\" failed: session is read-only", true),
        ("connection to \"db\" failed: FATAL:  sorry, too many clients already", true),
        (
            "FATAL:  remaining connection slots are reserved for non-replication superuser "
                + "connections", true
        ),
        ("FATAL:  too many connections for role \"landfall\"", true),
        ("FATAL:  the database system is starting up", true),
        ("FATAL:  the database system is not yet accepting connections", true),
        ("FATAL:  database \"nix\" does not exist", false),
        ("FATAL:  password authentication failed for user \"landfall\"", false),
        (
            "connection to \"a\" failed: session is read-only\n"
                + "connection to \"b\" failed: FATAL:  password authentication failed", false
        ),
    ])
    func whatPassesByItselfIsAnOutage(message: String, isPassing: Bool) {
        #expect(DatabaseError(kind: .unreachable, message: message).isPassing == isPassing)
    }

    @Test(arguments: [
        "host=db dbname=x secretX", "secretX host=db", "host=db secretX== dbname=x",
        "host=db " + String(repeating: "secretX", count: 60), "host=db secretX\ny dbname=x",
        "postgres://db/x?secretX", "postgres://db/x?secretX==", "dbname=postgres://u:secretX@h/x",
        "postgres://db/x?dbname=postgresql://u:secretX@h/x",
        "host=db dbname='user=u password=secretX'", "postgres://u:%secretX@db/x",
    ])
    func anAddressThatMayHoldAPasswordIsRefusedAndNotRepeated(text: String) throws {
        let fault = try #require(DatabaseAddress.fault(of: text))
        #expect(fault.hasPrefix("an address ") && !fault.contains("secret"))
    }

    @Test(arguments: [
        ("host=db dbname=x secretX", "missing = after …"),
        ("host=db sslmod=require", "invalid connection option …"),
        ("postgres://db/x?colour=red", #"invalid URI query parameter: "colour""#),
    ])
    func whatLibpqFindsWrongWithAnAddressIsNamed(text: String, reason: String) {
        #expect(DatabaseAddress.fault(of: text)?.hasSuffix(reason) == true)
    }

    @Test func missingRoomForLocksSaysWhichSettingToRaise() {
        let error = DatabaseError(kind: .failed, state: "53200", message: "out of shared memory")
        #expect("\(StoreError(error))".contains("raise max_locks_per_transaction on its server"))
    }

    @Test func theAdvisedRoomForLocksIsEnoughForMoreInstancesAndDays() {
        // A year of days with a dozen tables and indexes each.
        var room = LockRoom(locks: 365 * 12, setting: 64, transactions: 100)
        #expect(room.isShort && room.advisedSetting == 1024 * 2)
        room = LockRoom(locks: 30 * 12, setting: 64, transactions: 100)
        #expect(!room.isShort && room.advisedSetting == 128)
    }

    @Test func aFullDiskIsTheDatabasesOwn() {
        let error = DatabaseError(kind: .failed, state: "53100", message: "could not extend file")
        #expect("\(StoreError(error))".contains("its disk is full: make room on its server"))
    }
}
