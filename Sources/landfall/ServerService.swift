// The server as a service: starts when the group starts, drains when it is told to stop.

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
    let log: Logger
    /// A token that was made up and must be shown; nil otherwise.
    let newToken: String?

    func run() async throws {
        var loops: [EventLoop] = []
        for number in 0..<EventLoop.coreCount {
            loops.append(try EventLoop(name: "loop-\(number)"))
        }
        defer { for loop in loops { loop.stop() } }
        let server = Server(
            loops: loops, limits: configuration.http, handler: application,
            onAcceptFailure: { error in
                log.error("a connection could not be accepted", metadata: ["reason": "\(error)"])
            })
        let greeting = Greeting(configuration: configuration, newToken: newToken)
        try await withGracefulShutdownHandler {
            try await server.run(host: configuration.host, port: configuration.port) { port in
                greeting.show(port: port)
                log.info("listening", metadata: ["port": "\(port)"])
            }
        } onGracefulShutdown: {
            log.info("stopping: requests in flight are answered")
            server.drain()
        }
    }
}
