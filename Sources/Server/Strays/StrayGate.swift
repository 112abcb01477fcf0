// Limits the strays that are kept: for each address, in total, and by bytes. A stray over a limit
// gets the same response but is not stored.
//
// Invariant: memory is bounded, and refusing costs next to nothing. Time is an argument.

import Sockets
import Synchronization

/// Decides which strays are kept.
package final class StrayGate: Sendable {
    /// A token bucket: a size and a refill rate.
    struct Bucket: Sendable {
        private var level: Double
        private var filledAt: UInt64
        private let size: Double
        private let perSecond: Double

        /// - Parameter moment: milliseconds of a monotonic clock.
        init(size: Int, perSecond: Int, at moment: UInt64) {
            (self.size, self.perSecond) = (Double(size), Double(perSecond))
            (level, filledAt) = (Double(size), moment)
        }

        /// Takes an amount; false if less is available.
        mutating func take(_ amount: Int, at moment: UInt64) -> Bool {
            fill(at: moment)
            guard Double(amount) <= level else { return false }
            level -= Double(amount)
            return true
        }

        /// Whether the bucket is full again.
        func isFull(at moment: UInt64) -> Bool {
            var filled = self
            filled.fill(at: moment)
            return filled.level >= size
        }

        private mutating func fill(at moment: UInt64) {
            let passed = moment > filledAt ? moment - filledAt : 0
            level = min(size, level + Double(passed) / 1000 * perSecond)
            filledAt = max(filledAt, moment)
        }
    }

    private struct State: Sendable {
        var all: Bucket
        var bytes: Bucket
        var addresses: [IPAddress: Bucket] = [:]
    }

    private let state: Mutex<State>

    /// - Parameter moment: milliseconds of a monotonic clock.
    package init(at moment: UInt64) {
        state = Mutex(
            State(
                all: Bucket(
                    size: Limits.strayBurst, perSecond: Limits.straysPerSecond, at: moment),
                bytes: Bucket(
                    size: Limits.strayBurstBytes, perSecond: Limits.strayBytesPerSecond, at: moment)
            ))
    }

    /// Whether one more stray of an address is kept.
    ///
    /// IPv6 addresses of one network (/64) count as one; peers on this machine count in the total
    /// only. O(1), and O(addresses) if many have sent strays.
    package func admits(_ peer: IPAddress?, at moment: UInt64) -> Bool {
        let address = peer.flatMap { $0.isLoopback ? nil : $0.network }
        return state.withLock { state in
            if let address {
                if state.addresses[address] == nil {
                    if state.addresses.count >= Limits.strayAddresses {
                        state.addresses = state.addresses.filter { !$0.value.isFull(at: moment) }
                    }
                    guard state.addresses.count < Limits.strayAddresses else { return false }
                    state.addresses[address] = Bucket(
                        size: Limits.strayBurstOfAddress,
                        perSecond: Limits.straysPerSecondOfAddress, at: moment)
                }
                guard state.addresses[address]?.take(1, at: moment) == true else { return false }
            }
            return state.all.take(1, at: moment)
        }
    }

    /// Whether `bytes` more are kept.
    package func admits(bytes: Int, at moment: UInt64) -> Bool {
        state.withLock { $0.bytes.take(bytes, at: moment) }
    }
}
