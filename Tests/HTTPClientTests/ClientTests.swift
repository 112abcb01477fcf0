// Exchanges that go wrong, and what is left of them. Those with the program's own server are in
// `HTTP1Tests/ClientExchangeTests`.

import Sockets
import Synchronization
import TestClient
import Testing

@testable import HTTPClient

@Suite(.serialized) struct ClientTests {
    private static func request(_ port: UInt16, host: String = "127.0.0.1") -> ClientRequest {
        var request = ClientRequest(.get, "http://\(host):\(port)/")
        request.limitWaits(to: patience)
        return request
    }

    @Test(
        "RFC 9112 §6.3: content that is broken off is an error, and never an end",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n",
        ])
    func brokenOff(_ answer: String) async throws {
        try await withServer(answering: answer) { port in
            await #expect(throws: ClientError.brokenOff) {
                try await Client.send(Self.request(port))
            }
        }
    }

    @Test(
        "what isn't HTTP/1 is an error",
        arguments: [
            "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/0.9 200 OK\r\n\r\n", "HTTP/1.1 abc\r\n\r\n",
            "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        ])
    func malformed(_ answer: String) async throws {
        try await withServer(answering: answer) { port in
            await #expect(throws: ClientError.self) { try await Client.send(Self.request(port)) }
        }
    }

    @Test("a connection that ends before a response is an error of its own")
    func nothing() async throws {
        try await withServer(answering: "") { port in
            await #expect(throws: ClientError.noResponse) {
                try await Client.send(Self.request(port))
            }
        }
    }

    @Test("RFC 9112 §6.3: content may end with the connection, and a 204 has none")
    func ends() async throws {
        try await withServer(answering: "HTTP/1.1 200 OK\r\n\r\nabc") { port in
            let response = try await Client.send(Self.request(port))
            #expect(response.body == Array("abc".utf8))
        }
        try await withServer(answering: "HTTP/1.1 204 No Content\r\n\r\n") { port in
            let response = try await Client.send(Self.request(port))
            #expect(response.status == 204)
        }
    }

    @Test("RFC 9112 §7.1.2: a response ends with its trailers, whatever they read like")
    func trailers() async throws {
        let answer =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n"
            + "HTTP/1.1 500 a: b\r\nA: b\r\n\r\n"
        try await withServer(answering: answer) { port in
            let response = try await Client.send(Self.request(port))
            #expect(response.status == 200)
            #expect(response.head["a"] == nil)
            #expect(response.body == Array("ab".utf8))
        }
    }

    @Test(
        "a head that came counts, also if its content is cut off, malformed, too long or late",
        arguments: [
            ("Content-Length: 3\r\n\r\n", true), ("Content-Length: 3\r\n\r\nab", true),
            ("Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n", true),
            ("Transfer-Encoding: chunked\r\n\r\nzz\r\n", true),
            ("Content-Length: 9\r\n\r\nabcdefghi", true),
            ("Content-Length: 3\r\n\r\n", false), ("Content-Length: 3\r\n\r\nab", false),
        ])
    func headOnly(_ rest: String, _ closes: Bool) async throws {
        let answer = "HTTP/1.1 201 Created\r\n\(rest)"
        try await withServer(answering: answer, closes: closes) { port in
            let head = try await Client.head(of: Self.request(port), dropping: 8)
            #expect(head.status == 201)
        }
    }

    @Test(
        "an incomplete head is an error, not a status",
        arguments: ["HTTP/1.1 201 Created\r\nA: b\r\n", "HTTP/1.1 103 Early Hints\r\n\r\n"])
    func noHead(_ answer: String) async throws {
        try await withServer(answering: answer) { port in
            await #expect(throws: ClientError.self) {
                try await Client.head(of: Self.request(port), dropping: 8)
            }
        }
    }

    @Test("a redirect is a response like others, and is not followed")
    func redirect() async throws {
        let answer = "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n"
        try await withServer(answering: answer) { port in
            let response = try await Client.send(Self.request(port))
            #expect(response.status == 302)
            #expect(response.head["location"] == "http://127.0.0.1:1/")
        }
    }

    @Test("a head that has no end is an error")
    func longHead() async throws {
        let lines = String(repeating: "A: \(String(repeating: "b", count: 997))\r\n", count: 80)
        try await withServer(answering: "HTTP/1.1 200 OK\r\n\(lines)\r\n") { port in
            await #expect(throws: ClientError.tooLarge(bytes: Limits.headBytes)) {
                try await Client.send(Self.request(port))
            }
        }
    }

    // MARK: Addresses

    @Test(
        "the policy sees the address that a name or a spelling leads to, and what it refuses is left",
        arguments: [
            ("127.0.0.1", "127.0.0.1"), ("localhost", "127.0.0.1"), ("a.b.localhost", "127.0.0.1"),
            ("A.LOCALHOST", "127.0.0.1"), ("[::ffff:127.0.0.1]", "127.0.0.1"),
            ("2130706433", "127.0.0.1"), ("0x7f.1", "127.0.0.1"), ("127.1", "127.0.0.1"),
            ("0.0.0.0", "0.0.0.0"), ("0", "0.0.0.0"), ("169.254.169.254", "169.254.169.254"),
            ("[::1]", "::1"),
        ])
    func policy(_ host: String, _ address: String) async throws {
        let port = try freePort()
        let seen = Mutex<[String]>([])
        var request = Self.request(port, host: host)
        request.mayConnect = { address in
            seen.withLock { $0.append("\(address)") }
            return false
        }
        let error = await #expect(throws: ClientError.self) { try await Client.send(request) }
        guard case .addressRefused = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(seen.withLock { $0.contains(address) })
    }

    @Test("a name below localhost is this machine, and nothing of the environment is a proxy")
    func localhost() async throws {
        try await withServer(answering: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") { port in
            let response = try await Client.send(Self.request(port, host: "shop.localhost"))
            #expect(response.status == 200)
        }
    }

    @Test("a name that is unknown is an error, and asks no address")
    func unknownName() async throws {
        var request = ClientRequest(.get, "http://no-such-name.invalid/")
        request.limitWaits(to: patience)
        let error = await #expect(throws: ClientError.self) { try await Client.send(request) }
        #expect(error?.description.contains("can't be reached") == true)
    }

    // MARK: What is left

    @Test("300 failed connects leave no thread and no descriptor")
    func failedConnects() async throws {
        let port = try freePort()
        // The thread is there, and stays.
        _ = try? await Client.send(Self.request(port))
        let before = try openResources()
        for _ in 0..<6 {
            await withTaskGroup { group in
                for _ in 0..<50 {
                    group.addTask {
                        await #expect(throws: ClientError.self) {
                            try await Client.send(Self.request(port))
                        }
                    }
                }
            }
        }
        let after = try openResources()
        // Swift's own pool may have grown to the number of cores.
        #expect(after.threads <= before.threads + 8)
        #expect(after.descriptors <= before.descriptors + 8)
    }

    @Test(
        "hosts that drop packets are given up in time, and hold up nobody else",
        .timeLimit(.minutes(1)))
    func droppedPackets() async throws {
        try await withFullBacklog { silent in
            try await withServer(answering: "HTTP/1.1 204 No Content\r\n\r\n") { port in
                let waiting = (0..<100).map { _ in
                    Task {
                        var request = Self.request(silent)
                        request.connectMilliseconds = 10_000
                        return await #expect(throws: ClientError.self) {
                            try await Client.send(request)
                        }
                    }
                }
                let threads = try openResources().threads
                let start = ContinuousClock.now
                let response = try await Client.send(Self.request(port))
                #expect(response.status == 204)
                #expect(ContinuousClock.now - start < .seconds(9))
                #expect(try openResources().threads <= threads + 8)
                for task in waiting {
                    #expect(await task.value?.description.contains("in time") == true)
                }
            }
        }
    }

    @Test("a task that is cancelled closes its connection")
    func cancellation() async throws {
        let listener = try Listener(host: "127.0.0.1", port: 0, isShared: false)
        let port = listener.port
        let before = try openResources().descriptors
        let tasks = (0..<20).map { _ in Task { try await Client.send(Self.request(port)) } }
        var opened = before
        for _ in 0..<3000 where opened < before + 20 {
            try await Task.sleep(for: .milliseconds(10))
            opened = try openResources().descriptors
        }
        #expect(opened >= before + 20)
        for task in tasks { task.cancel() }
        for task in tasks {
            await #expect(throws: ClientError.cancelled) { try await task.value }
        }
        #expect(try openResources().descriptors <= before + 2)
        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await Client.send(Self.request(port))
        }
        late.cancel()
        await #expect(throws: ClientError.cancelled) { try await late.value }
    }

    @Test(
        "a limit for everything ends an exchange, and a TLS handshake, that go on and on",
        arguments: [("http", true), ("https", false)])
    func totalTime(_ scheme: String, _ isConnected: Bool) async throws {
        let listener = try Listener(host: "127.0.0.1", port: 0, isShared: false)
        let authority = "127.0.0.1:\(listener.port)"
        var request = ClientRequest(.get, "\(scheme)://\(authority)/")
        request.limitWaits(to: patience)
        request.totalMilliseconds = 200
        let error = await #expect(throws: ClientError.self) { try await Client.send(request) }
        #expect(error == .timedOut(authority: authority, isConnected: isConnected))
    }

    @Test("content that is dropped has little time, however steadily it comes")
    func droppedContentTime() throws {
        var request = Self.request(1)
        request.limitWaits(to: 3_600_000)
        let place = try RequestPlace("http://a/")
        let transfer = Transfer(request, to: place, contentMilliseconds: 1000)
        _ = transfer.takeLine(Array("HTTP/1.1 200 OK\r\n".utf8))
        let headEnds = try #require(transfer.deadline)
        _ = transfer.takeLine(Array("\r\n".utf8))
        let contentEnds = try #require(transfer.deadline)
        #expect(contentEnds < headEnds)
        _ = transfer.takeContent([0])
        #expect(transfer.deadline == contentEnds)
    }

    @Test("content waits for the task that asked, and no more of it than the limit")
    func pauses() throws {
        let transfer = Transfer(Self.request(1), to: try RequestPlace("http://a/"))
        let part = [UInt8](repeating: 0, count: 64 * 1024)
        var count = 0
        while case .proceed = transfer.takeContent(part), count < 100 { count += 1 }
        #expect(count * part.count == Limits.heldBytes)
    }
}
