// All errors of the store.

/// An error of the store.
package enum StoreError: Error, Sendable, Equatable {
    /// Another process has locked the folder; `process` is its id if the lock file contains it,
    /// and `addresses` are the URLs of a server that listens.
    case locked(folder: String, process: String, addresses: [String])

    /// The disk or the quota is full; the record was not stored.
    ///
    /// The condition can pass without a restart.
    case full

    /// A file could not be opened, read or written; the record was not stored.
    case file(path: String, operation: String, reason: String)

    /// The process, or the machine, can open no more files; the record was not stored.
    ///
    /// Where `file` is thrown for a file that is opened, this may be too. The condition can pass
    /// without a restart.
    case noDescriptor(path: String)

    /// `fdatasync` failed: the content of the disk is unknown, so nothing more is accepted.
    ///
    /// The process should end; opening the store again shows what was stored.
    case syncFailed(path: String, reason: String)

    /// A stored line's checksum is wrong; `offset` is the line's first byte.
    case damaged(segment: String, offset: Int64)

    /// A record of a database can't be read: its row is damaged, or a newer program has written it.
    case unreadableRow(sequence: Int)

    /// The index failed.
    ///
    /// If it is damaged, it is rebuilt.
    case index(reason: String)

    /// The index is being rebuilt from the segments; `done` of `of` bytes have been read.
    ///
    /// The condition passes without a restart.
    case rebuilding(done: Int64, of: Int64)

    /// The database can't be reached, or failed; what was to be stored was not acknowledged.
    ///
    /// The condition can pass without a restart.
    case database(reason: String)

    /// Another program has stored a record with the same idempotency key; see
    /// `KeyClaim`. The record was not stored.
    case keyTaken

    /// A record should keep its number, and the store has that number or a higher one; nothing was
    /// stored.
    case numberTaken(Int)

    /// A record's line couldn't be read back: it has a line break, or its id another time than its
    /// own; the record was not stored.
    case unreadable

    /// An erasure failed after it had erased some records, which stay erased.
    indirect case partlyErased(Int, StoreError)

    /// The record that was to be replaced has been erased; nothing was stored.
    case erased

    /// The task that asked was cancelled.
    case cancelled

    /// The store is closed.
    case closed
}

extension StoreError: CustomStringConvertible {
    /// The error as one English sentence, without a full stop.
    package var description: String {
        switch self {
        case .locked(let folder, let process, _):
            "the data folder \(folder) is in use by "
                + (process.isEmpty ? "another process" : "process \(process)")
        case .full: "the disk is full"
        case .file(let path, let operation, let reason): "can't \(operation) \(path): \(reason)"
        case .noDescriptor(let path): "can't open \(path): too many files are open"
        case .syncFailed(let path, let reason): "can't make \(path) durable: \(reason)"
        case .damaged(let segment, let offset):
            "the record at byte \(offset) of \(segment) is damaged"
        case .unreadableRow(let sequence):
            "the record with seq \(sequence) can't be read: it is damaged, or a newer program's"
        case .index(let reason): "the index failed: \(reason)"
        case .rebuilding(let done, let total):
            "the index is being rebuilt: \(done) of \(total) bytes are read"
        case .database(let reason): "the database failed: \(reason)"
        case .numberTaken(let number): "there are records with seq \(number) or more already"
        case .keyTaken: "a record with this idempotency key was stored at the same time"
        case .unreadable: "the record's line could not be read back"
        case .partlyErased(let count, let error): "\(error), after \(count) records were erased"
        case .erased: "the record has been erased"
        case .cancelled: "the query was cancelled"
        case .closed: "the store is closed"
        }
    }
}

extension StoreError {
    /// Whether the process that has locked the folder names no server: it is a command, or a server
    /// that starts or stops.
    package var isLockedByNoServer: Bool {
        guard case .locked(_, _, let addresses) = self else { return false }
        return addresses.isEmpty
    }

    /// Whether a file can't be written now, and perhaps later.
    var isPassing: Bool {
        switch self {
        case .full, .file, .noDescriptor, .locked: true
        default: false
        }
    }
}
