// Reading the files that are served or configured, with errors that name them.

import FoundationEssentials
import HTTP1

/// Folders and files, read whole.
enum Folder {
    /// The names in a folder, without hidden ones, sorted.
    static func list(_ path: String) throws(ConfigurationError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
                .filter { !$0.hasPrefix(".") }
                .sorted()
        } catch {
            throw .unreadable(path: path, reason: reason(path))
        }
    }

    static func isFolder(_ path: String) -> Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }

    /// A file's bytes.
    static func content(of path: String) throws(ConfigurationError) -> [UInt8] {
        do {
            return try [UInt8](Data(contentsOf: URL(filePath: path)))
        } catch {
            throw .unreadable(path: path, reason: reason(path))
        }
    }

    /// A file's bytes; nil when there is none.
    static func content(ofOptional path: String) throws(ConfigurationError) -> [UInt8]? {
        FileManager.default.fileExists(atPath: path) ? try content(of: path) : nil
    }

    /// When a file was changed last; nil where that lies in the future (RFC 9110 §8.8.2.1) or can't
    /// be known.
    static func lastModified(_ path: String) -> HTTPDate? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let date = attributes?[.modificationDate] as? Date, date <= Date.now else {
            return nil
        }
        return HTTPDate(unixSeconds: Int64(date.timeIntervalSince1970))
    }

    /// What files look like from outside: another text means that one of them has changed.
    static func fingerprint(of paths: [String]) -> String {
        paths.map { path in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            let date = attributes?[.modificationDate] as? Date
            let size = attributes?[.size] as? Int
            return "\(path) \(size ?? -1) \(date?.timeIntervalSince1970 ?? 0)"
        }
        .joined(separator: "\n")
    }

    private static func reason(_ path: String) -> String {
        FileManager.default.fileExists(atPath: path)
            ? "it is not readable for this user" : "there is nothing of this name"
    }
}
