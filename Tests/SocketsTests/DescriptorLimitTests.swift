// How descriptors are shared out between connections and what the process can't do without.

import Testing

@testable import Sockets

struct DescriptorLimitTests {
    @Test(
        "connections get what is left of the limit, and no more than they want",
        arguments: [
            // The reserve is 16, and an eighth of the limit, at most 64; then the requests.
            (limit: 64, outgoing: 0, connections: 12, rejected: 3),
            (limit: 64, outgoing: 24, connections: 12, rejected: 3),
            (limit: 256, outgoing: 0, connections: 138, rejected: 45),
            (limit: 256, outgoing: 24, connections: 120, rejected: 39),
            (limit: 256, outgoing: 10_000, connections: 75, rejected: 25),
            (limit: 1024, outgoing: 0, connections: 855, rejected: 64),
            (limit: 1024, outgoing: 152, connections: 703, rejected: 64),
            (limit: 65_536, outgoing: 152, connections: 16_384, rejected: 64),
        ])
    func shares(limit: Int, outgoing: Int, connections: Int, rejected: Int) {
        let budget = DescriptorBudget(
            limit: limit, open: 25, connections: 16_384, rejectedConnections: 64,
            outgoingRequests: outgoing)
        #expect(budget?.connections == connections)
        #expect(budget?.rejectedConnections == rejected)
    }

    @Test("what is too little to serve is no budget")
    func tooLittle() {
        for open in 34...64 {
            #expect(
                DescriptorBudget(
                    limit: 64, open: open, connections: 100, rejectedConnections: 64,
                    outgoingRequests: 0) == nil)
        }
    }

    @Test("connections, those that are refused and the reserve never exceed the limit")
    func sum() throws {
        for limit in 64...2048 {
            guard
                let budget = DescriptorBudget(
                    limit: limit, open: 30, connections: 16_384, rejectedConnections: 64,
                    outgoingRequests: 24)
            else { continue }
            let used = 30 + budget.connections + budget.rejectedConnections
            #expect(used + Limits.reservedDescriptors + (limit < 128 ? 0 : 24) <= limit)
        }
    }

    @Test("requests to other servers keep no server from starting")
    func start() throws {
        for open in 0...64 {
            let budgets = [0, 24, 10_000].map {
                DescriptorBudget(
                    limit: 64, open: open, connections: 100, rejectedConnections: 64,
                    outgoingRequests: $0)
            }
            #expect(budgets.allSatisfy { ($0 == nil) == (budgets[0] == nil) })
        }
    }

    @Test("open descriptors are counted")
    func counted() throws {
        // Other tests open and close descriptors at the same time, but not all the time.
        let wasCounted = try (0..<100).contains { _ in
            let before = DescriptorLimit.countOpen(below: 4096)
            let listeners = try (0..<5).map { _ in
                try Listener(host: "127.0.0.1", port: 0, isShared: false)
            }
            return DescriptorLimit.countOpen(below: 4096) == before + listeners.count
        }
        #expect(wasCounted)
    }

    @Test("an IPv6 address is one of its network's, an IPv4 address is its own")
    func network() throws {
        let pairs = [
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"), ("192.0.2.1", "192.0.2.1"),
            ("::ffff:192.0.2.1", "192.0.2.1"), ("fe80::1", "fe80::"),
        ]
        for (text, network) in pairs {
            #expect(IPAddress(Array(text.utf8))?.network == IPAddress(Array(network.utf8)))
        }
    }
}
