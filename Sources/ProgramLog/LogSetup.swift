// Logs to standard error, as text for people or as JSON lines for programs. Messages are constant;
// variable parts are metadata, and never a query, a body or a credential.

import Clocks
import Foundation
import JSON
import Logging
import Settings
import Synchronization

/// Starts swift-log's system.
package enum LogSetup {
    /// How long an ending process waits for its log, in milliseconds.
    package static let flushMilliseconds = Limits.logFlushMilliseconds

    private static let queue = Mutex<LogQueue?>(nil)

    /// The log handler of this process; there is one.
    ///
    /// On every orderly exit, the process waits briefly for its log.
    package static func handler(_ format: Configuration.LogFormat) -> LineLogHandler {
        let lines = LogQueue { LineLogHandler.line($0, format) }
        queue.withLock { $0 = lines }
        atexit { LogSetup.flush() }
        return LineLogHandler(format: format, queue: lines)
    }

    /// The logger of commands, which writes text.
    package static let ofCommands = Logger(label: "landfall") { _ in handler(.text) }

    /// The server's logger, with the configured level and format.
    package static func start(_ configuration: Configuration) -> Logger {
        let handler = Self.handler(configuration.logFormat)
        LoggingSystem.bootstrap { _ in handler }
        var log = Logger(label: "landfall")
        log.logLevel = Logger.Level(rawValue: configuration.logLevel) ?? .info
        return log
    }

    /// Adds a line of the access log, which isn't throttled.
    package static func write(_ line: [UInt8]) {
        queue.withLock { $0 }?.add(line)
    }

    /// Returns when the log has been written, or after a timeout.
    package static func flush() {
        queue.withLock { $0 }?.flush(within: Limits.logFlushMilliseconds)
    }
}

/// Writes one line for each message, within the limits.
package struct LineLogHandler: LogHandler {
    let format: Configuration.LogFormat
    let queue: LogQueue
    package var metadata: Logger.Metadata = [:]
    package var logLevel = Logger.Level.info

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let message = event.message.description
        guard queue.admits(message) else { return }
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        queue.add(Self.line(event.level, message, all, format))
    }

    /// A line about the log itself.
    static func line(_ notice: LogQueue.Notice, _ format: Configuration.LogFormat) -> [UInt8] {
        switch notice {
        case .dropped(let lines):
            line(.warning, "log lines dropped", ["lines": "\(lines)"], format)
        case .suppressed(let suppressed):
            line(
                .notice, "log lines omitted",
                ["lines": "\(suppressed.lines)", "of": "\(suppressed.message)"], format)
        }
    }

    private static func line(
        _ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata,
        _ format: Configuration.LogFormat
    ) -> [UInt8] {
        let pairs = metadata.sorted { $0.key < $1.key }
        var bytes: [UInt8]
        switch format {
        case .text:
            let text = pairs.map { " \($0.key)=\($0.value)" }.joined()
            // Control characters are replaced, so that an entry is always one line.
            bytes = "\(Timestamp.now) \(level) \(message)\(text)".utf8.map { $0 < 0x20 ? 0x20 : $0 }
        case .json:
            bytes = JSONWriter.object { json in
                json.member("time", Timestamp.now.description)
                json.member("level", level.rawValue)
                json.member("message", message)
                for (key, value) in pairs { json.member(key, value.description) }
            }
        }
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }
}
