// The file system operations that the store needs. Tests replace them to inject faults and power
// cuts.
//
// Invariant of every implementation: what `sync` and `syncFolder` returned from survives a power
// cut. Everything else may be lost, in part and in any order.

/// A file system.
protocol Disk: Sendable {
    /// Opens a file for reading and appending; creates it if it doesn't exist.
    func open(_ path: String) throws(StoreError) -> any DiskFile

    /// Opens a file for reading, or a folder for locking it.
    func openReadOnly(_ path: String) throws(StoreError) -> any DiskFile

    /// The names in a folder, in no particular order.
    func names(in folder: String) throws(StoreError) -> [String]

    /// Renames a file, atomically replacing an existing file of the new name.
    func rename(_ path: String, to newPath: String) throws(StoreError)

    /// Removes a file, if it exists.
    func remove(_ path: String) throws(StoreError)

    /// Creates a folder and its missing parents, if it doesn't exist.
    func makeFolder(_ path: String) throws(StoreError)

    /// Makes added and removed names of a folder durable.
    ///
    /// Throws `syncFailed`.
    func syncFolder(_ path: String) throws(StoreError)
}

/// An open file, closed when its last reference is released.
protocol DiskFile: AnyObject, Sendable {
    var path: String { get }

    /// The file's size in bytes.
    func size() throws(StoreError) -> Int64

    /// Whether the path still leads to this file, and the file has this size.
    ///
    /// - Parameter size: bytes; nil for any.
    func isNamed(withSize size: Int64?) throws(StoreError) -> Bool

    /// Appends all of `bytes`; on failure, a part of them may have been written.
    func append(_ bytes: [UInt8]) throws(StoreError)

    /// Reads up to `count` bytes at `offset`; fewer only at the end of the file.
    func read(_ count: Int, at offset: Int64) throws(StoreError) -> [UInt8]

    /// Truncates the file to `size` bytes.
    func truncate(to size: Int64) throws(StoreError)

    /// Makes written data durable.
    ///
    /// Throws `syncFailed`. A second sync may succeed although the data was lost.
    func sync() throws(StoreError)

    /// Locks the file until this object is released; returns false if another process holds the
    /// lock.
    func lock() throws(StoreError) -> Bool
}
