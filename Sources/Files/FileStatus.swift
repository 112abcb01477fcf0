// What the system says of a file without opening it. Foundation's attributes of a file also look up
// the names of its user and group, in files of their own.

import CLinux

/// Size, times and permissions of a file or folder, at the end of symbolic links.
package struct FileStatus: Sendable {
    /// In bytes; what it is for a folder depends on the file system.
    package let size: Int64
    /// When its content was changed: seconds since 1970, and nanoseconds after them.
    package let modified: (seconds: Int64, nanoseconds: Int64)
    /// The lower 12 bits of its mode, as chmod(2) takes them.
    package let permissions: UInt32
    package let isFolder: Bool

    /// Asks the system; nil if there is no file of this name, or a folder above can't be searched.
    package init?(_ path: String) {
        var status = clinux_status()
        // SAFETY: the pointers are used during the call only.
        let result = unsafe path.withCString { unsafe clinux_stat($0, &status) }
        guard result >= 0 else { return nil }
        size = status.size
        modified = (status.modified_seconds, status.modified_nanoseconds)
        permissions = status.permissions
        isFolder = status.is_folder != 0
    }
}
