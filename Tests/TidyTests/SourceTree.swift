// The project's own files, for the tests that read them.

import Foundation

/// Files below the repository's root.
struct SourceTree {
    /// One text file.
    struct File {
        /// From the root, such as `Sources/HTTP1/Server.swift`.
        let path: String
        let lines: [Substring]

        /// The target's folder below `Sources` or `Tests`.
        var target: String { String(path.split(separator: "/")[1]) }
    }

    let root: URL

    /// The repository that this file was compiled in.
    init(here: String = #filePath) {
        root = URL(filePath: here).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
    }

    /// All files of one kind below some folders, by path.
    func files(in folders: [String], suffix: String) throws -> [File] {
        try folders.flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path())
                .filter { $0.hasSuffix(suffix) && !$0.contains(".build") }
                .sorted()
                .map { try file(folder + "/" + $0) }
        }
    }

    /// One file.
    func file(_ path: String) throws -> File {
        let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
        return File(
            path: path, lines: text.split(separator: "\n", omittingEmptySubsequences: false))
    }
}
