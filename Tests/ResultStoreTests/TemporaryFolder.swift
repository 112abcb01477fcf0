// A folder for one test, removed with it.

import Foundation

/// An empty folder below the system's temporary one.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory
            .appending(path: "landfall-test-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// By a file handle: `Data(contentsOf:)` leaks 4 kB for each empty file (Foundation of Swift 6.3).
    func bytes(of name: String) throws -> [UInt8] {
        let file = try FileHandle(forReadingFrom: URL(filePath: path + "/" + name))
        defer { try? file.close() }
        return try [UInt8](file.readToEnd() ?? Data())
    }

    /// Every file in it, by its path.
    func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path).filter { name in
            let kind = try FileManager.default.attributesOfItem(atPath: path + "/" + name)[.type]
            return kind as? FileAttributeType == .typeRegular
        }.sorted()
    }

    func write(_ bytes: some Collection<UInt8>, to name: String) throws {
        try Data(bytes).write(to: URL(filePath: path + "/" + name))
    }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: path + "/" + name, withIntermediateDirectories: true)
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: path + "/" + name)
    }

    func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/" + folder).sorted()
    }
}
