// How many descriptors the process may have open, and how they are shared out: each connection takes
// one, and what the process can't do without must always find one. libdispatch traps without, so
// connections are refused long before none is left.

import CLinux

/// The limit of open descriptors (`RLIMIT_NOFILE`).
package enum DescriptorLimit {
    /// Raises the soft limit to the hard one, and returns it.
    package static func raise() -> Int { Int(max(0, clinux_raise_descriptor_limit())) }

    /// Descriptors that are open now, of the first 4,096 numbers: a server that starts has no others.
    package static func countOpen(below limit: Int) -> Int {
        Int(clinux_open_descriptors(Int32(min(limit, 4096))))
    }
}

/// How the descriptors that a started server has left are shared out.
package struct DescriptorBudget: Sendable, Equatable {
    /// Connections that may be open at the same time.
    package let connections: Int

    /// Connections beyond these that may be open at the same time to be refused with a response.
    package let connectionsTurnedAway: Int

    /// Shares out what is left of `limit` when `open` descriptors are in use and the reserve is set
    /// aside (see `Limits.reservedDescriptors`).
    ///
    /// - Parameters:
    ///   - connections: the most that are wanted.
    ///   - connectionsTurnedAway: the most that are wanted.
    ///
    /// Nil when fewer than `Limits.fewestConnections` remain. O(1).
    package init?(limit: Int, open: Int, connections: Int, connectionsTurnedAway: Int) {
        let shared = min(Limits.sharedDescriptors, limit / 8)
        let room = limit - open - Limits.reservedDescriptors - shared
        let turnedAway = min(connectionsTurnedAway, room / 4)
        guard room - turnedAway >= Limits.fewestConnections else { return nil }
        self.connections = min(connections, room - turnedAway)
        self.connectionsTurnedAway = turnedAway
    }
}
