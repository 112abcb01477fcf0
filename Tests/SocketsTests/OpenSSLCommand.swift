// The `openssl` command: it makes the tests' certificates, and is a client with opinions of its own.

import Foundation

/// One run of `openssl`.
struct OpenSSLCommand {
    private let process = Process()
    private let standardInput = Pipe()
    private let output = Pipe()

    /// Starts it with `input` on its standard input, which `printed` closes.
    init(_ arguments: [String], input: String = "") throws {
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.standardInput = standardInput
        process.standardOutput = output
        process.standardError = output
        // Before it runs: writing to a command that has ended already would be a signal.
        try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try process.run()
    }

    /// Waits for its end, and returns what it printed on both outputs.
    func printed() throws -> String {
        try standardInput.fileHandleForWriting.close()
        let octets = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: octets, as: UTF8.self)
    }

    /// Runs it to its end.
    @discardableResult
    static func run(_ arguments: [String]) throws -> String {
        try OpenSSLCommand(arguments).printed()
    }
}
