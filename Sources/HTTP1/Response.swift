// A handler's response: a status, field lines and content, all of them bytes that requests can
// share without copying. The server adds date, length, connection and request id.

import Gzip
import Sockets
import Text

/// A response to one request.
package struct Response: Sendable {
    /// The content after the head; not sent for HEAD, 204 and 304.
    package enum Content: Sendable {
        case bytes([UInt8])
        /// A range of bytes that are sent again and again.
        case held(HeldBytes, Range<Int>)
        /// Parts that are produced while they are sent, at the peer's pace.
        indirect case stream(ContentStream)
    }

    package var status: Status

    /// Field lines, each ended by CRLF, without those that the server adds.
    package private(set) var fieldLines: [UInt8]

    package var content: Content

    /// Whether the connection ends with this response.
    package var closesConnection = false

    /// Whether content above a minimum size is compressed for peers that accept it
    /// (RFC 9110 §12.5.3).
    ///
    /// For content that is generated for each request; `StaticResource` has compressed forms of its
    /// own.
    package var isCompressible = false

    /// Whether the response to HEAD states the length of GET's content; false if only GET can know
    /// it (RFC 9110 §8.6).
    package var sendsContentLength = true

    /// The memory budget that its content holds until it has been sent.
    package var permit: MemoryPermit?

    /// Makes a response without fields.
    package init(_ status: Status, body: [UInt8] = []) {
        self.status = status
        content = .bytes(body)
        fieldLines = []
    }

    /// Makes a response with content of a media type.
    package init(_ status: Status, contentType: String, body: [UInt8]) {
        self.init(status, body: body)
        // Room for the usual fields.
        fieldLines.reserveCapacity(256)
        add("Content-Type", contentType)
    }

    /// Makes a response whose content is sent in parts.
    package init(_ status: Status, contentType: String, stream: ContentStream) {
        self.init(status)
        content = .stream(stream)
        add("Content-Type", contentType)
    }

    /// Makes a response with field lines that were rendered before.
    package init(_ status: Status, sharing fieldLines: [UInt8], body: [UInt8]) {
        self.status = status
        self.fieldLines = fieldLines
        content = .bytes(body)
    }

    /// Makes a response with field lines that were rendered before, and all of `held`.
    init(_ status: Status, sharing fieldLines: [UInt8], held: HeldBytes) {
        self.status = status
        self.fieldLines = fieldLines
        content = .held(held, held.bytes.indices)
    }

    /// Adds a field line.
    ///
    /// Octets that are invalid in a value become `?`, so a value with a peer's data can't begin
    /// another line: all control characters but the tab (RFC 9110 §5.5).
    package mutating func add(_ name: String, _ value: String) {
        fieldLines.append(text: name)
        fieldLines.append(text: ": ")
        let value = value.utf8.span
        fieldLines.append(addingCapacity: value.count + 2) { output in
            for index in value.indices {
                let octet = value[index]
                let isValid = octet >= 0x20 && octet != 0x7F || octet == 0x09
                output.append(isValid ? octet : UInt8(ascii: "?"))
            }
            output.append(UInt8(ascii: "\r"))
            output.append(UInt8(ascii: "\n"))
        }
    }

    /// Compresses compressible content if the peer prefers that (RFC 9110 §12.5.3).
    ///
    /// 304 has no content to compress, but the same `Vary` as 200 (RFC 9110 §15.4.5). The connection
    /// does this too, on its loop, unless it was done before. O(size), some 25 ms a megabyte.
    package mutating func compress(for request: Request, _ limits: Limits) {
        guard isCompressible else { return }
        isCompressible = false
        guard case .bytes(let bytes) = content,
            bytes.count >= limits.compressedBytes || status == .notModified
        else { return }
        add("Vary", "Accept-Encoding")
        let preference = AcceptEncoding(request.values(.acceptEncoding))
        guard preference.choice(gzipIsSmaller: true) == .gzip,
            let coded = Gzip.compress(bytes, level: limits.compressionLevel)
        else { return }
        add("Content-Encoding", "gzip")
        content = .bytes(coded)
    }

    /// Bytes of the content before any compression; nil for a stream of unknown length.
    package var contentBytes: Int? {
        switch content {
        case .bytes(let bytes): bytes.count
        case .held(_, let range): range.count
        case .stream(let stream): stream.length
        }
    }

    /// The content; empty for a stream.
    ///
    /// O(1), and O(size) for a part of held bytes.
    package var body: [UInt8] {
        switch content {
        case .bytes(let bytes): bytes
        case .held(let held, let range):
            range == held.bytes.indices ? held.bytes : Array(held.bytes[range])
        case .stream: []
        }
    }
}
