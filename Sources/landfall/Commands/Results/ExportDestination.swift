// Where an export goes: standard output, or a file that appears only when it is complete.

import Foundation
import ResultStore
import Synchronization

/// The output of one export.
final class ExportDestination: Sendable {
    private struct State {
        var size: Int64 = 0
        let progress = ProgressLine("exporting")
    }

    /// Nil for standard output.
    private let file: UnfinishedFile?
    private let state = Mutex(State())

    /// Bytes written so far.
    var size: Int64 { state.withLock { $0.size } }

    /// - Parameter path: `-` is standard output; an existing file of this name is replaced at the
    ///   end.
    init(_ path: String) throws(CommandFailure) {
        if path == "-" {
            file = nil
            return
        }
        if Self.mustStay(path) {
            throw CommandFailure("\(path) is not a regular file; --output - is standard output.")
        }
        // An export is private to its owner.
        umask(0o077)
        file = try Self.naming { () throws(StoreError) in
            try UnfinishedFile(path, isFolders: false)
        }
    }

    /// Whether a file can't be replaced.
    ///
    /// Only a regular one can: a device, a pipe or a link must stay what it is.
    static func mustStay(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let type = attributes?[.type] as? FileAttributeType else { return false }
        return type != .typeRegular
    }

    /// Writes the next bytes.
    func write(_ part: [UInt8]) throws(CommandFailure) {
        if let file {
            try Self.naming { () throws(StoreError) in try file.append(part) }
        } else {
            try Console.write(part)
        }
        state.withLock { state in
            state.size += Int64(part.count)
            // A progress bar would disturb output on the terminal.
            if file != nil || !Console.isTerminal { state.progress.show(bytes: state.size) }
        }
    }

    /// Ends the output; a file gets its name once it is durable.
    func finish() throws(CommandFailure) {
        state.withLock { $0.progress.end() }
        if let file { try Self.naming { () throws(StoreError) in try file.finish() } }
    }

    /// Removes the unfinished file; an existing file of the name stays.
    func discard() {
        state.withLock { $0.progress.end() }
        file?.discard()
    }

    private static func naming<Value>(
        _ work: () throws(StoreError) -> Value
    ) throws(CommandFailure) -> Value {
        do throws(StoreError) {
            return try work()
        } catch {
            throw CommandFailure("The export can't be written: \(error).")
        }
    }
}
