// Which sockets a server listens on that takes over from another one.
// Left out: how sockets are passed on (Tests/SocketsTests), and servers themselves (Tests/curl).

import Settings
import Testing

@testable import Server
@testable import Sockets

@Suite struct BindingsTests {
    private func configuration(port: UInt16 = 0) -> Configuration {
        var configuration = Configuration()
        configuration.port = port
        return configuration
    }

    private func listener() throws -> Listener {
        try Listener(host: "127.0.0.1", port: 0, isShared: true)
    }

    @Test(arguments: [false, true])
    func configuredSocketsOfTheFormerServerAreServed(areKept: Bool) throws {
        let listener = try listener()
        let bindings = try Bindings(
            configuration(port: listener.port), handed: [listener], areKept: areKept, count: 2)
        #expect(bindings.listeners.map(\.number) == [listener.number])
        #expect(bindings.areInherited == areKept)
    }

    @Test func oneMessageCanHandOverAllSocketsOfAnyNumberOfLoops() throws {
        let bindings = try Bindings(configuration(), count: 500)
        // As many for TLS, and a Unix-domain socket.
        #expect(2 * bindings.listeners.count + 1 == 253)
    }

    @Test func otherSocketsOfTheFormerServerAreClosed() throws {
        let (served, other) = (try listener(), try listener())
        let bindings = try Bindings(
            configuration(port: served.port), handed: [served, other], count: 2)
        #expect(bindings.listeners.map(\.port) == [served.port])
        #expect(served.number != nil && other.number == nil)
    }

    @Test(arguments: [false, true])
    func aStopRemovesAUnixSocketThatServersHaveMade(areKept: Bool) throws {
        let path = "/tmp/landfall-test-\(UInt64.random(in: .min ... .max)).sock"
        defer { SocketFile.remove(path) }
        var configuration = configuration()
        #expect(try Bindings(configuration, count: 1).ownPath == nil)
        configuration.unixSocket = path
        let listener = try Listener(path: path)
        let taken = try Bindings(
            configuration, handed: [listener], areKept: areKept, count: 1)
        #expect(taken.ownPath == (areKept ? nil : path))
        listener.close()
        #expect(try Bindings(configuration, areKept: areKept, count: 1).ownPath == path)
    }

    @Test func aSocketThatAServiceManagerKeepsMustBeServed() throws {
        let (served, other) = (try listener(), try listener())
        let error = #expect(throws: BindingError.self) {
            try Bindings(
                configuration(port: served.port), handed: [served, other], areKept: true, count: 2)
        }
        #expect(error?.description.contains("127.0.0.1:\(other.port) ") == true)
    }
}
