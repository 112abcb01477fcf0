// The number of descriptors that the process may open, and how they are divided. Each connection
// needs one, and essential parts of the process must always get one: libdispatch traps without. So
// connections are refused long before the limit is reached.

import CLinux

/// The limit of open descriptors (`RLIMIT_NOFILE`).
package enum DescriptorLimit {
    /// Raises the soft limit to the hard one, and returns it.
    package static func raise() -> Int { Int(max(0, clinux_raise_descriptor_limit())) }

    /// The current limit; nil if it can't be known.
    package static var current: Int? {
        let limit = clinux_descriptor_limit()
        return limit < 0 ? nil : Int(limit)
    }

    /// Number of all open descriptors; nil if it can't be known.
    ///
    /// O(descriptors), some milliseconds for thousands.
    package static var openCount: Int? {
        let count = clinux_count_descriptors()
        return count < 0 ? nil : Int(count)
    }

    /// Number of open descriptors among the first 4,096; a starting server has no others.
    package static func countOpen(below limit: Int) -> Int {
        Int(clinux_open_descriptors(Int32(min(limit, 4096))))
    }
}

/// How a started server divides the remaining descriptors.
package struct DescriptorBudget: Sendable, Equatable {
    /// Maximum number of open connections.
    package let connections: Int

    /// Maximum number of further connections that are open to be refused with a response.
    package let rejectedConnections: Int

    /// Divides what is left of `limit` when `open` descriptors are in use and the reserve is set
    /// aside (see `Limits.reservedDescriptors`).
    ///
    /// - Parameters:
    ///   - connections: the number wanted.
    ///   - rejectedConnections: the number wanted.
    ///   - outgoingRequests: the number of requests that the process may send at the same time. At
    ///     a small limit, fewer than that are set aside, so that a server can start.
    ///
    /// Nil if fewer than `Limits.fewestConnections` remain. O(1).
    package init?(
        limit: Int, open: Int, connections: Int, rejectedConnections: Int, outgoingRequests: Int
    ) {
        let shared = min(Limits.sharedDescriptors, limit / 8)
        let left = limit - open - Limits.reservedDescriptors - shared
        let outgoing = min(outgoingRequests, max(0, left - 2 * Limits.fewestConnections) / 2)
        let room = left - outgoing
        let rejected = min(rejectedConnections, room / 4)
        guard room - rejected >= Limits.fewestConnections else { return nil }
        self.connections = min(connections, room - rejected)
        self.rejectedConnections = rejected
    }
}
