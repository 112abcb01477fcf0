// How many connections are let in, in all and from one address, and who is not counted.

import Sockets
import Testing

@testable import HTTP1

struct ConnectionGateTests {
    private static func gate(
        connections: Int = 100, perAddress: Int = 100, rejected: Int = 1
    ) throws -> ConnectionGate {
        var limits = HTTP1.Limits()
        limits.connections = connections
        limits.connectionsPerAddress = perAddress
        limits.rejectedConnections = rejected
        let proxies = [try #require(AddressBlock("10.0.0.0/8"))]
        return ConnectionGate(
            ServerSettings(limits: limits, trustedProxies: proxies, trustsUnixPeers: false))
    }

    private static func peer(_ text: String) throws -> SocketAddress {
        .ip(try #require(IPAddress(text.utf8)), port: 5)
    }

    @Test("beyond the limit a connection is turned away, and dropped when too many are")
    func inAll() throws {
        let gate = try Self.gate(connections: 2)
        let peer = try Self.peer("192.0.2.1")
        let decisions = (0..<4).map { _ in gate.enter(peer) }
        #expect(decisions == [.admitted, .admitted, .rejected, .dropped])
        gate.leave(peer, .rejected)
        #expect(gate.enter(peer) == .rejected)
        gate.leave(peer, .admitted)
        #expect(gate.enter(peer) == .admitted)
    }

    @Test("one address can't take the connections of another")
    func perAddress() throws {
        let gate = try Self.gate(perAddress: 1)
        let (one, other) = (try Self.peer("192.0.2.1"), try Self.peer("192.0.2.2"))
        #expect(gate.enter(one) == .admitted)
        #expect(gate.enter(one) == .rejected)
        #expect(gate.enter(other) == .admitted)
        gate.leave(one, .admitted)
        #expect(gate.enter(one) == .admitted)
    }

    @Test("an IPv6 client is counted by its network, an IPv4 client by its address in any form")
    func perNetwork() throws {
        let gate = try Self.gate(perAddress: 1)
        #expect(gate.enter(try Self.peer("2001:db8:0:1::1")) == .admitted)
        #expect(gate.enter(try Self.peer("2001:db8:0:1:ffff:ffff:ffff:ffff")) == .rejected)
        #expect(gate.enter(try Self.peer("2001:db8:0:2::1")) == .admitted)
        #expect(gate.enter(try Self.peer("::ffff:192.0.2.1")) == .admitted)
        #expect(gate.enter(try Self.peer("192.0.2.1")) == .dropped)
        #expect(gate.enter(try Self.peer("::ffff:192.0.2.2")) == .admitted)
        gate.leave(try Self.peer("2001:db8:0:1::1"), .admitted)
        #expect(gate.enter(try Self.peer("2001:db8:0:1::5")) == .admitted)
    }

    @Test("loopback, Unix-domain sockets and trusted proxies speak for many")
    func exempt() throws {
        let gate = try Self.gate(perAddress: 1)
        let peers: [SocketAddress] = [
            try Self.peer("127.0.0.1"), try Self.peer("::1"), try Self.peer("10.1.2.3"), .unix,
        ]
        for peer in peers + peers { #expect(gate.enter(peer) == .admitted) }
    }

    @Test("RFC 9110 §15.6.4: who is turned away is told when to come again; others are not harmed")
    func rejected() async throws {
        var limits = TestServer.limits
        limits.connections = 1
        try await TestServer.run(limits: limits) { server in
            let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            async let first = server.connect { peer in
                try await peer.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try await peer.answer()
                arrival.finish()
                for await _ in ends {}
                try await peer.send("GET /b HTTP/1.1\r\nHost: a\r\n\r\n")
                return try await peer.answer()
            }
            for await _ in arrivals {}
            let refused = try await server.connect { try await $0.answers() }
            #expect(refused.map(\.status) == [503])
            #expect(refused.first?["Retry-After"] == "5")
            #expect(refused.first?.closes == true)
            end.finish()
            #expect(text(try await first.body) == "GET /b")
        }
    }

    /// A request of a client that the PROXY header names.
    private static func request(of client: String) -> String {
        "PROXY TCP4 \(client) 198.51.100.1 4711 80\r\nGET /a HTTP/1.1\r\nHost: a\r\n\r\n"
    }

    @Test("where a PROXY header is due, the address that it names is limited, not the proxy's")
    func perClient() async throws {
        var limits = TestServer.limits
        limits.connectionsPerAddress = 1
        try await TestServer.run(limits: limits, expectsProxyHeader: true) { server in
            let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            async let first = server.connect { peer in
                try await peer.send(Self.request(of: "192.0.2.1"))
                let answer = try await peer.answer()
                arrival.finish()
                for await _ in ends {}
                return answer.status
            }
            for await _ in arrivals {}
            let same = try await server.exchange(Self.request(of: "192.0.2.1"))
            #expect(same.map(\.status) == [503])
            let other = try await server.exchange(Self.request(of: "192.0.2.2"))
            #expect(other.map(\.status) == [200])
            end.finish()
            #expect(try await first == 200)
            // The server learns a moment later that the first connection has ended.
            var status: Int?
            for _ in 0..<6000 where status != 200 {
                try await Task.sleep(for: .milliseconds(10))
                status = try await server.exchange(Self.request(of: "192.0.2.1")).first?.status
            }
            #expect(status == 200)
        }
    }
}
