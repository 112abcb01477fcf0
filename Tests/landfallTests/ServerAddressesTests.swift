// Which URLs a server names for other devices, and what its greeting says of them.

import Sockets
import Testing

@testable import Server
@testable import Settings

@Suite struct ServerAddressesTests {
    private static func ip(_ text: String) throws -> IPAddress {
        try #require(IPAddress(Array(text.utf8)))
    }

    private static func addresses(
        _ places: [(String, String, UInt16)], url: String? = nil
    ) throws -> ServerAddresses {
        ServerAddresses(
            reachableURL: url,
            places: try places.map { .init(scheme: $0.0, ip: try ip($0.1), port: $0.2) })
    }

    private static func machine() throws -> [IPAddress] {
        try ["192.168.1.5", "fd00::5"].map { try ip($0) }
    }

    @Test func onLoopbackOnlyThisMachineIsListed() throws {
        let list = try Self.addresses([("http", "127.0.0.1", 80), ("http", "::1", 80)])
            .list(machine: Self.machine())
        #expect(
            list == [
                .init(url: "http://127.0.0.1:80", kind: .loopback),
                .init(url: "http://[::1]:80", kind: .loopback),
            ])
    }

    @Test func aWildcardListsTheAddressesOfItsFamilyFirst() throws {
        let v4 = try Self.addresses([("http", "0.0.0.0", 8080)]).list(machine: Self.machine())
        #expect(v4.map(\.url) == ["http://192.168.1.5:8080", "http://127.0.0.1:8080"])
        #expect(v4.map(\.kind) == [.lan, .loopback])
        let v6 = try Self.addresses([("http", "::", 8080)]).list(machine: Self.machine())
        #expect(
            v6.map(\.url) == [
                "http://192.168.1.5:8080", "http://[fd00::5]:8080", "http://127.0.0.1:8080",
            ])
    }

    @Test func theConfiguredURLIsBest() throws {
        let list = try Self.addresses(
            [("http", "0.0.0.0", 8080), ("https", "0.0.0.0", 8443)], url: "https://l.example"
        ).list(machine: [Self.ip("10.0.0.2")])
        #expect(
            list.map(\.url) == [
                "https://l.example", "http://10.0.0.2:8080", "https://10.0.0.2:8443",
                "http://127.0.0.1:8080", "https://127.0.0.1:8443",
            ])
        #expect(list.first?.kind == .configured)
    }

    @Test func anAddressThatTheConfigurationNamesIsConfigured() throws {
        let addresses = try Self.addresses([("http", "192.168.1.5", 1)])
        #expect(
            addresses.list(machine: try Self.machine())
                == [.init(url: "http://192.168.1.5:1", kind: .configured)])
        #expect(addresses.local == ["http://192.168.1.5:1"])
    }

    @Test func commandsOfThisMachineUseLoopbackWhereTheyCan() throws {
        let addresses = try Self.addresses([("http", "0.0.0.0", 1), ("https", "::", 2)])
        #expect(addresses.local == ["http://127.0.0.1:1", "https://127.0.0.1:2"])
    }

    private static func greeting(_ addresses: [ServerAddresses.Address]) -> String {
        Greeting(
            configuration: Configuration(), version: "1", needsToken: false, newToken: nil
        ).text(port: 8080, addresses: addresses)
    }

    @Test func theGreetingNamesAddressesForOtherDevices() {
        let text = Self.greeting([
            .init(url: "http://10.0.0.2:8080", kind: .lan),
            .init(url: "http://127.0.0.1:8080", kind: .loopback),
        ])
        #expect(text.hasPrefix("Landfall 1 serves http://127.0.0.1:8080/\n"))
        #expect(text.contains("Other devices reach it at http://10.0.0.2:8080/\n"))
    }

    /// Certificates for this machine name `localhost`.
    @Test func theGreetingHasTheHostNameInTheHTTPSAddress() {
        var configuration = Configuration()
        configuration.host = "localhost"
        let greeting = Greeting(
            configuration: configuration, version: "1", needsToken: false, newToken: nil)
        #expect(
            greeting.text(port: 1, securePort: 2).hasPrefix(
                "Landfall 1 serves http://127.0.0.1:1/ and https://localhost:2/\n"))
    }

    @Test func theGreetingSaysWhatAQRCodeWouldDoOnLoopback() {
        let text = Self.greeting([.init(url: "http://127.0.0.1:8080", kind: .loopback)])
        #expect(text.contains("a QR code would lead a phone to the phone itself"))
        #expect(text.contains("--host 0.0.0.0"))
    }
}
