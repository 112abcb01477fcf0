// A file's bytes, part by part, with a progress bar on a terminal.

import Files

/// The parts of a file or of standard input; can be iterated once.
struct FileParts: AsyncSequence, Sendable {
    private static let partBytes = 64 * 1024

    private let file: FileInput
    /// Nil if unknown.
    private let size: Int64?
    private let label: String

    /// Opens a file; `-` is standard input.
    ///
    /// - Parameter label: the name of the work on the progress bar.
    init(_ path: String, label: String) throws(CommandFailure) {
        self.label = label
        let isStandardInput = path == "-"
        file = try CommandFailure.environment {
            try isStandardInput ? FileInput.standard : FileInput(path)
        }
        let bytes = isStandardInput ? nil : (try? FileStatus(path))?.size
        // Pipes have the size 0.
        size = bytes == 0 ? nil : bytes
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let file: FileInput
        fileprivate let size: Int64?
        fileprivate let progress: ProgressLine
        fileprivate var done: Int64 = 0

        mutating func next() async throws -> [UInt8]? {
            let part = try file.part(upTo: FileParts.partBytes)
            if part.isEmpty {
                progress.end()
                return nil
            }
            done += Int64(part.count)
            if let size { progress.show(done, of: size) } else { progress.show(bytes: done) }
            return part
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(file: file, size: size, progress: ProgressLine(label))
    }
}
