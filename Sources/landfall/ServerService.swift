// The server as a service: starts when the group starts, drains when it is told to stop or when
// another process takes over.

import HTTP1
import Logging
import ServiceLifecycle
import Sockets

/// Runs the server until a graceful shutdown, then until its last connection has ended.
struct ServerService: Service, CustomStringConvertible {
    /// The service group describes its services: without this, by all that they hold, the token too.
    let description = "server"

    let application: Application
    let configuration: Configuration
    let bindings: Bindings
    let tls: LiveTLSContext?
    let log: Logger
    let greeting: Greeting

    func run() async throws {
        var loops: [EventLoop] = []
        for number in 0..<EventLoop.coreCount {
            loops.append(try EventLoop(name: "loop-\(number)"))
        }
        defer { for loop in loops { loop.stop() } }
        let server = Server(
            loops: loops, settings: configuration.serverSettings, handler: application,
            onEvent: { report($0) })
        sayThatItListens()
        ProgramText.release()
        try await withGracefulShutdownHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await server.run(bindings.bindings(configuration, tls)) }
                if let loop = loops.first {
                    group.addTask(executorPreference: loop) {
                        await offerHandover(on: loop) { drain(server) }
                    }
                }
                try await group.waitForAll()
            }
        } onGracefulShutdown: {
            log.info("stopping: requests in flight are answered")
            drain(server)
        }
    }

    private func drain(_ server: Server<Application>) {
        server.drain(within: configuration.stopMilliseconds)
    }

    private func sayThatItListens() {
        greeting.show(port: bindings.port, securePort: bindings.securePort)
        var metadata: Logger.Metadata = [:]
        if let port = bindings.port { metadata["port"] = "\(port)" }
        if let port = bindings.securePort { metadata["tls_port"] = "\(port)" }
        if !bindings.local.isEmpty {
            metadata["unix"] = "\(configuration.unixSocket ?? "inherited")"
        }
        log.info("listening", metadata: metadata)
    }

    /// Gives the sockets to a process that wants to take over, and begins to stop when it does.
    private func offerHandover(
        on loop: EventLoop, then stop: @escaping @Sendable () -> Void
    ) async {
        let path = configuration.handoverPath
        let wasTaken = await withTaskGroup(of: Bool.self) { group in
            do throws(SocketError) {
                let listener = try Listener(path: path)
                try await listener.run(on: loop, onFailure: { report(.acceptFailed($0)) }) {
                    accepted in
                    group.addTask { await offer(to: accepted, on: loop, then: stop) }
                }
            } catch {
                log.notice("nobody can take over", metadata: ["reason": "\(error)"])
            }
            return await group.contains(true)
        }
        // The successor's sockets have these names; otherwise they lead nowhere from now on.
        SocketFile.remove(path)
        if let path = configuration.unixSocket, !wasTaken, !bindings.local.isEmpty {
            SocketFile.remove(path)
        }
    }

    /// Whether the process at the other end took over.
    private func offer(
        to accepted: AcceptedSocket, on loop: EventLoop, then stop: @Sendable () -> Void
    ) async -> Bool {
        do throws(SocketError) {
            guard try await ListenerHandover.offer(bindings.listeners, to: accepted, on: loop)
            else {
                log.warning("a process that asked to take over has given up")
                return false
            }
            log.info("another process takes over: requests in flight are answered")
            stop()
            return true
        } catch {
            if error != .draining {
                log.warning("a takeover failed", metadata: ["reason": "\(error)"])
            }
            return false
        }
    }

    private func report(_ event: ServerEvent) {
        switch event {
        case .acceptFailed(let error):
            log.error("a connection could not be accepted", metadata: ["reason": "\(error)"])
        case .handshakeFailed(let peer, let reason):
            log.info(
                "a handshake failed", metadata: ["peer": "\(peer)", "reason": "\(reason)"])
        case .proxyHeaderMissing(let peer):
            log.warning(
                "a connection has no valid PROXY header", metadata: ["peer": "\(peer)"])
        case .turnedAway(let peer):
            log.warning("there are too many connections", metadata: ["peer": "\(peer)"])
        }
    }
}
