// A file's bytes, part by part, with a progress bar on a terminal.

import Files
import Foundation

/// The parts of a file or of standard input; can be iterated once.
struct FileParts: AsyncSequence, Sendable {
    private static let partBytes = 64 * 1024

    private let file: FileHandle
    /// Nil if unknown.
    private let size: Int64?
    private let label: String

    /// Opens a file; `-` is standard input.
    ///
    /// - Parameter label: the name of the work on the progress bar.
    init(_ path: String, label: String) throws(CommandFailure) {
        self.label = label
        if path == "-" {
            file = .standardInput
            size = nil
            return
        }
        guard let file = FileHandle(forReadingAtPath: path), !Folder.isFolder(path) else {
            throw CommandFailure("\(path) can't be read: it doesn't exist or access is denied.")
        }
        self.file = file
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        size = (attributes?[.size] as? NSNumber)?.int64Value
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let file: FileHandle
        fileprivate let size: Int64?
        fileprivate var progress: ProgressLine
        fileprivate var done: Int64 = 0

        mutating func next() async throws -> [UInt8]? {
            guard let part = try file.read(upToCount: FileParts.partBytes), !part.isEmpty else {
                progress.end()
                return nil
            }
            done += Int64(part.count)
            if let size { progress.show(done, of: size) } else { progress.show(bytes: done) }
            return [UInt8](part)
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(file: file, size: size, progress: ProgressLine(label))
    }
}
