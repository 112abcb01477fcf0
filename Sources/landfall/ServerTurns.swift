// The server's turns: one, or one more after each takeover that came to nothing.
//
// Invariant: a server that is taken over keeps its sockets and ends only when its successor has opened
// the store and says so. When the successor ends or hangs before, the server opens the store again and
// goes on; connections wait in the kernel meanwhile, and none is refused. The lock of the store decides
// which of the two serves.

import Logging
import ResultStore
import ServiceLifecycle
import Sockets
import Synchronization

/// The process that takes over, once one has asked for release.
final class Handover: Sendable {
    private let asking = Mutex<Successor?>(nil)

    /// Taken while a process is talked to.
    let isTalking = Exclusive()

    /// The process; nil before.
    var successor: Successor? { asking.withLock { $0 } }

    func begin(with successor: Successor) { asking.withLock { $0 = successor } }
}

/// Runs the server with one store after another.
struct ServerTurns: Service, CustomStringConvertible {
    let description = "turns"

    /// What one turn runs, in the order of starting.
    struct Turn: Sendable {
        let server: ServerService
        let others: [any Service]
    }

    /// The store of the first turn; each is closed at the end of its turn.
    let store: ResultStore
    /// Opens the store of the next turn; the flag says whether to wait for its lock.
    let open: @Sendable (_ waits: Bool) async throws -> ResultStore
    /// Makes what runs with a store.
    let turn: @Sendable (ResultStore, _ isFirst: Bool) async throws -> Turn
    let log: Logger

    func run() async throws {
        var store = self.store
        var isFirst = true
        while true {
            let turn = try await self.turn(store, isFirst)
            let result = await Self.run(turn)
            await store.close()
            try result.get()
            guard let successor = turn.server.handover.successor,
                let reopened = try await reopen(unlessTakenBy: successor)
            else { return }
            log.warning("the process that was to take over has given up: serving again")
            for listener in turn.server.bindings.listeners { listener.takeBack() }
            store = reopened
            isFirst = false
        }
    }

    private static func run(_ turn: Turn) async -> Result<Void, any Error> {
        var services = [
            ServiceGroupConfiguration.ServiceConfiguration(
                service: turn.server, successTerminationBehavior: .gracefullyShutdownGroup)
        ]
        services += turn.others.map { ServiceGroupConfiguration.ServiceConfiguration(service: $0) }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: services, logger: LogSetup.quiet))
        do {
            return .success(try await group.run())
        } catch {
            return .failure(error)
        }
    }

    /// Gives the store free, and opens it again when the successor doesn't; nil when that serves, or
    /// when this process is to stop.
    private func reopen(unlessTakenBy successor: Successor) async throws -> ResultStore? {
        successor.release()
        let clock = ContinuousClock()
        var nextTry = clock.now + Limits.successorPatience
        while !Task.isShuttingDownGracefully {
            switch successor.state() {
            case .serves: return nil
            case .gone: return try await open(true)
            case .preparing: break
            }
            if clock.now >= nextTry {
                // It holds the lock and opens the store, or it hangs.
                do {
                    return try await open(false)
                } catch StoreError.locked {
                    nextTry = clock.now + Limits.successorPatience
                }
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        return nil
    }
}
