// Octets through a session: what is sent arrives, an end is seen as one, and nothing hangs.

import Foundation
import Testing

@testable import Sockets

@Suite struct TLSStreamTests {
    private func connected(isOld: Bool = false) throws -> TLSPair {
        let pair = try TLSPair(serverContext(), clientContext(isOld: isOld))
        try pair.connect()
        return pair
    }

    @Test(arguments: [false, true])
    func muchIsSentInPartsWhileThePeerIsSlow(isOld: Bool) throws {
        let pair = try connected(isOld: isOld)
        let message = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        var (sent, received, refusals) = (0, [UInt8](), 0)
        while received.count < message.count {
            sending: while sent < message.count {
                // A copy each time: the octets lie elsewhere when they come again.
                switch pair.server.write(message[sent...].prefix(100_000)) {
                case .done(let count):
                    #expect((1..<100_000).contains(count))
                    sent += count
                case .wantsWrite:
                    refusals += 1
                    break sending
                case let other:
                    Issue.record("\(other)")
                    return
                }
            }
            let before = received.count
            received += pair.client.readAll().octets
            try #require(received.count > before, "it hangs")
        }
        #expect(received == message)
        #expect(refusals > 0)
    }

    @Test(arguments: [1, 7, 100, 16_384])
    func whatOneReceiveBroughtIsReadToTheEnd(capacity: Int) throws {
        let pair = try connected()
        let parts = (0..<20).map { [UInt8](repeating: UInt8($0), count: 10 + $0 * 37) }
        for part in parts { #expect(pair.client.write(part) == .done(part.count)) }
        // One arrival, many reads.
        pair.server.noticeArrivals()
        var octets: [UInt8] = []
        while true {
            var buffer = [UInt8](repeating: 0, count: capacity)
            let outcome = unsafe buffer.withUnsafeMutableBytes {
                unsafe pair.server.session.read(into: $0)
            }
            guard case .done(let count) = outcome else {
                #expect(outcome == .wantsRead)
                break
            }
            octets += buffer[..<count]
        }
        #expect(octets == parts.flatMap { $0 })
    }

    @Test(arguments: [false, true])
    func aRequestThatComesWithTheEndOfTheHandshakeIsRead(isOld: Bool) throws {
        let pair = try TLSPair(serverContext(), clientContext(isOld: isOld))
        var (ofServer, ofClient) = (TLSSession.Outcome.wantsRead, TLSSession.Outcome.wantsRead)
        for _ in 0..<10 where ofServer == .wantsRead {
            if ofClient == .wantsRead { ofClient = pair.client.handshake() }
            // In TLS 1.3 the client is ready before the server is.
            if ofClient == .done(0), !isOld { #expect(pair.client.write([1, 2, 3]) == .done(3)) }
            ofServer = pair.server.handshake()
        }
        #expect(ofServer == .done(0))
        if isOld {
            #expect(pair.client.handshake() == .done(0))
            #expect(pair.client.write([1, 2, 3]) == .done(3))
        }
        #expect(pair.server.read().octets == [1, 2, 3])
    }

    @Test func nothingIsReceivedBeforeTheLoopHasSeenMore() throws {
        let pair = try connected()
        #expect(pair.client.write([1]) == .done(1))
        #expect(pair.server.read().octets == [1])
        #expect(!pair.server.mustReceive)

        #expect(pair.client.write([2]) == .done(1))
        var octet: UInt8 = 0
        let early = unsafe withUnsafeMutableBytes(of: &octet) {
            unsafe pair.server.session.read(into: $0)
        }
        #expect(early == .wantsRead)
        #expect(!pair.server.mustReceive)
        pair.server.session.mayReceive(isHungUp: false)
        #expect(pair.server.mustReceive)
        #expect(pair.server.read().octets == [2])
    }

    @Test func halfARecordNeedsTheOtherHalf() throws {
        let pair = try connected()
        #expect(pair.client.write([UInt8](repeating: 7, count: 16_384)) == .done(16_384))
        #expect(pair.server.read(100).octets.count == 100)
        #expect(pair.server.mustReceive)
        #expect(pair.server.readAll().octets.count == 16_284)
        #expect(!pair.server.mustReceive)
    }

    @Test(arguments: [false, true])
    func aGoodByeIsSeenAsTheEndAndTheOtherDirectionGoesOn_RFC8446_6_1(isOld: Bool) throws {
        let pair = try connected(isOld: isOld)
        #expect(pair.client.write([1]) == .done(1))
        #expect(pair.client.session.shutdown() == .done(0))
        #expect(pair.client.session.shutdown() == .done(0))
        let (outcome, octets) = pair.server.readAll()
        #expect(octets == [1])
        #expect(outcome == .closed)
        #expect(pair.server.read().outcome == .closed)
        #expect(pair.server.write([2, 3]) == .done(2))
        #expect(pair.server.session.shutdown() == .done(0))
        #expect(pair.client.readAll().octets == [2, 3])
        #expect(pair.client.read().outcome == .closed)
    }

    @Test func aPeerThatFinishesWithoutAWordIsSeenAsTheEndToo() throws {
        let pair = try connected()
        #expect(pair.client.write([1]) == .done(1))
        shutdown(pair.client.descriptor, Int32(SHUT_WR))
        // Octets and the end came at once: there is no second event.
        let (outcome, octets) = pair.server.readAll()
        #expect(octets == [1])
        #expect(outcome == .closed)
        #expect(pair.server.write([2]) == .done(1))
        #expect(pair.client.readAll().octets == [2])
    }

    @Test func aLoopThatCanNotTellAHangUpMissesNoneEither() throws {
        let pair = try connected()
        #expect(pair.client.write([1]) == .done(1))
        shutdown(pair.client.descriptor, Int32(SHUT_WR))
        pair.server.session.mayReceive()
        var buffer = [UInt8](repeating: 0, count: 10)
        for expected in [TLSSession.Outcome.done(1), .closed] {
            let outcome = unsafe buffer.withUnsafeMutableBytes {
                unsafe pair.server.session.read(into: $0)
            }
            #expect(outcome == expected)
        }
    }

    @Test func aPeerThatIsGoneEndsAWriteWithoutASignal() throws {
        let pair = try connected()
        pair.client.hangUp()
        #expect(pair.server.write([1]) == .closed)
        #expect(pair.server.session.shutdown() == .done(0))
    }

    @Test(arguments: ["GET / HTTP/1.1\r\n\r\n", "POST /a HTTP/1.1\r\n\r\n"])
    func aRequestInPlainTextIsRecognised(request: String) throws {
        let (left, right) = try connectedDescriptors()
        let server = try TLSEnd(serverContext(), left)
        defer { close(right) }
        let octets = Array(request.utf8)
        #expect(unsafe send(right, octets, octets.count, 0) == octets.count)
        #expect(server.handshake() == .failed("http request"))
        #expect(server.receivedPlainHTTP)
        // Nothing has been answered, so that an answer in plain text can be read.
        var answer = [UInt8](repeating: 0, count: 10)
        #expect(unsafe recv(right, &answer, 10, 0) == -1)
    }

    @Test(arguments: ["SSH-2.0-OpenSSH_9.2\r\n", "\u{16}\u{3}\u{1}\u{0}\u{5}hello", "\0\0\0\0\0\0"])
    func whatIsNoHandshakeIsRefused(text: String) throws {
        let (left, right) = try connectedDescriptors()
        let server = try TLSEnd(serverContext(), left)
        defer { close(right) }
        let octets = Array(text.utf8)
        #expect(unsafe send(right, octets, octets.count, 0) == octets.count)
        guard case .failed = server.handshake() else {
            Issue.record("it isn't refused")
            return
        }
        #expect(!server.receivedPlainHTTP)
    }

    @Test func aPeerThatLeavesDuringTheHandshakeIsSeenAsTheEnd() throws {
        let pair = try TLSPair(serverContext(), clientContext())
        #expect(pair.client.handshake() == .wantsRead)
        #expect(pair.server.handshake() == .wantsRead)
        #expect(pair.server.session.shutdown() == .done(0))
        pair.client.hangUp()
        #expect(pair.server.handshake() == .closed)
    }

    @Test(arguments: [false, true])
    func aRecordThatWasChangedOnTheWayIsRefused(isOld: Bool) throws {
        let pair = try connected(isOld: isOld)
        let record: [UInt8] = [23, 3, 3, 0, 32] + [UInt8](repeating: 1, count: 32)
        #expect(unsafe send(pair.client.descriptor, record, record.count, 0) == record.count)
        let reason = "decryption failed or bad record mac"
        #expect(pair.server.read().outcome == .failed(reason))
        #expect(pair.server.session.shutdown() == .done(0))
    }
}
