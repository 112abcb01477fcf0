// The status of a file, without opening it (stat(2)). Foundation's file attributes also look up the
// names of the owner and the group, in /etc/passwd and /etc/group.

import CLinux

/// Size, times, owner and permissions of a file or folder, at the end of symbolic links.
package struct FileStatus: Sendable {
    /// Bytes of a file; for a folder, it depends on the file system.
    package let size: Int64
    /// When the content last changed: seconds since 1970, and nanoseconds in that second.
    let modified: (seconds: Int64, nanoseconds: Int64)
    /// When content, name or permissions last changed, which nobody can set.
    let changed: (seconds: Int64, nanoseconds: Int64)
    /// Which file it is.
    let identity: (device: UInt64, inode: UInt64)
    /// The lower 12 bits of the mode, as in chmod(2).
    package let permissions: UInt32
    /// The number of the user whose it is.
    package let owner: UInt32
    /// Whether it is a folder.
    package let isFolder: Bool
    /// Whether it is neither a folder nor a pipe, device or socket.
    let isFile: Bool

    /// Reads the status; nil if nothing has this name.
    ///
    /// Throws if that can't be found out, for example because a parent folder can't be searched,
    /// and for a symbolic link whose target is missing.
    package init?(_ path: String) throws(FileError) {
        var status = clinux_status()
        // SAFETY: the pointers are used during the call only.
        let result = unsafe path.withCString { unsafe clinux_stat($0, &status) }
        guard result >= 0 else {
            let error = FileError(path: path, code: -result)
            guard error.isMissing else { throw error }
            // SAFETY: the pointer is used during the call only.
            let isLink = unsafe path.withCString { unsafe clinux_is_link($0) } > 0
            guard isLink else { return nil }
            throw FileError(path: path, reason: "it is a symbolic link to nothing")
        }
        size = status.size
        modified = (status.modified_seconds, status.modified_nanoseconds)
        changed = (status.changed_seconds, status.changed_nanoseconds)
        identity = (status.device, status.inode)
        permissions = status.permissions
        owner = status.owner
        isFolder = status.is_folder != 0
        isFile = status.is_file != 0
    }
}
