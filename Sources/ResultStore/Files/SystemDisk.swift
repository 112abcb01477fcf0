// The file system of the machine, through `File`.

import CLinux
import FoundationEssentials
import Synchronization

/// The machine's file system.
final class SystemDisk: Disk {
    /// The folders that were synced, by path; they stay open, because a name that has been changed
    /// must become durable even if the process can open no more files.
    private let folders = Mutex<[String: File]>([:])

    func open(_ path: String) throws(StoreError) -> any DiskFile { try File(appendingTo: path) }

    func openReadOnly(_ path: String) throws(StoreError) -> any DiskFile {
        try File(reading: path)
    }

    func names(in folder: String) throws(StoreError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw File.error(folder, "list", error)
        }
    }

    func rename(_ path: String, to newPath: String) throws(StoreError) {
        try File.rename(path, to: newPath)
    }

    func remove(_ path: String) throws(StoreError) { try File.remove(path) }

    func makeFolder(_ path: String) throws(StoreError) {
        let isNew = !FileManager.default.fileExists(atPath: path)
        // One by one, because each gets the owner of the one that it is in.
        if isNew, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
            try makeFolder(String(path[..<slash]))
        }
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o750])
        } catch {
            throw File.error(path, "make the folder", error)
        }
        if isNew { File.giveFolder(path) }
    }

    func syncFolder(_ path: String) throws(StoreError) {
        let known = folders.withLock { $0[path] }
        if let known, try known.isNamed(withSize: nil) { return try known.syncFolder() }
        let folder = try File(reading: path)
        folders.withLock { $0[path] = folder }
        try folder.syncFolder()
    }
}
