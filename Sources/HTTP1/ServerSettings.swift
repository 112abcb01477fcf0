// Settings that all connections of a server share: stored once, so that a connection stays small.

import Sockets
import Synchronization

/// Limits, trusted proxies and options of a server.
package final class ServerSettings: Sendable {
    /// The limits of connections and of their requests.
    package let limits: Limits

    /// Proxies that are trusted to name the origin of requests.
    let trustedProxies: [AddressBlock]

    /// Whether peers of Unix-domain sockets are trusted proxies too.
    let trustsUnixPeers: Bool

    /// Whether responses report how long they took to make.
    let sendsServerTiming: Bool

    /// Memory held by unfinished small requests and responses.
    let smallMemory: MemoryBudget

    /// Memory held by large requests.
    let bodyMemory: MemoryBudget

    let pace: WritePace

    private let connectionID = Atomic<UInt64>(UInt64.random(in: .min ... .max))

    /// 2⁶⁴ divided by the golden ratio, and odd.
    ///
    /// Its multiples are as far apart as possible, so connections can count up their requests
    /// without collisions.
    private static let connectionStep: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// - Parameter workMemory: memory to read large requests and make large responses; while it or
    ///   that of finished responses is short, slow clients get less time.
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

    /// Whether little memory is left, so that slow peers get less time.
    var isMemoryShort: Bool { smallMemory.isShort || bodyMemory.isShort }

    /// The number from which a connection counts its requests; random for each start of the server.
    func nextConnectionID() -> UInt64 {
        connectionID.wrappingAdd(Self.connectionStep, ordering: .relaxed).newValue
    }

    /// Whether a peer's `Forwarded` fields and request ids are trusted.
    func trusts(_ peer: SocketAddress) -> Bool {
        switch peer {
        case .ip(let address, _): trustedProxies.contains { $0.contains(address) }
        case .unix: trustsUnixPeers
        }
    }
}
