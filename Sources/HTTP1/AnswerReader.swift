// Reads a response as its bytes come in: heads of interim responses are passed over, content is
// freed of its framing. A value without a socket.
//
// Invariant: what comes out doesn't depend on where the bytes were cut, and content that breaks off
// is an error and never an end.

import Sockets

/// The state of reading one response (RFC 9112 §4 to §7).
struct AnswerReader {
    /// What a step came to.
    enum Step {
        /// Nothing can be done until more bytes have come.
        case starved
        /// The head of an interim response (RFC 9110 §15.2).
        case interim(AnswerHead)
        /// The head of the response itself.
        case head(AnswerHead)
        /// Some content was taken, and more may follow.
        case content
        /// The response has ended; the last content may have come with this step.
        case end
    }

    private enum Phase {
        case head
        case body(BodyReader)
        case untilEnd
        case end
    }

    /// Bytes of the longest head.
    static let headBytes = 64 * 1024

    /// Bytes of content that one step takes at the most.
    static let partBytes = 64 * 1024

    private let method: Request.Method
    private var phase = Phase.head

    /// - Parameter method: of the request that is answered.
    init(answering method: Request.Method) {
        self.method = method
    }

    /// Takes the next of what has come; content goes to the end of `part`.
    ///
    /// O(bytes taken), and O(bytes) for a head that isn't whole.
    ///
    /// Throws when this is no response.
    mutating func step(
        _ input: inout ReadBuffer, into part: inout [UInt8]
    ) throws(ClientError) -> Step {
        switch phase {
        case .head: return try takeHead(&input)
        case .end: return .end
        case .untilEnd:
            let count = min(input.count, Self.partBytes)
            input.move(count, to: &part)
            return count > 0 ? .content : .starved
        case .body(var reader):
            let step = reader.step(&input, into: &part, room: Self.partBytes)
            phase = .body(reader)
            switch step {
            case .progress: return .content
            case .starved: return .starved
            case .end:
                phase = .end
                return .end
            case .refused: throw ClientError("The answer's chunks are malformed.")
            }
        }
    }

    /// Hears that no more bytes will come.
    ///
    /// Throws when the response is not whole.
    mutating func finish() throws(ClientError) {
        switch phase {
        case .end: return
        case .untilEnd: phase = .end
        case .head: throw ClientError("The connection ended before there was an answer.")
        case .body: throw ClientError("The connection ended in the middle of the answer.")
        }
    }

    private mutating func takeHead(_ input: inout ReadBuffer) throws(ClientError) -> Step {
        guard let size = Self.headSize(input) else {
            if input.count > Self.headBytes { throw ClientError("The answer's head has no end.") }
            return .starved
        }
        var bytes: [UInt8] = []
        input.move(size, to: &bytes)
        // Without the empty line, and without the end of the line before it.
        guard let head = AnswerHead(bytes.dropLast(4)), head.status != 101 else {
            throw ClientError("The answer is no HTTP/1.1 response.")
        }
        if head.status < 200 { return .interim(head) }
        switch head.framing(answering: method) {
        case nil: throw ClientError("The answer doesn't say where it ends.")
        case .untilEnd: phase = .untilEnd
        case .request(.none): phase = .end
        case .request(let framing):
            phase = .body(BodyReader(framing, upTo: .max, at: 0, Limits()))
        }
        return .head(head)
    }

    /// Bytes up to and with the empty line; nil when that isn't there yet.
    private static func headSize(_ input: borrowing ReadBuffer) -> Int? {
        input.withBytes { bytes in
            var index = 3
            while index < min(bytes.count, headBytes) {
                if bytes[index] == 0x0A, bytes[index - 1] == 0x0D, bytes[index - 2] == 0x0A,
                    bytes[index - 3] == 0x0D
                {
                    return index + 1
                }
                index += 1
            }
            return nil
        }
    }
}
