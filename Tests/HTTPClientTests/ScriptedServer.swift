// A server that says what a test wants, for responses that no server of this program would send.
// Every wait of the tests ends, so that a fault shows as a failure and never as a test that hangs.

import CLinux
import Foundation
import Sockets
import TestClient
import Testing

@testable import HTTPClient

/// Lends the port of a server that answers the first bytes of each connection with `answer`, and then
/// closes it, or waits for the client to do so.
@discardableResult
func withServer<Value>(
    answering answer: String, closes: Bool = true, _ body: (UInt16) async throws -> Value
) async throws -> Value {
    let loop = try EventLoop(name: "scripted")
    let listener = try Listener(host: "127.0.0.1", port: 0, isShared: false)
    let listening = Task(executorPreference: loop) {
        try await listener.run(on: loop, onFailure: { Issue.record($0) }) { accepted in
            Task(executorPreference: loop) {
                var socket = try Socket(adopting: accepted, on: loop)
                var input = ReadBuffer()
                _ = try await socket.read(into: &input, until: loop.now + patience)
                try await socket.write(Array(answer.utf8), pace: patient)
                if closes { return }
                _ = try await socket.read(into: &input, until: loop.now + patience)
            }
        }
    }
    let result: Result<Value, any Error>
    do { result = .success(try await body(listener.port)) } catch { result = .failure(error) }
    loop.drain()
    try await listening.value
    loop.stop()
    return try result.get()
}

/// Lends the port of a listener that takes no connection any more: what asks for one gets no answer.
func withFullBacklog<Value>(_ body: (UInt16) async throws -> Value) async throws -> Value {
    // SAFETY: the string lives for the call.
    let number = unsafe clinux_listen("127.0.0.1", 0, 0, 0)
    try #require(number >= 0)
    defer { _ = clinux_close(number) }
    var address = clinux_address()
    try #require(unsafe clinux_local_address(number, &address) >= 0)
    var fillers: [AcceptedSocket] = []
    defer { for filler in fillers { filler.close() } }
    while let filler = try? AcceptedSocket(
        connectingTo: "127.0.0.1", port: address.port, within: 300), fillers.count < 64
    {
        fillers.append(filler)
    }
    return try await body(address.port)
}

/// A port on which nobody listens.
func freePort() throws -> UInt16 {
    try Listener(host: "127.0.0.1", port: 0, isShared: false).port
}

/// What the process has open: descriptors and threads.
func openResources() throws -> (descriptors: Int, threads: Int) {
    let files = FileManager.default
    return (
        try files.contentsOfDirectory(atPath: "/proc/self/fd").count,
        try files.contentsOfDirectory(atPath: "/proc/self/task").count
    )
}
