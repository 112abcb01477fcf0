// The data folder: rights, space, a file system that keeps what is synced, and a clock that isn't
// behind the records.

import Clocks
import Files
import Foundation
import ResultStore
import Settings

/// Checks a data folder.
package struct DataDiagnosis {
    /// What was found out, in the order of the report.
    package let diagnoses: [Diagnosis]

    /// Checks a data folder.
    ///
    /// - Parameter folder: may be missing; the server then makes it.
    package init(folder: String, now: Timestamp) {
        guard Folder.isFolder(folder) else {
            diagnoses = [Self.missing(folder)]
            return
        }
        do throws(StoreError) {
            let facts = try FolderDiagnosis(folder: folder)
            diagnoses = [
                Self.rights(folder, facts), Self.space(folder), Self.fileSystem(folder, facts),
                Self.clock(facts, now),
            ]
        } catch {
            diagnoses = [
                .problem("data", "\(error)", "Give the server's user read and write access to it.")
            ]
        }
    }

    /// Throws if something that is not a folder is in the place of the data folder, or of one that
    /// it is to be made in.
    package static func refuseFile(_ folder: String) throws(ConfigurationError) {
        let path = existing(folder)
        let status = try ConfigurationError.reading { () throws(FileError) in
            try FileStatus(path)
        }
        if let status, !status.isFolder {
            throw .unreadable(path: path, reason: "it is not a folder")
        }
    }

    /// The path, or the nearest one above it that exists.
    private static func existing(_ path: String) -> String {
        var path = path
        while !path.isEmpty, !isThere(path) {
            // A file with a slash after its name doesn't exist.
            path =
                path.hasSuffix("/")
                ? String(path.dropLast()) : URL(filePath: path).deletingLastPathComponent().path
        }
        return path
    }

    /// Whether something has this name, if only a symbolic link to nothing.
    private static func isThere(_ path: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: path)) != nil
    }

    private static func missing(_ folder: String) -> Diagnosis {
        do throws(ConfigurationError) {
            try refuseFile(folder)
        } catch {
            return .problem("data", "\(error)".trimmingSuffix("."), "Name a folder in data.")
        }
        let parent = existing(folder)
        guard FileManager.default.isWritableFile(atPath: parent) else {
            return .problem(
                "data", "\(folder) doesn't exist and can't be made in \(parent)",
                "Make it, for the server's user.")
        }
        return .ok("data", "\(folder) will be made at the first start")
    }

    private static func rights(_ folder: String, _ facts: FolderDiagnosis) -> Diagnosis {
        switch facts.failure {
        case .full:
            return .problem("data", "the disk of \(folder) is full", "Make room on it.")
        case let failure?:
            return .problem(
                "data", "\(failure)", "Give the server's user read and write access to it.")
        case nil: break
        }
        if let path = unusable(facts, in: folder) {
            return .problem(
                "data", "\(path) can't be read or written by the server's user",
                "Run chown -R --reference=\(folder) \(folder) as root, and "
                    + "chmod -R u+rwX \(folder).")
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: folder)
        if let mode = attributes?[.posixPermissions] as? Int, mode & 0o007 != 0 {
            return .warning(
                "data", "every user of this machine has access to \(folder)",
                "It holds health data: run chmod o-rwx \(folder).")
        }
        return .ok("data", "\(folder) can be written and synced")
    }

    /// The path of a file that the server's user can't read or write; nil if it can use all.
    ///
    /// Root can use every file, so for root another owner than the folder's counts.
    private static func unusable(_ facts: FolderDiagnosis, in folder: String) -> String? {
        func present(_ names: [String]) -> [String] {
            names.map { "\(folder)/\($0)" }.filter { isThere($0) }
        }
        let written = facts.written + present(["forward", "spool"])
        let read = facts.segments + present([PrivacyKey.fileName])
        if geteuid() == 0, let owner = (try? FileStatus(folder))?.owner, owner != 0,
            let path = (written + read).first(where: {
                (try? FileStatus($0))?.owner ?? owner != owner
            })
        {
            return path
        }
        let files = FileManager.default
        let path =
            written.first { !files.isWritableFile(atPath: $0) }
            ?? read.first { !files.isReadableFile(atPath: $0) }
        // A server that runs may have removed it since.
        return path.flatMap { isThere($0) ? $0 : nil }
    }

    /// Bytes below which a server can't work, and below which somebody should know.
    private static let (leastBytes, fewBytes): (Int64, Int64) = (64 << 20, 1 << 30)

    private static func space(_ folder: String) -> Diagnosis {
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        guard let free = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value else {
            return .warning("space", "the free space of \(folder) is unknown", "Watch it yourself.")
        }
        let text = "\(free >> 20) MiB are free for \(folder)"
        if free < leastBytes {
            return .problem("space", text, "Make room: new callbacks may be refused with 507.")
        }
        if free < fewBytes {
            return .warning("space", text, "Make room, or limit results.retention.")
        }
        return .ok("space", text)
    }

    private static func fileSystem(_ folder: String, _ facts: FolderDiagnosis) -> Diagnosis {
        switch facts.fileSystem {
        case .memory:
            .warning(
                "file system", "\(folder) is in memory",
                "Results are lost when the machine restarts: use a folder on a disk.")
        case .network:
            .warning(
                "file system", "\(folder) is on a network or FUSE file system",
                "Its locks and syncs may not hold: use a folder on a local disk.")
        case nil: .ok("file system", "\(folder) is on a local disk")
        }
    }

    private static func clock(_ facts: FolderDiagnosis, _ now: Timestamp) -> Diagnosis {
        guard facts.isAhead(of: now), let day = facts.newestDay else {
            return .ok("clock", "it says \(now), and no record is newer")
        }
        return .problem(
            "clock", "it says \(now), but there are records of \(day)",
            "Set the clock, or wait: records get wrong times and don't expire until then.")
    }
}
