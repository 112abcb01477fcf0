// How descriptors are shared out between connections and what the process can't do without.

import Testing

@testable import Sockets

struct DescriptorLimitTests {
    @Test(
        "connections get what is left of the limit, and no more than they want",
        arguments: [
            // The reserve is 16, and an eighth of the limit, at most 64.
            (limit: 64, open: 25, connections: 12, rejected: 3),
            (limit: 256, open: 25, connections: 138, rejected: 45),
            (limit: 1024, open: 25, connections: 855, rejected: 64),
            (limit: 65_536, open: 25, connections: 16_384, rejected: 64),
        ])
    func shares(limit: Int, open: Int, connections: Int, rejected: Int) {
        let budget = DescriptorBudget(
            limit: limit, open: open, connections: 16_384, rejectedConnections: 64)
        #expect(budget?.connections == connections)
        #expect(budget?.rejectedConnections == rejected)
    }

    @Test("what is too little to serve is no budget")
    func tooLittle() {
        for open in 34...64 {
            #expect(
                DescriptorBudget(
                    limit: 64, open: open, connections: 100, rejectedConnections: 64) == nil)
        }
    }

    @Test("connections, those that are refused and the reserve never exceed the limit")
    func sum() throws {
        for limit in 64...2048 {
            guard
                let budget = DescriptorBudget(
                    limit: limit, open: 30, connections: 16_384, rejectedConnections: 64)
            else { continue }
            let used = 30 + budget.connections + budget.rejectedConnections
            #expect(used + Limits.reservedDescriptors <= limit)
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
