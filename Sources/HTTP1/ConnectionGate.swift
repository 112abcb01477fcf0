// Counts connections, so that neither many peers nor a single one can use up all of them.

import Sockets
import Synchronization

/// The open connections of a server, in total and by address.
final class ConnectionGate: Sendable {
    /// What happens to a connection that has just been accepted.
    enum Decision: Equatable {
        case admitted
        /// There are too many connections: respond with that, then close.
        case rejected
        /// Too many connections are being turned away, so this one is closed without a response.
        case dropped
    }

    private struct Counts {
        var admitted = 0
        var rejected = 0
        /// Connections that were admitted since the start.
        var total = 0
        var byAddress: [IPAddress: Int] = [:]
    }

    private let counts = Mutex(Counts())
    private let settings: ServerSettings

    init(_ settings: ServerSettings) {
        self.settings = settings
    }

    /// Decides about a connection from `peer`; unless it is dropped, `leave` must follow.
    ///
    /// IPv6 addresses of one network (/64) count as one. Loopback, Unix-domain sockets and trusted
    /// proxies carry many clients, so they count only in the total. O(1).
    func enter(_ peer: SocketAddress) -> Decision {
        let address = limitedAddress(peer)
        let limits = settings.limits
        return counts.withLock { counts in
            let own = address.map { counts.byAddress[$0, default: 0] } ?? 0
            if counts.admitted < limits.connections, own < limits.connectionsPerAddress {
                counts.admitted += 1
                counts.total += 1
                if let address { counts.byAddress[address] = own + 1 }
                return .admitted
            }
            guard counts.rejected < limits.rejectedConnections else { return .dropped }
            counts.rejected += 1
            return .rejected
        }
    }

    /// Number of open connections that were admitted, and of all that ever were.
    var admitted: (open: Int, total: Int) { counts.withLock { ($0.admitted, $0.total) } }

    /// Records the end of a connection that was not dropped.
    func leave(_ peer: SocketAddress, _ decision: Decision) {
        let address = limitedAddress(peer)
        counts.withLock { counts in
            guard decision == .admitted else {
                counts.rejected -= 1
                return
            }
            counts.admitted -= 1
            guard let address, let own = counts.byAddress[address] else { return }
            counts.byAddress[address] = own > 1 ? own - 1 : nil
        }
    }

    /// The address that a peer is counted by; nil if it only counts in the total.
    private func limitedAddress(_ peer: SocketAddress) -> IPAddress? {
        guard let address = peer.ip, !address.isLoopback, !settings.trusts(peer) else { return nil }
        return address.network
    }
}
