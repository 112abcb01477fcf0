// Requests that no route takes: which are kept, and what they were meant for.

import LinkPatterns
import ResultStore
import Sockets
import Testing
import Vendors

@testable import Server
@testable import Settings
@testable import landfall

@Suite struct StrayTests {
    private static let receivers = [
        Configuration.Receiver(
            host: "www.yourapp.com", path: "/dds/", vendor: .welltory, contract: nil, inbox: "prod"),
        Configuration.Receiver(
            host: "shop.example", path: "/done", vendor: .dimmy, contract: nil, inbox: "default"),
    ]

    private static func near(_ host: String, _ path: String) -> [NearReceiver] {
        guard let link = Link(path: Array(path.utf8)[...]) else { return [] }
        return NearReceiver.find(host: host, path: link, among: receivers)
    }

    @Test(arguments: [
        ("yourapp.com", "/dds/", "www.yourapp.com/dds/", ["host lacks www."]),
        (
            "www.shop.example", "/done", "shop.example/done",
            ["host has www., which the receiver's lacks"]
        ),
        (
            "www.yourapp.com", "/ddz/", "www.yourapp.com/dds/",
            ["path is /ddz, the receiver's is /dds/"]
        ),
        (
            "www.yuorapp.com", "/dds/", "www.yourapp.com/dds/",
            ["host is www.yuorapp.com, the receiver's is www.yourapp.com"]
        ),
        ("localhost", "/callbacks/welltori", "/callbacks/welltory", ["did you mean welltory"]),
        (
            "localhost", "/callback/flux/ci", "/callbacks/dimmy/ci",
            ["path begins with /callback, not with /callbacks"]
        ),
        ("localhost", "/ailet/ci", "/callbacks/ailet/ci", ["path lacks /callbacks"]),
        (
            "localhost", "/callbacks/raw/CI", "/callbacks/raw/ci",
            ["inbox CI is not valid: it needs \(Inbox.rule)"]
        ),
        (
            "localhost", "/callbacks/raw/ci/7", "/callbacks/raw/ci",
            ["the segment after the inbox is not the id of a flow"]
        ),
    ])
    func theNearestReceiverIsNamedWithWhatDiffers(
        host: String, path: String, route: String, differs: [String]
    ) {
        let nearest = Self.near(host, path).first
        #expect(nearest?.route == route && nearest?.differs == differs)
    }

    @Test(arguments: [
        ("localhost", "/"), ("localhost", "/wp-login.php"), ("localhost", "/callbacks"),
        ("localhost", "/callbacks/quite-another"), ("evil.example", "/login"),
    ])
    func whatIsLikeNothingHasNone(host: String, path: String) {
        #expect(Self.near(host, path).isEmpty)
    }

    @Test func oneAddressIsSlowedDownBeforeAllAre() {
        let gate = StrayGate(at: 0)
        let peer = IPAddress(Array("192.0.2.1".utf8))
        let other = IPAddress(Array("192.0.2.2".utf8))
        let kept = (0..<100).count { _ in gate.admits(peer, at: 0) }
        #expect(kept == Limits.strayBurstOfAddress)
        #expect(gate.admits(other, at: 0))
        #expect(gate.admits(peer, at: 1000))
    }

    @Test func allTogetherAreBoundedAndFillAgain() {
        let gate = StrayGate(at: 0)
        let kept = (0..<1000).count { _ in gate.admits(nil, at: 0) }
        #expect(kept == Limits.strayBurst)
        #expect((0..<100).count { _ in gate.admits(nil, at: 1000) } == Limits.straysPerSecond)
        // A clock that goes back gives nothing.
        #expect(!gate.admits(nil, at: 0))
    }

    @Test func theirBytesAreBounded() {
        let gate = StrayGate(at: 0)
        #expect(gate.admits(bytes: Limits.strayBurstBytes, at: 0))
        #expect(!gate.admits(bytes: 1, at: 0))
        #expect(gate.admits(bytes: Limits.strayBytesPerSecond, at: 1000))
    }

    @Test func manyAddressesNeedBoundedMemory() {
        let gate = StrayGate(at: 0)
        for number in 0..<(2 * Limits.strayAddresses) {
            let text = "10.0.\(number / 256).\(number % 256)"
            // All of them together are slowed down long before.
            _ = gate.admits(IPAddress(Array(text.utf8)), at: 0)
        }
        #expect(!gate.admits(IPAddress(Array("192.0.2.1".utf8)), at: 0))
        #expect(gate.admits(IPAddress(Array("192.0.2.1".utf8)), at: 3_600_000))
    }

    @Test func fluxIsANameOfDimmy() {
        #expect(Vendor(rawValue: "flux") == .dimmy && Vendor(rawValue: "dimmy") == .dimmy)
        #expect(Vendor(rawValue: "Flux") == nil)
        #expect(Vendor.dimmy.rawValue == "dimmy" && Vendor.names.contains("flux"))
    }
}
