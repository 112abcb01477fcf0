// The file system of the machine, through `File`.

import CLinux
import FoundationEssentials

/// The machine's file system.
struct SystemDisk: Disk {
    func open(_ path: String) throws(StoreError) -> any DiskFile { try File(appendingTo: path) }

    func openReadOnly(_ path: String) throws(StoreError) -> any DiskFile {
        try File(reading: path)
    }

    func names(in folder: String) throws(StoreError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw .file(path: folder, operation: "list", reason: "\(error.localizedDescription)")
        }
    }

    func rename(_ path: String, to newPath: String) throws(StoreError) {
        try File.rename(path, to: newPath)
    }

    func remove(_ path: String) throws(StoreError) { try File.remove(path) }

    func makeFolder(_ path: String) throws(StoreError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o750])
        } catch {
            throw .file(
                path: path, operation: "make the folder", reason: "\(error.localizedDescription)")
        }
    }

    func syncFolder(_ path: String) throws(StoreError) {
        try File(reading: path).syncFolder()
    }
}
