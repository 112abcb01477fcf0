// The state of reading a request's body: how much has arrived, and how much may. A value without a
// socket; the connection feeds it.

import Sockets

/// The state of reading one body (RFC 9112 §6).
struct BodyReader {
    /// The result of a step.
    enum Step: Equatable {
        /// Some bytes were taken, and more may follow.
        case progress
        /// No bytes are available: more must arrive.
        case starved
        /// The body has ended; its last bytes may have come with this step.
        case end
        /// The body is invalid or too large.
        case refused(Refusal)
    }

    private enum Framing {
        case length(remaining: Int)
        case chunked(ChunkedDecoder)
    }

    /// How slowly it has arrived so far.
    var pace = BodyPace()

    private let limit: Int
    private var framing: Framing

    /// Begins a body of up to `limit` bytes; a declared length has been checked already.
    init(_ framing: Request.Framing, upTo limit: Int, _ limits: Limits) {
        self.limit = limit
        self.framing =
            switch framing {
            case .none: .length(remaining: 0)
            case .length(let length): .length(remaining: length)
            case .chunked:
                .chunked(ChunkedDecoder(lineLimit: limits.chunkLineBytes, bodyLimit: limit))
            }
    }

    /// Moves received bytes from `input` to the end of `content`, up to `room` bytes.
    ///
    /// O(bytes moved).
    mutating func step(
        _ input: inout ReadBuffer, into content: inout [UInt8], room: Int
    ) -> Step {
        let before = content.count
        switch framing {
        case .length(let remaining):
            let count = min(input.count, remaining, room)
            input.move(count, to: &content)
            framing = .length(remaining: remaining - count)
            if count == remaining { return .end }
            return count > 0 ? .progress : .starved
        case .chunked(var decoder):
            let (outcome, consumed) = input.withBytes {
                decoder.decode($0, into: &content, room: room)
            }
            input.consume(consumed)
            framing = .chunked(decoder)
            switch outcome {
            case .done: return .end
            case .malformed: return .refused(.malformedChunk)
            case .tooLarge: return .refused(.largeBody(limit))
            case .incomplete: return content.count > before ? .progress : .starved
            }
        }
    }
}
