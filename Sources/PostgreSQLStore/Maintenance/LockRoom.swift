// Whether the database has room for the locks of queries. A query locks the table of each day
// that it may need, with all of its indexes, and PostgreSQL keeps locks in memory of a fixed size.

import ResultStore

/// The room for locks, and what is needed of it.
package struct LockRoom: Sendable, Equatable {
    /// Locks of a query about all days.
    package let locks: Int
    /// The setting `max_locks_per_transaction`.
    package let setting: Int
    /// How many transactions the room is shared out to.
    let transactions: Int

    init(locks: Int, setting: Int, transactions: Int) {
        self.locks = locks
        self.setting = setting
        self.transactions = transactions
    }

    /// Its row is that of `init`.
    static let statement = Statement(
        sql: """
            SELECT count(*), current_setting('max_locks_per_transaction')::bigint,
                current_setting('max_connections')::bigint
                    + current_setting('max_prepared_transactions')::bigint
            FROM pg_inherits JOIN pg_class ON pg_class.oid = inhparent
            WHERE relnamespace = current_schema()::regnamespace
            """)

    init(_ reply: Reply) {
        let row = reply.first
        self.init(
            locks: row?.int(0) ?? 0, setting: row?.int(1) ?? 0, transactions: row?.int(2) ?? 0)
    }

    /// Whether one instance alone may need more than there is.
    package var isShort: Bool { !isEnough(setting, for: 1) }

    /// A setting that is enough for several instances, and for twice as many days.
    package var advisedSetting: Int {
        var advised = 64
        while !isEnough(advised, for: 2 * Limits.advisedInstances), advised < 1 << 20 {
            advised *= 2
        }
        return advised
    }

    /// A lock may have several holders; there is room for twice as many holders as locks.
    private func isEnough(_ setting: Int, for instances: Int) -> Bool {
        instances * locks * Limits.queriesAtOnce <= 2 * setting * transactions
    }
}
