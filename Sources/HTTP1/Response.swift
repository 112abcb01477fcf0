// What a handler answers: a status, field lines and content, all of them bytes that can be shared
// between requests without copying. Date, length, connection and request id are the server's.

import Sockets

/// A response to one request.
package struct Response: Sendable {
    /// What follows the head; left out on the wire for HEAD, 204 and 304.
    package enum Content: Sendable {
        case bytes([UInt8])
        /// A part of bytes that are sent again and again.
        case held(HeldBytes, Range<Int>)
        /// Parts that are made while they are sent; the peer's pace holds their maker back.
        indirect case stream(ContentStream)
    }

    package var status: Status

    /// Field lines, each ended by CRLF, without those that the server adds.
    package private(set) var fieldLines: [UInt8]

    package var content: Content

    /// Whether the connection ends with this response.
    package var closesConnection = false

    /// Whether content of some size is compressed for peers that accept it (RFC 9110 §12.5.3).
    ///
    /// For content that is made anew for each request; `StaticResource` has its own forms.
    package var isCompressible = false

    /// Whether the response to HEAD says how long GET's content is; false where only GET can know
    /// (RFC 9110 §8.6).
    package var tellsLength = true

    /// What its content holds of a budget, until it has been sent.
    package var permit: MemoryPermit?

    /// Makes a response without fields.
    package init(_ status: Status, body: [UInt8] = []) {
        self.status = status
        content = .bytes(body)
        fieldLines = []
    }

    /// Makes a response with content of a type.
    package init(_ status: Status, contentType: String, body: [UInt8]) {
        self.init(status, body: body)
        // With room for the usual ones.
        fieldLines.reserveCapacity(256)
        add("Content-Type", contentType)
    }

    /// Makes a response whose content is sent part by part.
    package init(_ status: Status, contentType: String, stream: ContentStream) {
        self.init(status)
        content = .stream(stream)
        add("Content-Type", contentType)
    }

    /// Makes a response of field lines that were rendered before.
    package init(_ status: Status, sharing fieldLines: [UInt8], body: [UInt8]) {
        self.status = status
        self.fieldLines = fieldLines
        content = .bytes(body)
    }

    /// Makes a response of field lines that were rendered before, with all of held content.
    init(_ status: Status, sharing fieldLines: [UInt8], held: HeldBytes) {
        self.status = status
        self.fieldLines = fieldLines
        content = .held(held, held.bytes.indices)
    }

    /// Adds a field line.
    ///
    /// Octets that can't be in a value (RFC 9110 §5.5) become `?`: a value that holds something of
    /// a peer's can never begin another line.
    package mutating func add(_ name: String, _ value: String) {
        fieldLines.append(contentsOf: name.utf8)
        fieldLines.append(contentsOf: ": ".utf8)
        let start = fieldLines.count
        fieldLines.append(contentsOf: value.utf8)
        for index in start..<fieldLines.count
        where fieldLines[index] < 0x20 || fieldLines[index] == 0x7F {
            fieldLines[index] = UInt8(ascii: "?")
        }
        fieldLines.append(contentsOf: "\r\n".utf8)
    }

    /// The content; empty for a stream, which is not there yet.
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
