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

        mutating func release(_ address: IPAddress?) {
            guard let address, let own = byAddress[address] else { return }
            byAddress[address] = own > 1 ? own - 1 : nil
        }
    }

    private let counts = Mutex(Counts())
    private let settings: ServerSettings

    init(_ settings: ServerSettings) {
        self.settings = settings
    }

    /// Decides about a connection from `peer`; unless it is dropped, `leave` must follow.
    ///
    /// IPv6 addresses of one network (/64) count as one. Loopback, Unix-domain sockets and trusted
    /// proxies carry many clients, so they count only in the total; so does a peer that a PROXY
    /// header will name (nil), until `ClientPlace` counts it. O(1).
    func enter(_ peer: SocketAddress?) -> Decision {
        let address = peer.flatMap(limitedAddress)
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
    func leave(_ peer: SocketAddress?, _ decision: Decision) {
        let address = peer.flatMap(limitedAddress)
        counts.withLock { counts in
            guard decision == .admitted else {
                counts.rejected -= 1
                return
            }
            counts.admitted -= 1
            counts.release(address)
        }
    }

    /// Decides about an admitted connection whose PROXY header names `client`.
    fileprivate func enter(for client: SocketAddress) -> Decision {
        guard let address = limitedAddress(client) else { return .admitted }
        let limits = settings.limits
        return counts.withLock { counts in
            let own = counts.byAddress[address, default: 0]
            if own < limits.connectionsPerAddress {
                counts.byAddress[address] = own + 1
                return .admitted
            }
            guard counts.rejected < limits.rejectedConnections else { return .dropped }
            counts.rejected += 1
            return .rejected
        }
    }

    /// Records the end of a connection that `enter(for:)` has decided about.
    fileprivate func leave(for client: SocketAddress, _ decision: Decision) {
        let address = limitedAddress(client)
        counts.withLock { counts in
            if decision == .admitted { counts.release(address) }
            if decision == .rejected { counts.rejected -= 1 }
        }
    }

    /// The address that a peer is counted by; nil if it only counts in the total.
    private func limitedAddress(_ peer: SocketAddress) -> IPAddress? {
        guard let address = peer.ip, !address.isLoopback, !settings.trusts(peer) else { return nil }
        return address.network
    }
}

/// The place of a client that a PROXY header names, among the connections of its address.
final class ClientPlace: Sendable {
    let decision: ConnectionGate.Decision
    private let client: SocketAddress
    private let gate: ConnectionGate

    /// Takes a place; it is free again when nothing refers to this value.
    init(of client: SocketAddress, in gate: ConnectionGate) {
        decision = gate.enter(for: client)
        self.client = client
        self.gate = gate
    }

    deinit { gate.leave(for: client, decision) }
}
