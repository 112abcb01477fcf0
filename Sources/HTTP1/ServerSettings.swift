// What all connections of a server share: held once, so that a connection stays small.

import Sockets
import Synchronization

/// Limits, trust and habits of a server.
package final class ServerSettings: Sendable {
    package let limits: Limits

    /// Proxies whose word about where a request comes from is taken.
    package let trustedProxies: [AddressBlock]

    /// Whether peers of Unix-domain sockets are such proxies too.
    package let trustsUnixPeers: Bool

    /// Whether responses say how long they took to make.
    package let sendsServerTiming: Bool

    /// What unfinished small requests and responses hold.
    let smallMemory: MemoryBudget

    /// What large requests hold.
    let bodyMemory: MemoryBudget

    let pace: WritePace

    private let connectionID = Atomic<UInt64>(UInt64.random(in: .min ... .max))

    /// 2⁶⁴ divided by the golden ratio, and odd: its multiples are as far apart as they can be, so
    /// that connections can count up their requests without meeting.
    private static let connectionStep: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// - Parameter workMemory: what large responses hold; their clients must hurry while it is short.
    package init(
        limits: Limits = Limits(), trustedProxies: [AddressBlock] = [],
        trustsUnixPeers: Bool = false, sendsServerTiming: Bool = false,
        workMemory: MemoryBudget = MemoryBudget(bytes: Limits.workMemoryBytes)
    ) {
        self.limits = limits
        self.trustedProxies = trustedProxies
        self.trustsUnixPeers = trustsUnixPeers
        self.sendsServerTiming = sendsServerTiming
        let smallMemory = MemoryBudget(bytes: limits.smallMemoryBytes)
        self.smallMemory = smallMemory
        bodyMemory = MemoryBudget(bytes: limits.bodyMemoryBytes)
        pace = WritePace(
            stallMilliseconds: limits.writeStallMilliseconds,
            bytesPerSecond: limits.writeBytesPerSecond,
            hurry: WritePace.Hurry(stallMilliseconds: limits.hurriedMilliseconds) {
                smallMemory.isShort || workMemory.isShort
            })
    }

    /// Whether little memory is left, so that peers get less patience.
    var isMemoryShort: Bool { smallMemory.isShort || bodyMemory.isShort }

    /// The number that a connection counts its requests from: random for each start of the server.
    func nextConnectionID() -> UInt64 {
        connectionID.wrappingAdd(Self.connectionStep, ordering: .relaxed).newValue
    }

    /// Whether a peer's `Forwarded` fields and request ids are believed.
    func trusts(_ peer: SocketAddress) -> Bool {
        switch peer {
        case .ip(let address, _): trustedProxies.contains { $0.contains(address) }
        case .unix: trustsUnixPeers
        }
    }
}
