// Two sessions at the two ends of a connection, driven by hand. An end learns of what came as from an
// edge-triggered loop, once for each arrival: what would make a connection hang makes a test fail.

import Foundation
import TestClient
import Testing

@testable import Sockets

/// One end: a session and its descriptor, which it closes.
final class TLSEnd {
    var session: TLSSession
    let descriptor: Int32
    private var isOpen = true
    private var waiting = 0
    private var sawHangUp = false

    init(_ context: TLSContext, _ descriptor: Int32) throws {
        session = try TLSSession(server: context, descriptor: descriptor)
        self.descriptor = descriptor
    }

    init(_ context: TLSClientContext, _ descriptor: Int32, host: String) throws {
        session = try context.session(over: descriptor, host: host)
        self.descriptor = descriptor
    }

    deinit { hangUp() }

    // What tests expect of a session, which can't be copied into an expectation.
    var version: String { session.negotiatedVersion }
    var serverName: String? { session.serverName }
    var subject: String? { session.peerSubject }
    var isResumed: Bool { session.isResumed }
    var mustReceive: Bool { session.mustReceive }
    var receivedPlainHTTP: Bool { session.receivedPlainHTTP }

    /// Closes the descriptor without a word.
    func hangUp() {
        guard isOpen else { return }
        isOpen = false
        close(descriptor)
    }

    /// Tells the session of octets that came since the last call, and of a hang-up, once each.
    ///
    /// The other end must not run meanwhile: what it sends during a call would be missed.
    func noticeArrivals() {
        let count = octetsWaiting(at: descriptor)
        let isHungUp = !sawHangUp && hasHungUp(descriptor)
        if isHungUp { sawHangUp = true }
        if count > waiting || isHungUp { session.mayReceive(isHungUp: isHungUp) }
        waiting = count
    }

    func handshake() -> TLSSession.Outcome {
        noticeArrivals()
        defer { waiting = octetsWaiting(at: descriptor) }
        return session.handshake()
    }

    /// Reads at the most `capacity` octets.
    func read(_ capacity: Int = 16_384) -> (outcome: TLSSession.Outcome, octets: [UInt8]) {
        noticeArrivals()
        defer { waiting = octetsWaiting(at: descriptor) }
        var buffer = [UInt8](repeating: 0, count: capacity)
        let outcome = unsafe buffer.withUnsafeMutableBytes { unsafe session.read(into: $0) }
        guard case .done(let count) = outcome else { return (outcome, []) }
        return (outcome, Array(buffer[..<count]))
    }

    /// Reads until the session has no more, or what else it says.
    func readAll() -> (outcome: TLSSession.Outcome, octets: [UInt8]) {
        var octets: [UInt8] = []
        while true {
            let (outcome, more) = read()
            octets += more
            guard case .done = outcome else { return (outcome, octets) }
        }
    }

    func write(_ octets: some Collection<UInt8>) -> TLSSession.Outcome {
        unsafe Array(octets).withUnsafeBytes { unsafe session.write($0) }
    }
}

/// Two connected descriptors that don't block.
func connectedDescriptors() throws -> (Int32, Int32) {
    var pair: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(unsafe socketpair(AF_UNIX, type, 0, &pair) == 0)
    return (pair[0], pair[1])
}

private func octetsWaiting(at descriptor: Int32) -> Int {
    var count: Int32 = 0
    return unsafe ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
}

private func hasHungUp(_ descriptor: Int32) -> Bool {
    let readHangUp: Int16 = 0x2000  // POLLRDHUP
    var entry = pollfd(fd: descriptor, events: readHangUp, revents: 0)
    return unsafe poll(&entry, 1, 0) == 1
}

/// A server and a client that are connected, before their handshake.
struct TLSPair {
    let server: TLSEnd
    let client: TLSEnd
    private let clientContext: TLSClientContext

    init(
        _ serverContext: TLSContext, _ clientContext: TLSClientContext,
        host: String = "first.example"
    ) throws {
        let (left, right) = try connectedDescriptors()
        server = try TLSEnd(serverContext, left)
        client = try TLSEnd(clientContext, right, host: host)
        self.clientContext = clientContext
    }

    /// Lets both go on in turns until neither waits any more, and says how it ended for each.
    func handshake(
        turns: Int = 50
    ) -> (server: TLSSession.Outcome, client: TLSSession.Outcome) {
        var (ofServer, ofClient) = (TLSSession.Outcome.wantsRead, TLSSession.Outcome.wantsRead)
        for _ in 0..<turns {
            if ofClient == .wantsRead { ofClient = client.handshake() }
            if ofServer == .wantsRead { ofServer = server.handshake() }
            if ofClient != .wantsRead, ofServer != .wantsRead { break }
        }
        return (ofServer, ofClient)
    }

    /// Completes the handshake.
    func connect() throws {
        let outcome = handshake()
        try #require(outcome.server == .done(0))
        try #require(outcome.client == .done(0))
    }

    /// Says good-bye on both sides, and lets the client resume the session from now on.
    func finish() {
        _ = client.readAll()
        _ = client.session.shutdown()
        _ = server.session.shutdown()
        clientContext.remember(client.session)
    }
}
