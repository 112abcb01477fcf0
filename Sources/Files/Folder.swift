// Reads whole files and folders, with errors that name them.

import CLinux
import Clocks
import FoundationEssentials

/// A file or folder that is missing or can't be read.
package struct FileError: Error, Equatable, CustomStringConvertible {
    package let path: String
    package let reason: String

    /// One sentence.
    package var description: String { "\(path) can't be read: \(reason)." }
}

extension FileError {
    /// Whether this user has no permission to read it.
    package var isForbidden: Bool { reason == Self.reason(POSIXError.Code.EACCES.rawValue) }

    /// Whether nothing has this name.
    var isMissing: Bool { reason == Self.reason(POSIXError.Code.ENOENT.rawValue) }

    /// The failure of a call of Foundation.
    init(path: String, _ error: any Error) {
        let code = ((error as? CocoaError)?.underlying as? POSIXError)?.code
        self.init(path: path, reason: code.map { Self.reason($0.rawValue) } ?? "\(error)")
    }

    /// The failure of a system call, with its `errno`.
    init(path: String, code: Int32) {
        self.init(path: path, reason: Self.reason(code))
    }

    /// What the operating system said, in our words where many people see it.
    private static func reason(_ code: Int32) -> String {
        switch POSIXError.Code(rawValue: code) {
        case .ENOENT, .ENOTDIR: return "there is no file or folder of this name"
        case .EACCES, .EPERM: return "it is not readable for this user"
        default:
            // SAFETY: the C function returns a static string.
            return unsafe String(cString: clinux_error_text(code)).lowercased()
        }
    }
}

/// Reads whole files and folders.
package enum Folder {
    /// The names in a folder, without hidden ones, sorted.
    package static func list(_ path: String) throws(FileError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
                .filter { !$0.hasPrefix(".") }
                .sorted()
        } catch {
            throw FileError(path: path, error)
        }
    }

    /// Whether a folder has this name; false if that can't be found out.
    package static func isFolder(_ path: String) -> Bool {
        (try? FileStatus(path))?.isFolder ?? false
    }

    /// A file's bytes, or those of a pipe.
    package static func content(of path: String) throws(FileError) -> [UInt8] {
        try FileInput(path).rest()
    }

    /// A file's bytes; nil if it doesn't exist.
    ///
    /// Refuses a pipe, which would be waited for.
    package static func content(ofOptional path: String) throws(FileError) -> [UInt8]? {
        guard let status = try FileStatus(path) else { return nil }
        guard status.isFile || status.isFolder else {
            throw FileError(path: path, reason: "it is a pipe or a device, not a file")
        }
        return try content(of: path)
    }

    /// A file's modification time in seconds since 1970; nil if it is in the future or unknown.
    package static func lastModified(_ path: String) -> Int64? {
        guard let seconds = (try? FileStatus(path))?.modified.seconds,
            seconds <= Clock.unixMilliseconds / 1000
        else { return nil }
        return seconds
    }

    /// A text of the files' sizes, times and identities; it changes when a file changes or is
    /// replaced.
    package static func fingerprint(of paths: [String]) -> String {
        paths.map { path -> String in
            do throws(FileError) {
                guard let status = try FileStatus(path) else { return "\(path) -" }
                return "\(path) \(status.size) \(status.modified) \(status.changed) "
                    + "\(status.identity)"
            } catch {
                return "\(error)"
            }
        }
        .joined(separator: "\n")
    }
}
