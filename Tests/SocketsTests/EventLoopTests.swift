// The loop as an executor and as a timer: where jobs run, that waiting tasks and busy ones share
// it, and that two hundred connections at once do too.

import Clocks
import Foundation
import TestClient
import Testing

@testable import Sockets

struct EventLoopTests {
    /// The kernel's name of the thread that asks.
    private static func threadName() throws -> String {
        let name = try String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
        return String(name.dropLast())
    }

    @Test("jobs that other threads enqueue all run on the loop's thread, before and after waits")
    func jobsRunOnTheLoop() async throws {
        let loop = try EventLoop(name: "jobs")
        defer { loop.stop() }
        let names = try await withThrowingTaskGroup(of: [String].self) { group in
            for index in 0..<500 {
                group.addTask(executorPreference: loop) {
                    let before = try Self.threadName()
                    if index.isMultiple(of: 50) { try await Task.sleep(for: .milliseconds(5)) }
                    await Task.yield()
                    return [before, try Self.threadName()]
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.formUnion($1) }
        }
        #expect(names == ["jobs"])
    }

    @Test("of a long name the thread keeps the first 15 characters")
    func longName() async throws {
        let loop = try EventLoop(name: "a-name-of-many-characters")
        defer { loop.stop() }
        let name = try await Task(executorPreference: loop) { try Self.threadName() }.value
        #expect(name == "a-name-of-many-")
    }

    /// The slice of time of the thread that asks, in nanoseconds; nil if this kernel doesn't say.
    private static func slice() -> Int? {
        let text = try? String(contentsOfFile: "/proc/thread-self/sched", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix("se.slice") }
        return line?.split(separator: " ").last.flatMap { Int($0) }
    }

    @Test("a loop runs soon after it wakes; one for long work doesn't, nor a thread that it makes")
    func quickness() async throws {
        guard let own = Self.slice() else { return }
        let (quick, long) = (try EventLoop(name: "quick"), try Self.longLoop())
        defer {
            quick.stop()
            long.stop()
        }
        let usual = await Task(executorPreference: long) { Self.slice() }.value
        #expect(usual == own)
        let slices = await Task(executorPreference: quick) { () -> [Int?] in
            let child: Int? = await withCheckedContinuation { continuation in
                Thread.detachNewThread { continuation.resume(returning: Self.slice()) }
            }
            return [Self.slice(), child]
        }.value
        #expect(slices == [min(own, 100_000), own])
    }

    private static func longLoop() throws -> EventLoop {
        try EventLoop(name: "long", isQuick: false)
    }

    /// Gives way for 50 ms; how often the thread slept, and how often it could have at most.
    private static func pauses() -> (count: Int, most: Int) {
        func sleeps() -> Int {
            let status = try? String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
            let line = status?.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt") }
            return line?.split(separator: "\t").last.flatMap { Int($0) } ?? -1
        }
        let (first, start) = (sleeps(), Clock.monotonicMilliseconds)
        while Clock.monotonicMilliseconds < start + 50 { Pause.giveWay() }
        let elapsed = Int(Clock.monotonicMilliseconds - start) + 1
        return (sleeps() - first, elapsed * 2 + 1)
    }

    @Test("long work pauses between its records, but not after each; a loop that serves never does")
    func pausing() async throws {
        let long = try Self.longLoop()
        defer { long.stop() }
        let patient = await Task(executorPreference: long) { Self.pauses() }.value
        #expect((5...patient.most).contains(patient.count))
        let quick = try EventLoop(name: "quick")
        defer { quick.stop() }
        #expect(await Task(executorPreference: quick) { Self.pauses() }.value.count < 5)
    }

    @Test("a task that never waits does not keep the loop from its connections")
    func fairness() async throws {
        let (answer, _) = try await withConnection { socket in
            let spinning = Task(executorPreference: socket.loop) {
                while !Task.isCancelled { await Task.yield() }
            }
            defer { spinning.cancel() }
            return try await socket.readAll()
        } client: { socket in
            try await socket.write([1, 2, 3], pace: patient)
        }
        #expect(answer == [1, 2, 3])
    }

    @Test("a deadline fires, and no earlier than it is due")
    func deadlines() async throws {
        let (waits, _) = try await withConnection { socket in
            var waits: [UInt64] = []
            var buffer = ReadBuffer()
            for due: UInt64 in [1, 100, 300] {
                let start = socket.loop.now
                _ = try? await socket.read(into: &buffer, until: start + due)
                waits.append(socket.loop.now - start)
            }
            return waits
        } client: { socket in
            _ = try await socket.readAll()
        }
        #expect(zip(waits, [1, 100, 300]).allSatisfy { $0 >= $1 && $0 < patience })
    }

    @Test("a peer that drips does not put a deadline off")
    func drip() async throws {
        let (count, _) = try await withConnection { socket in
            var buffer = ReadBuffer()
            try await socket.write([0], pace: patient)
            let deadline = socket.loop.now + 300
            await #expect(throws: SocketError.timedOut) {
                while try await socket.read(into: &buffer, until: deadline) > 0 {}
            }
            return buffer.count
        } client: { socket in
            _ = try await socket.readAll(upTo: 1)
            for _ in 0..<40 where (try? await socket.write([1], pace: patient)) != nil {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        #expect(count < 40)
    }

    @Test("two hundred connections at once are each answered with their own bytes")
    func manyConnections() async throws {
        let count = 200
        let answered = try await withLoops { serverLoop, clientLoop in
            let listener = try Listener(host: "127.0.0.1", port: 0, isShared: false)
            let serving = Task(executorPreference: serverLoop) {
                await withDiscardingTaskGroup { group in
                    try? await listener.run(on: serverLoop, onFailure: { Issue.record($0) }) {
                        accepted in
                        group.addTask { await Self.echo(accepted, on: serverLoop) }
                    }
                }
            }
            let answered = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<count {
                    group.addTask(executorPreference: clientLoop) {
                        let message = Array("connection \(number)".utf8)
                        var socket = try Socket(
                            adopting: AcceptedSocket(
                                connectingTo: "127.0.0.1", port: listener.port),
                            on: clientLoop)
                        // All are open before the first is used.
                        try await Task.sleep(for: .milliseconds(100))
                        try await socket.write(message, pace: patient)
                        socket.shutdownWriting()
                        return try await socket.readAll() == message
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            serverLoop.drain()
            await serving.value
            return answered
        }
        #expect(answered == count)
    }

    private static func echo(_ accepted: AcceptedSocket, on loop: EventLoop) async {
        do {
            var socket = try Socket(adopting: accepted, on: loop)
            try await socket.write(try await socket.readAll(), pace: patient)
        } catch {
            Issue.record(error)
        }
    }

    @Test("stopping a loop twice is one stop")
    func stopTwice() throws {
        let loop = try EventLoop(name: "twice")
        loop.stop()
        loop.stop()
    }

    @Test(
        "there is a loop for each processor, but fewer where descriptors are scarce",
        arguments: [
            (processors: 1, descriptors: 64, loops: 1),
            (processors: 2, descriptors: 64, loops: 1),
            (processors: 96, descriptors: 127, loops: 1),
            (processors: 96, descriptors: 1024, loops: 16),
            (processors: 96, descriptors: 65_536, loops: 96),
            (processors: 8, descriptors: 0, loops: 1),
        ])
    func count(processors: Int, descriptors: Int, loops: Int) {
        #expect(EventLoop.count(processors: processors, descriptors: descriptors) == loops)
    }
}
