// The server's turns: one, and one more after each failed takeover.
//
// Invariant: a server that is taken over keeps its sockets until its successor has opened the store
// and reports it. If the successor ends or hangs before that, the server reopens the store and
// continues, once the disk has room for that; connections wait in the kernel and none is refused.
// The lock of the store decides which of the two serves.

import Logging
import ResultAPI
import ResultStore
import ServiceLifecycle
import Sockets
import Synchronization

/// The process that takes over, once it has requested release.
package final class Handover: Sendable {
    private let asking = Mutex<Successor?>(nil)

    /// Held during the exchange with a process.
    let negotiation = Exclusive()

    package init() {}

    /// The process; nil before it has requested release.
    var successor: Successor? { asking.withLock { $0 } }

    func begin(with successor: Successor) { asking.withLock { $0 = successor } }
}

/// Runs the server with one store after another.
package struct ServerTurns: Service, CustomStringConvertible {
    package let description = "turns"

    /// The services of one turn, in starting order.
    package struct Turn: Sendable {
        let server: ServerService
        let others: [any Service]

        package init(server: ServerService, others: [any Service]) {
            self.server = server
            self.others = others
        }
    }

    /// The store of the first turn; each turn closes its store at the end.
    let store: ResultStore
    /// Opens the store of the next turn; the flag says whether to wait for its lock.
    let open: @Sendable (_ waits: Bool) async throws -> ResultStore
    /// Makes the services that use a store.
    let turn: @Sendable (ResultStore, _ isFirst: Bool) async throws -> Turn
    let log: Logger

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
            log.warning("the process that asked to take over gave up: serving again")
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

    /// Releases the store, and reopens it if the successor doesn't open it; nil if the successor
    /// serves, or if this process is to stop.
    private func reopen(unlessTakenBy successor: Successor) async throws -> ResultStore? {
        successor.release()
        let clock = ContinuousClock()
        var nextTry = clock.now + Limits.successorPatience
        var lacksRoom = false
        while !Task.isShuttingDownGracefully {
            let state = successor.state()
            if state == .serves { return nil }
            let isGone = state == .gone
            if isGone && !lacksRoom || clock.now >= nextTry {
                do {
                    return try await open(isGone)
                } catch StoreError.locked where !isGone {
                    // The successor holds the lock: it is opening the store, or it hangs.
                    nextTry = clock.now + Limits.successorPatience
                    lacksRoom = false
                } catch let error as StoreError where error.isFull {
                    if !lacksRoom {
                        log.error(
                            "the store can't be opened again before the disk has room",
                            metadata: ["reason": "\(error)"])
                    }
                    lacksRoom = true
                    nextTry = clock.now + Limits.roomInterval
                }
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        return nil
    }
}

extension Logger {
    /// A log of critical messages only.
    package static var quiet: Logger {
        var log = Logger(label: "landfall.lifecycle")
        log.logLevel = .critical
        return log
    }
}
