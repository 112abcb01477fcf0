// The server's turns: one, or one more after each takeover that came to nothing.
//
// Invariant: a server that is taken over keeps its sockets and ends only when its successor has opened
// the store and says so. When the successor ends or hangs before, the server opens the store again and
// goes on; connections wait in the kernel meanwhile, and none is refused. The lock of the store decides
// which of the two serves.

import Logging
import ResultAPI
import ResultStore
import ServiceLifecycle
import Sockets
import Synchronization

/// The process that takes over, once one has asked for release.
package final class Handover: Sendable {
    private let asking = Mutex<Successor?>(nil)

    /// Taken while a process is talked to.
    package let isTalking = Exclusive()

    package init() {}

    /// The process; nil before.
    package var successor: Successor? { asking.withLock { $0 } }

    package func begin(with successor: Successor) { asking.withLock { $0 = successor } }
}

/// Runs the server with one store after another.
package struct ServerTurns: Service, CustomStringConvertible {
    package let description = "turns"

    /// What one turn runs, in the order of starting.
    package struct Turn: Sendable {
        package let server: ServerService
        package let others: [any Service]

        package init(server: ServerService, others: [any Service]) {
            self.server = server
            self.others = others
        }
    }

    /// The store of the first turn; each is closed at the end of its turn.
    package let store: ResultStore
    /// Opens the store of the next turn; the flag says whether to wait for its lock.
    package let open: @Sendable (_ waits: Bool) async throws -> ResultStore
    /// Makes what runs with a store.
    package let turn: @Sendable (ResultStore, _ isFirst: Bool) async throws -> Turn
    package let log: Logger

    package init(
        store: ResultStore, open: @escaping @Sendable (_ waits: Bool) async throws -> ResultStore,
        turn: @escaping @Sendable (ResultStore, _ isFirst: Bool) async throws -> Turn, log: Logger
    ) {
        self.store = store
        self.open = open
        self.turn = turn
        self.log = log
    }

    package func run() async throws {
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
            configuration: ServiceGroupConfiguration(services: services, logger: .quiet))
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
