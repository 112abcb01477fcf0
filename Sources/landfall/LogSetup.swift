// Logging: to standard error, as text for people or as JSON lines for machines. Messages are
// constant; what differs is metadata, and never a query, a body or a credential.

import Clocks
import Foundation
import JSONText
import Logging

/// Starts swift-log's system.
enum LogSetup {
    /// The program's logger, with level and format of the configuration.
    static func start(_ configuration: Configuration) -> Logger {
        let format = configuration.logFormat
        LoggingSystem.bootstrap { _ in LineLogHandler(format: format) }
        var log = Logger(label: "landfall")
        log.logLevel = Logger.Level(rawValue: configuration.logLevel) ?? .info
        return log
    }

    /// For libraries that tell more than anybody wants to know.
    static var quiet: Logger {
        var log = Logger(label: "landfall.lifecycle")
        log.logLevel = .critical
        return log
    }
}

/// Writes one line for each message.
struct LineLogHandler: LogHandler {
    let format: Configuration.LogFormat
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        let line =
            switch format {
            case .text: Self.text(event, all)
            case .json: Self.json(event, all)
            }
        FileHandle.standardError.write(Data(line + [UInt8(ascii: "\n")]))
    }

    private static func text(
        _ event: LogEvent, _ metadata: [(key: String, value: Logger.Metadata.Value)]
    ) -> [UInt8] {
        let pairs = metadata.map { " \($0.key)=\($0.value)" }.joined()
        return Array("\(Timestamp.now) \(event.level) \(event.message)\(pairs)".utf8)
    }

    private static func json(
        _ event: LogEvent, _ metadata: [(key: String, value: Logger.Metadata.Value)]
    ) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("time", Timestamp.now.description)
            json.member("level", event.level.rawValue)
            json.member("message", event.message.description)
            for (key, value) in metadata { json.member(key, value.description) }
        }
        return json.bytes
    }
}
