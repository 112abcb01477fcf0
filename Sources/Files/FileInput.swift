// Reads a file, a pipe or standard input from its beginning to its end. Left out: the meaning of
// `-` as a path, which only commands have.

import CLinux

/// An open file that is read once.
package final class FileInput: Sendable {
    private let descriptor: Int32
    private let name: String

    /// Opens a file, or a pipe, such as a shell's `<(command)`.
    package init(_ path: String) throws(FileError) {
        // SAFETY: the pointer is used during the call only.
        descriptor = unsafe path.withCString { unsafe clinux_open_readonly($0) }
        name = path
        if descriptor < 0 { throw FileError(path: path, code: -descriptor) }
    }

    private init() {
        descriptor = 0
        name = "standard input"
    }

    /// Standard input.
    package static let standard = FileInput()

    deinit {
        if descriptor > 0 { _ = clinux_close(descriptor) }
    }

    /// The next bytes, waiting for them; none at the end.
    package func part(upTo size: Int) throws(FileError) -> [UInt8] {
        var result = 0
        // SAFETY: the buffer is valid during the call, which fills `result` bytes of it.
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            result = unsafe clinux_read(descriptor, buffer.baseAddress, size)
            count = max(0, result)
        }
        if result < 0 { throw FileError(path: name, code: Int32(truncatingIfNeeded: -result)) }
        return bytes
    }

    /// All bytes that are left.
    package func rest() throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let part = try part(upTo: 64 * 1024)
            if part.isEmpty { return bytes }
            bytes += part
        }
    }
}
