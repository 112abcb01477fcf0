// One request and its answer on a connected socket.
//
// Invariant: used by the task that owns it, on the loop's thread. Content is handed on before more
// is read, so that memory stays bounded however long an answer is.

import Sockets

/// The client's end of one connection.
struct ClientExchange: ~Copyable {
    private var socket: Socket
    private var input = ReadBuffer()
    private var reader: AnswerReader
    private var head: AnswerHead?
    private var hasSourceFailed = false
    private let request: ClientRequest
    private let place: Client.Place

    /// Milliseconds for which a server is waited for that may not know `Expect` (RFC 9110
    /// §10.1.1).
    private static let continueMilliseconds: UInt64 = 2_000

    init(
        _ accepted: AcceptedSocket, _ request: ClientRequest, _ place: Client.Place,
        on loop: EventLoop
    ) throws(ClientError) {
        do throws(SocketError) {
            socket = try Socket(adopting: accepted, on: loop)
        } catch {
            throw ClientError(place, error)
        }
        self.request = request
        self.place = place
        reader = AnswerReader(answering: request.method)
    }

    /// Begins TLS, and checks the server's name.
    mutating func startTLS(_ context: TLSClientContext) async throws(ClientError) {
        do throws(SocketError) {
            try await socket.startTLS(
                context, host: place.host, until: socket.loop.now + request.milliseconds)
        } catch {
            throw ClientError(place, error)
        }
    }

    /// Sends the request, hands the answer's content on, and returns its head.
    mutating func run(handing take: Client.PartTaker) async throws(ClientError) -> AnswerHead {
        var failure: ClientError?
        do throws(ClientError) {
            try await sendRequest()
        } catch {
            if hasSourceFailed { throw error }
            failure = error
        }
        do throws(ClientError) {
            return try await receive(handing: take)
        } catch {
            // A server that refuses what is being sent may have said why before it closed.
            throw failure ?? error
        }
    }

    // MARK: Sending

    private mutating func sendRequest() async throws(ClientError) {
        let start = request.head(for: place)
        switch request.body {
        case .none: try await write(start)
        case .bytes(let bytes): try await write(start + bytes)
        case .parts(let parts):
            try await write(start)
            if try await mayContinue() { try await send(parts) }
        }
    }

    /// Whether the server wants the body; it may have answered already.
    private mutating func mayContinue() async throws(ClientError) -> Bool {
        var none: [UInt8] = []
        while true {
            switch try reader.step(&input, into: &none) {
            case .interim(let interim) where interim.status == 100: return true
            case .interim: continue
            case .head(let head):
                self.head = head
                return false
            case .content, .end: return false
            case .starved:
                guard let count = try await read(within: Self.continueMilliseconds) else {
                    return true
                }
                if count == 0 { return false }
            }
        }
    }

    private mutating func send(
        _ parts: any AsyncSequence<[UInt8], any Error> & Sendable
    ) async throws(ClientError) {
        let source = PartSource(parts)
        while true {
            let part: [UInt8]?
            do {
                part = try await source.next().get()
            } catch {
                // That the last chunk is missing tells the server (RFC 9112 §8).
                hasSourceFailed = true
                throw ClientError("\(error)")
            }
            guard let part else { return try await write(Array("0\r\n\r\n".utf8)) }
            if part.isEmpty { continue }
            let size = Array("\(String(part.count, radix: 16))\r\n".utf8)
            try await write(size + part + Array("\r\n".utf8))
        }
    }

    private mutating func write(_ bytes: [UInt8]) async throws(ClientError) {
        let pace = WritePace(stallMilliseconds: request.milliseconds, bytesPerSecond: 1)
        do throws(SocketError) {
            try await socket.write(bytes, pace: pace)
        } catch {
            throw ClientError(place, error)
        }
    }

    // MARK: Receiving

    private mutating func receive(
        handing take: Client.PartTaker
    ) async throws(ClientError) -> AnswerHead {
        while true {
            var part: [UInt8] = []
            let step = try reader.step(&input, into: &part)
            if !part.isEmpty { try await hand(part, to: take) }
            switch step {
            case .interim, .content: continue
            case .head(let head): self.head = head
            case .end: break
            case .starved:
                let count = try await read(within: request.milliseconds)
                if count == nil { throw ClientError(place, .timedOut) }
                if count == 0 { try reader.finish() }
            }
            if case .end = step, let head { return head }
        }
    }

    private func hand(
        _ part: [UInt8], to take: Client.PartTaker
    ) async throws(ClientError) {
        guard let head else { return }
        do {
            try await take(head, part)
        } catch let error as ClientError {
            throw error
        } catch {
            throw ClientError("\(error)")
        }
    }

    /// How many bytes came, 0 at the end; nil when none came in time.
    private mutating func read(within milliseconds: UInt64) async throws(ClientError) -> Int? {
        do throws(SocketError) {
            return try await socket.read(into: &input, until: socket.loop.now + milliseconds)
        } catch .timedOut {
            return nil
        } catch {
            throw ClientError(place, error)
        }
    }
}
