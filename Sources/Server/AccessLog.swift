// The access log: one line for each response, for people or for programs.
//
// Invariant: a line has no query, no body, no header field that a peer chose freely and no
// credential; paths and hosts are redacted like stored targets. Lines wait in the queue of the log,
// so a slow reader delays no request. Left out: messages that are invalid HTTP, which metrics
// count.

import Clocks
import HTTP1
import JSON
import LinkHosting
import Problems
import Settings

/// Writes a line for each response.
package struct AccessLog: Sendable {
    private let format: Configuration.AccessLogFormat
    private let write: @Sendable ([UInt8]) -> Void

    /// - Parameter write: takes a line with its end; must not wait.
    ///
    /// Nil if the format is `off`.
    package init?(
        _ format: Configuration.AccessLogFormat, write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        if format == .off { return nil }
        self.format = format
        self.write = write
    }

    /// One response.
    struct Entry {
        let request: Request
        /// The path of the request, without what must not be logged of it.
        let path: [UInt8]
        /// The host of the request, redacted as the path is.
        let host: String
        let response: Response
        /// The pattern of the route, and the vendor; empty for none.
        let route: String
        let vendor: String
        let microseconds: UInt64
        let requestID: String
        /// The record that the request stored.
        let record: String?

        /// Maximum bytes of a path; a longer one is cut.
        private static let pathBytes = 1024

        /// The members of the line, in order; a number as JSON text.
        fileprivate var members: [(name: String, value: String, isNumber: Bool)] {
            let path = path.prefix(Self.pathBytes)
            let optional: [(name: String, value: String?)] = [
                ("vendor", vendor.isEmpty ? nil : vendor), ("record", record),
                ("trace_id", TraceParent.traceID(of: request)),
                ("fetcher", LinkFetcher(request)?.rawValue),
            ]
            var members = [
                ("method", request.method.rawValue, false),
                ("path", String(decoding: path, as: UTF8.self), false),
                ("status", "\(response.status.code)", true),
            ]
            if let bytes = response.contentBytes { members.append(("bytes", "\(bytes)", true)) }
            members += [
                ("duration_ms", "\(Double(microseconds) / 1000)", true),
                ("peer", request.origin.client.description, false),
                ("host", host, false), ("route", route, false),
                ("request_id", requestID, false),
            ]
            members += optional.compactMap { name, value in value.map { (name, $0, false) } }
            return members
        }
    }

    /// Writes the line of a response.
    ///
    /// O(size of the path).
    func note(_ entry: Entry) {
        var line: [UInt8]
        switch format {
        case .off: return
        case .text:
            let text = entry.members.map { " \($0.name)=\($0.value)" }.joined()
            // Control characters are replaced, so that an entry is always one line.
            line = "\(Timestamp.now) info request\(text)".utf8.map { $0 < 0x20 ? 0x20 : $0 }
        case .json:
            var json = JSONWriter()
            json.object { json in
                json.member("time", Timestamp.now.description)
                json.member("level", "info")
                json.member("message", "request")
                for (name, value, isNumber) in entry.members {
                    if isNumber {
                        json.key(name)
                        json.raw(Array(value.utf8))
                    } else {
                        json.member(name, value)
                    }
                }
            }
            line = json.bytes
        }
        line.append(UInt8(ascii: "\n"))
        write(line)
    }
}
