// A server for one trip: a second process of this program, on a free port, with a data folder that
// is removed with it.
//
// Invariant: it never outlives this process, which holds the other end of its standard input.

import ArgumentParser
import Foundation
import Sockets
import UnixSignals

/// A server that was started for a trip.
struct TripServer {
    /// Scheme, host and port.
    let url: String
    private let process: Process
    private let folder: URL
    /// The server stops when this is closed.
    private let input: Pipe

    /// Does work with a server that is started for it and stopped afterwards, also if a signal ends
    /// the work.
    ///
    /// - Parameter port: 0 for any free one.
    static func using<Value: Sendable>(
        port: UInt16 = 0,
        _ work: @escaping @Sendable (_ url: String) async throws(CommandFailure) -> Value
    ) async throws(CommandFailure) -> Value {
        // A reader that goes, such as head, must not end the work without the folder's removal.
        StandardStream.ignoreBrokenPipes()
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        let server = try start(port: port)
        let url = server.url
        let task = Task {
            do throws(CommandFailure) {
                return Result<Value, CommandFailure>.success(try await work(url))
            } catch {
                return .failure(error)
            }
        }
        let watch = Task { () -> Int32? in
            for await signal in signals {
                task.cancel()
                return signal.rawValue
            }
            return nil
        }
        let result = await task.value
        server.stop()
        watch.cancel()
        // The shell convention for a command that a signal ended.
        if let signal = await watch.value { throw .exit(ExitCode(128 + signal)) }
        return try result.get()
    }

    /// Starts a server and waits until it listens.
    ///
    /// Throws a sentence with its output if it doesn't start.
    private static func start(port: UInt16) throws(CommandFailure) -> TripServer {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "landfall-trip-\(UUID().uuidString)")
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        do {
            for name in ["public", "sites"] {
                try FileManager.default.createDirectory(
                    at: folder.appending(path: name), withIntermediateDirectories: true)
            }
            // The page is required but not used.
            try Data().write(to: folder.appending(path: "public/index.html"))
            let configuration = folder.appending(path: "landfall.yaml")
            try Data("public: public\nsites: {folder: sites}\nlog: {level: error}\n".utf8)
                .write(to: configuration)
            process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = [
                "serve", "--config", configuration.path, "--host", "127.0.0.1", "--port",
                "\(port)",
                "--data", folder.appending(path: "data").path, "--until-input-ends",
            ]
            process.environment = ProcessInfo.processInfo.environment.filter {
                !$0.key.hasPrefix("LANDFALL_")
            }
            process.standardInput = input
            process.standardOutput = output
            process.standardError = output
            try process.run()
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw CommandFailure("A server can't be started: \(error.localizedDescription)")
        }
        // The first line is the greeting: `Landfall … serves http://127.0.0.1:PORT/`.
        var said = Data()
        while !said.contains(UInt8(ascii: "\n")) {
            let part = output.fileHandleForReading.availableData
            if part.isEmpty { break }
            said += part
        }
        let line = String(decoding: said, as: UTF8.self).prefix { $0 != "\n" }
        guard let start = line.range(of: "http://") else {
            process.terminate()
            try? FileManager.default.removeItem(at: folder)
            throw CommandFailure("A server can't be started: \(line)")
        }
        let url = line[start.lowerBound...].prefix { $0 != " " }
        return TripServer(url: String(url), process: process, folder: folder, input: input)
    }

    /// Stops the server and removes its folder.
    func stop() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }
}
