// A file as the store needs it: appending, reading at an offset, and syncing.
//
// The only file of this target that lends arrays to system calls. It knows nothing of lines or
// records.

import CLinux
import FoundationEssentials

/// An open file or folder of the machine's file system.
final class File: DiskFile {
    let path: String
    private let descriptor: Int32

    /// Opens a file for reading and appending; creates it if it doesn't exist.
    ///
    /// - Parameters:
    ///   - mode: the permissions of a new file.
    ///   - isFolders: whether a new file gets the owner of its folder, if root creates it.
    convenience init(
        appendingTo path: String, mode: UInt32 = 0o640, isFolders: Bool = true
    ) throws(StoreError) {
        // SAFETY: the C string lives for the call.
        let result = unsafe path.withCString { unsafe clinux_open($0, mode, isFolders ? 1 : 0) }
        try self.init(path, result)
    }

    /// Opens a file for reading, or a folder for syncing; throws for a pipe or device.
    convenience init(reading path: String) throws(StoreError) {
        // SAFETY: the C string lives for the call.
        let result = unsafe path.withCString { unsafe clinux_open_stored($0) }
        try self.init(path, result)
    }

    private init(_ path: String, _ result: Int32) throws(StoreError) {
        self.path = path
        descriptor = result
        if result < 0 { throw Self.error(path, "open", Int(result)) }
    }

    deinit {
        if descriptor >= 0 { _ = clinux_close(descriptor) }
    }

    /// The file's size in bytes.
    func size() throws(StoreError) -> Int64 {
        let result = clinux_file_size(descriptor)
        if result < 0 { throw Self.error(path, "read the size of", Int(result)) }
        return result
    }

    /// Whether the path still leads to this file, and the file has this size; nil for any size.
    func isNamed(withSize size: Int64?) throws(StoreError) -> Bool {
        // SAFETY: the C string lives for the call.
        let result = unsafe path.withCString { unsafe clinux_is_named(descriptor, $0, size ?? -1) }
        if result < 0 { throw Self.error(path, "stat", Int(result)) }
        return result == 1
    }

    /// Appends all of `bytes`.
    ///
    /// On failure, a part of them may have been written.
    func append(_ bytes: [UInt8]) throws(StoreError) {
        // SAFETY: the pointer is used within the closure, for the array's own size.
        let result = unsafe bytes.withUnsafeBytes {
            unsafe clinux_write_all(descriptor, $0.baseAddress, $0.count)
        }
        if result < 0 { throw Self.error(path, "write", Int(result)) }
    }

    /// Reads up to `count` bytes at `offset`; fewer only at the end of the file.
    func read(_ count: Int, at offset: Int64) throws(StoreError) -> [UInt8] {
        var failure = 0
        // SAFETY: only the uninitialised capacity is written, and the bytes written are counted.
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                guard let base = buffer.baseAddress else { return }
                let result = unsafe clinux_read_at(
                    descriptor, base + filled, count - filled, offset + Int64(filled))
                if result <= 0 {
                    failure = result
                    return
                }
                filled += result
            }
        }
        if failure < 0 { throw Self.error(path, "read", failure) }
        return bytes
    }

    /// Truncates the file to `size` bytes.
    func truncate(to size: Int64) throws(StoreError) {
        let result = clinux_truncate(descriptor, size)
        if result < 0 { throw Self.error(path, "truncate", Int(result)) }
    }

    /// Makes written data durable (`fdatasync`).
    ///
    /// Throws `syncFailed`. A second sync may succeed although the data was lost.
    func sync() throws(StoreError) {
        let result = clinux_fdatasync(descriptor)
        if result < 0 {
            throw .syncFailed(path: path, reason: Self.text(Int(result)))
        }
    }

    /// Makes added and removed names of this folder durable.
    func syncFolder() throws(StoreError) {
        let result = clinux_fsync(descriptor)
        if result < 0 {
            throw .syncFailed(path: path, reason: Self.text(Int(result)))
        }
    }

    /// Locks the file until this object is released; returns false if another process holds the
    /// lock.
    func lock() throws(StoreError) -> Bool {
        let result = clinux_lock(descriptor)
        if result == -EWOULDBLOCK { return false }
        if result < 0 { throw Self.error(path, "lock", Int(result)) }
        return true
    }

    /// The type of the file system that holds a path, as statfs(2) lists them; negative if it
    /// can't be known.
    static func fileSystemType(of path: String) -> Int64 {
        // SAFETY: the C string lives for the call.
        unsafe path.withCString { path in unsafe clinux_file_system(path) }
    }

    /// Renames a file, replacing an existing file of the new name.
    static func rename(_ path: String, to newPath: String) throws(StoreError) {
        // SAFETY: the C strings live for the call.
        let result = unsafe path.withCString { old in
            unsafe newPath.withCString { new in unsafe clinux_rename(old, new) }
        }
        if result < 0 { throw error(path, "rename", Int(result)) }
    }

    /// Gives a folder that was just made to the owner of its parent, if root made it and may.
    static func giveFolder(_ path: String) {
        // SAFETY: the C string lives for the call.
        unsafe path.withCString { unsafe clinux_give_folder($0) }
    }

    /// Removes a file, if it exists.
    static func remove(_ path: String) throws(StoreError) {
        // SAFETY: the C string lives for the call.
        let result = unsafe path.withCString { unsafe clinux_unlink($0) }
        if result < 0 { throw error(path, "remove", Int(result)) }
    }

    private static func error(_ path: String, _ operation: String, _ result: Int) -> StoreError {
        switch Int32(truncatingIfNeeded: -result) {
        case ENOSPC, EDQUOT: .full
        case EMFILE, ENFILE: .noDescriptor(path: path)
        default: .file(path: path, operation: operation, reason: text(result))
        }
    }

    /// The failure of a call of Foundation.
    static func error(_ path: String, _ operation: String, _ error: any Error) -> StoreError {
        guard let code = ((error as? CocoaError)?.underlying as? POSIXError)?.code else {
            return .file(path: path, operation: operation, reason: "\(error)")
        }
        return Self.error(path, operation, -Int(code.rawValue))
    }

    private static func text(_ result: Int) -> String {
        // SAFETY: the C function returns a static string.
        unsafe String(cString: clinux_error_text(Int32(truncatingIfNeeded: -result)))
    }
}
