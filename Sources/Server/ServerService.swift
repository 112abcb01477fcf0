// The server as a service: starts with the group, and drains at shutdown or when another process
// takes over.

import Emulator
import HTTP1
import Logging
import ServiceLifecycle
import Settings
import Sockets

/// Runs the server until a graceful shutdown, then until its last connection has ended.
package struct ServerService: Service, CustomStringConvertible {
    /// The service group logs its services; without this, the description would include the token.
    package let description = "server"

    let application: Application
    let configuration: Configuration
    let bindings: Bindings
    let tls: LiveTLSContext?
    let log: Logger
    /// Printed once the server is ready; nil if an earlier server of this process has printed it.
    let greeting: Greeting?
    /// Called when everything is ready: the server is about to accept.
    let onReady: @Sendable () -> Void
    /// The process that takes over.
    let handover: Handover
    /// Maximum number of open descriptors of the process.
    let descriptorLimit: Int
    /// Learns that the server is ready, alive and stopping.
    let notifier: ServiceNotifier

    package init(
        application: Application, configuration: Configuration, bindings: Bindings,
        tls: LiveTLSContext?, log: Logger, greeting: Greeting?,
        onReady: @escaping @Sendable () -> Void, handover: Handover, descriptorLimit: Int,
        notifier: ServiceNotifier
    ) {
        self.application = application
        self.configuration = configuration
        self.bindings = bindings
        self.tls = tls
        self.log = log
        self.greeting = greeting
        self.onReady = onReady
        self.handover = handover
        self.descriptorLimit = descriptorLimit
        self.notifier = notifier
    }

    package func run() async throws {
        var loops: [EventLoop] = []
        for number in 0..<EventLoop.count(descriptors: descriptorLimit) {
            loops.append(try EventLoop(name: "loop-\(number)"))
        }
        defer { for loop in loops { loop.stop() } }
        let server = Server(
            loops: loops, settings: try settings(), handler: application,
            onEvent: { report($0) })
        application.metrics.beginTurn { [weak server] in server?.connections ?? (0, 0) }
        defer { application.metrics.endTurn() }
        onReady()
        logListening()
        notifier.report(.ready)
        ProgramText.release()
        try await withGracefulShutdownHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { [loops] in
                    try await withThrowingTaskGroup(of: Void.self) { signs in
                        signs.addTask { await reportLife(of: loops) }
                        try await server.run(bindings.bindings(configuration, tls))
                        signs.cancelAll()
                    }
                }
                if let loop = loops.first {
                    group.addTask(executorPreference: loop) {
                        await offerHandover(on: loop) { drain(server) }
                    }
                }
                // If the server fails, `offerHandover` must not wait for a shutdown.
                for try await _ in group {}
            }
        } onGracefulShutdown: {
            log.info("stopping: finishing requests in flight")
            notifier.report(.stopping)
            drain(server)
        }
    }

    /// Reports to the service manager, while every loop runs what it is given, until cancelled.
    private func reportLife(of loops: [EventLoop]) async {
        guard let interval = notifier.interval else { return }
        while (try? await Task.sleep(for: interval)) != nil {
            for loop in loops { await withTaskExecutorPreference(loop) {} }
            notifier.report(.alive)
        }
    }

    /// The configured settings, with the connection limit reduced to the available descriptors.
    ///
    /// Everything that the server needs is already open, so the remaining descriptors can be
    /// counted.
    private func settings() throws(ProcessShortage) -> ServerSettings {
        let wanted = configuration.http
        guard
            let budget = DescriptorBudget(
                limit: descriptorLimit, open: DescriptorLimit.countOpen(below: descriptorLimit),
                connections: wanted.connections,
                rejectedConnections: wanted.rejectedConnections,
                outgoingRequests: application.forwarding.inFlight + DeliveryQueue.inFlight
                    + Limits.sendsInFlight)
        else { throw .descriptors(descriptorLimit) }
        var configuration = self.configuration
        configuration.http.connections = budget.connections
        configuration.http.rejectedConnections = budget.rejectedConnections
        let settings = configuration.serverSettings(sharing: application.api.memory)
        if budget.connections < wanted.connections {
            log.warning(
                "fewer connections than configured can be open: raise ulimit -n",
                metadata: [
                    "connections": "\(budget.connections)",
                    "connections_per_address": "\(settings.limits.connectionsPerAddress)",
                    "descriptors": "\(descriptorLimit)",
                ])
        }
        return settings
    }

    private func drain(_ server: Server<Application>) {
        server.drain(within: configuration.stopMilliseconds)
    }

    private func logListening() {
        application.store.announce(addresses: application.addresses.local)
        greeting?.show(
            port: bindings.port, securePort: bindings.securePort,
            addresses: application.addresses.list())
        var metadata: Logger.Metadata = [:]
        if let port = bindings.port { metadata["port"] = "\(port)" }
        if let port = bindings.securePort { metadata["tls_port"] = "\(port)" }
        if !bindings.local.isEmpty {
            metadata["unix"] = "\(configuration.unixSocket ?? "inherited")"
        }
        log.info("listening", metadata: metadata)
    }

    /// Offers the sockets until the drain begins; then removes the file of the Unix-domain socket,
    /// unless another process has taken over.
    private func offerHandover(
        on loop: EventLoop, then stop: @escaping @Sendable () -> Void
    ) async {
        await offerSockets(on: loop, then: stop)
        // A successor's socket has this name.
        guard let path = bindings.ownPath, handover.successor == nil else { return }
        // Where takeovers are unavailable, the offer has ended early.
        try? await gracefulShutdown()
        // Not once all connections have ended: by then, another server's socket may have this name.
        SocketFile.remove(path)
    }

    /// Offers the sockets to a process that wants to take over, and stops once it does.
    private func offerSockets(
        on loop: EventLoop, then stop: @escaping @Sendable () -> Void
    ) async {
        let path = configuration.handoverPath
        let listener: Listener
        do throws(SocketError) {
            listener = try Listener(path: path)
        } catch {
            return logUnavailable(error)
        }
        await withDiscardingTaskGroup { group in
            do throws(SocketError) {
                try await listener.run(on: loop, onFailure: { report(.acceptFailed($0)) }) {
                    accepted in
                    // One handover at a time: each takes descriptors.
                    guard handover.negotiation.begin() else { return accepted.close() }
                    group.addTask {
                        await offer(to: accepted, on: loop, then: stop)
                        handover.negotiation.end()
                    }
                }
            } catch {
                logUnavailable(error)
            }
        }
        SocketFile.remove(path)
    }

    private func logUnavailable(_ error: SocketError) {
        log.notice("takeovers are unavailable", metadata: ["reason": "\(error)"])
    }

    /// Passes the sockets to the peer process, and stops when it requests release.
    private func offer(
        to accepted: AcceptedSocket, on loop: EventLoop, then stop: @Sendable () -> Void
    ) async {
        do throws(SocketError) {
            guard
                let successor = try await ListenerHandover.offer(
                    bindings.listeners, areInherited: bindings.areInherited, to: accepted,
                    on: loop)
            else {
                log.warning("the process that asked to take over gave up")
                return
            }
            log.info("another process takes over: finishing requests in flight")
            handover.begin(with: successor)
            stop()
        } catch {
            if error != .draining {
                log.warning("a takeover failed", metadata: ["reason": "\(error)"])
            }
        }
    }

    private func report(_ event: ServerEvent) {
        application.metrics.count(event)
        switch event {
        case .acceptFailed(let error):
            log.error("a connection could not be accepted", metadata: ["reason": "\(error)"])
        case .handshakeFailed(let peer, let reason):
            log.info(
                "a handshake failed", metadata: ["peer": "\(peer)", "reason": "\(reason)"])
        case .proxyHeaderMissing(let peer):
            log.warning(
                "a connection has no valid PROXY header", metadata: ["peer": "\(peer)"])
        case .rejected(let peer):
            log.warning("too many connections", metadata: ["peer": "\(peer)"])
        }
    }
}

/// A limit of the process is too low.
package enum ProcessShortage: Error, CustomStringConvertible {
    /// Maximum number of open descriptors.
    case descriptors(Int)
    case threads

    /// A sentence that says what to do.
    package var description: String {
        switch self {
        case .descriptors(let limit):
            "The process may have only \(limit) files and connections open, which is too few to "
                + "serve: raise the limit (ulimit -n, or LimitNOFILE= of the service)."
        case .threads:
            "The process may have too few threads, or too little memory for them: raise the limit "
                + "(ulimit -u and -v, TasksMax= of the service, or --pids-limit of the container)."
        }
    }
}
