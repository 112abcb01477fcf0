// The table `head`: the number of the last record or erasure, in its only row.
//
// Invariant: what takes or reads the number fails if the row is gone, as after TRUNCATE or a
// restore without it, and with it the transaction. Otherwise records would be left out without an
// error.

/// Statements about the row of `head`; each returns the number of the last record or erasure.
enum Head {
    /// Reads the number.
    static let newest = Statement(sql: "SELECT \(number(in: "head"))", isKept: true)

    /// Takes numbers; nobody else writes until the transaction ends.
    static func takeNumbers(_ count: Int) -> Statement {
        update(to: "seq + $1", [.integer(count)])
    }

    /// Takes the numbers that records of another store have; fails if one is taken.
    static func takeNumbers(from first: Int, to last: Int) -> Statement {
        update(to: "$2 / (seq < $1)::integer", [.integer(first), .integer(last)])
    }

    /// Waits until everything that was committed before is as durable as its own commit.
    static let confirmation = takeNumbers(0)

    private static func update(to value: String, _ parameters: [Parameter]) -> Statement {
        Statement(
            sql: """
                WITH taken AS (UPDATE head SET seq = \(value) RETURNING seq)
                SELECT \(number(in: "taken"))
                """, parameters: parameters, isKept: true)
    }

    /// The number in a table, as SQL.
    ///
    /// Without a row it asks for a setting that doesn't exist: plain SQL has no other failure whose
    /// SQLSTATE means nothing else here.
    private static func number(in table: String) -> String {
        "coalesce((SELECT seq FROM \(table)), current_setting('\(failure)')::bigint)"
    }

    /// In the message of the failure, in every language.
    private static let failure = "landfall.head_has_no_row"

    /// What people read about the missing row.
    static let loss =
        "its table head has lost its row: insert one with the highest seq of results and erasures "
        + "(see \"When the database fails\" in Documentation/SeveralMachines.md)"

    /// Whether a statement failed because the row is gone.
    static func isLost(_ error: DatabaseError) -> Bool {
        error.state == "42704" && error.message.contains(failure)
    }
}
