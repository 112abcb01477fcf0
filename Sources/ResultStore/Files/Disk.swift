// What the store asks of a file system, so that tests can put faults and power cuts in its place.
//
// Invariant of every implementation: what `sync` and `syncFolder` returned from survives a power
// cut; everything else may be lost, in part and in any order.

/// A file system.
protocol Disk: Sendable {
    /// Opens a file for reading and appending, and creates it where it is missing.
    func open(_ path: String) throws(StoreError) -> any DiskFile

    /// Opens a file for reading, or a folder for locking it.
    func openReadOnly(_ path: String) throws(StoreError) -> any DiskFile

    /// The names in a folder, in any order.
    func names(in folder: String) throws(StoreError) -> [String]

    /// Gives a file another name; one that has it already is replaced, at once for who looks.
    func rename(_ path: String, to newPath: String) throws(StoreError)

    /// Removes a file; one that isn't there is fine.
    func remove(_ path: String) throws(StoreError)

    /// Makes a folder, and those that it lies in; one that is there already is fine.
    func makeFolder(_ path: String) throws(StoreError)

    /// Returns when names that were added to or removed from a folder are durable.
    ///
    /// Throws `syncFailed`.
    func syncFolder(_ path: String) throws(StoreError)
}

/// An open file, closed when its last reference goes.
protocol DiskFile: AnyObject, Sendable {
    var path: String { get }

    /// Bytes in the file.
    func size() throws(StoreError) -> Int64

    /// Whether the path still leads to this file, and it has so many bytes.
    ///
    /// - Parameter size: nil for any.
    func isNamed(withSize size: Int64?) throws(StoreError) -> Bool

    /// Writes all of `bytes` at the end; on failure a part of them may be there.
    func append(_ bytes: [UInt8]) throws(StoreError)

    /// Reads up to `count` bytes at `offset`; fewer only at the end of the file.
    func read(_ count: Int, at offset: Int64) throws(StoreError) -> [UInt8]

    /// Cuts the file off behind `size` bytes.
    func truncate(to size: Int64) throws(StoreError)

    /// Returns when what was written is durable.
    ///
    /// Throws `syncFailed`; a second try could succeed without the data being there.
    func sync() throws(StoreError)

    /// Takes the file's lock, which ends with this object; false when another process has it.
    func lock() throws(StoreError) -> Bool
}
