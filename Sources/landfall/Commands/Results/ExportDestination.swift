// Where an export goes: standard output, or a file that is there only when it is whole.

import Foundation
import Synchronization

/// The output of one export.
final class ExportDestination: Sendable {
    private struct State {
        var size: Int64 = 0
        var progress = ProgressLine("exporting")
    }

    /// Nil for standard output.
    private let path: String?
    private let unfinished: String
    private let file: FileHandle
    private let state = Mutex(State())

    /// Bytes that have been written.
    var size: Int64 { state.withLock { $0.size } }

    /// - Parameter path: `-` is standard output; a file of that name is replaced at the end.
    init(_ path: String) throws(CommandFailure) {
        unfinished = path + ".unfinished"
        if path == "-" {
            self.path = nil
            file = .standardOutput
            return
        }
        self.path = path
        // An export is nobody's business but its owner's.
        umask(0o077)
        guard !Folder.isFolder(path) else { throw CommandFailure("\(path) is a folder.") }
        guard FileManager.default.createFile(atPath: unfinished, contents: nil),
            let file = FileHandle(forWritingAtPath: unfinished)
        else { throw CommandFailure("\(path) can't be written here.") }
        self.file = file
    }

    /// Writes the next bytes.
    func write(_ part: [UInt8]) throws(CommandFailure) {
        do {
            try file.write(contentsOf: Data(part))
        } catch {
            throw CommandFailure("\(path ?? "Standard output") can't be written to.")
        }
        state.withLock { state in
            state.size += Int64(part.count)
            // A bar would run through what is shown.
            if path != nil || !Console.isWatched { state.progress.show(bytes: state.size) }
        }
    }

    /// Ends the output; a file gets its name when it is on the disk.
    func finish() throws(CommandFailure) {
        state.withLock { $0.progress.end() }
        guard let path else { return }
        do {
            try file.synchronize()
            try file.close()
            let (from, to) = (URL(filePath: unfinished), URL(filePath: path))
            if FileManager.default.fileExists(atPath: path) {
                _ = try FileManager.default.replaceItemAt(
                    to, withItemAt: from, options: .usingNewMetadataOnly)
            } else {
                try FileManager.default.moveItem(at: from, to: to)
            }
        } catch {
            throw CommandFailure("\(path) can't be written.")
        }
    }

    /// Takes away what has been written to a file; what had its name before is still there.
    func discard() {
        state.withLock { $0.progress.end() }
        if path != nil { try? FileManager.default.removeItem(atPath: unfinished) }
    }
}
