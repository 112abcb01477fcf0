// Where emulated vendors may send people and messages.

import Sockets
import Testing
import Vendors

@testable import Emulator

@Suite struct CallbackTargetTests {
    private static func rule(
        _ url: String, _ way: CallbackTarget.Way = .redirect, isLocal: Bool,
        allowed: Set<String>? = nil, from authority: String? = nil
    ) throws -> String {
        let targets = CallbackTarget(
            allowedHosts: allowed, ownHosts: ["www.ours.example"], isLocal: isLocal)
        let callback = try CallbackURL(url)
        if let refusal = targets.refusal(of: callback, for: way, from: authority) {
            return refusal.rule
        }
        return callback.kind.rawValue
    }

    @Test(arguments: [
        ("https://partner.example/x", "web"), ("http://127.0.0.1:8080/x", "web"),
        ("http://10.1.2.3/x", "web"), ("http://localhost/x", "web"), ("myapp://done", "custom"),
        ("myapp:", "custom"), ("javascript:alert(1)", "scheme"), ("data:text/html,x", "scheme"),
        ("file:///etc/passwd", "scheme"), ("com.example.app/.Main", "component"),
    ])
    func aBrowserOnThisMachineIsSentAnywhereButToScript(url: String, expected: String) throws {
        #expect(try Self.rule(url, isLocal: true) == expected)
    }

    @Test(arguments: [
        ("https://partner.example/x", "host"), ("https://www.ours.example/dds/?a=b", "web"),
        ("https://WWW.OURS.example/", "web"), ("https://www.ours.example.evil.example/", "host"),
        ("https://evilwww.ours.example/", "host"), ("http://127.0.0.1/x", "private-address"),
        ("http://127.1/x", "private-address"), ("http://2130706433/", "private-address"),
        ("http://10.1.2.3/", "private-address"), ("http://169.254.169.254/", "private-address"),
        ("http://[::1]/", "private-address"), ("http://[::ffff:127.0.0.1]/", "private-address"),
        ("http://[fd00::1]/", "private-address"), ("http://localhost/", "private-address"),
        ("http://db.internal/", "private-address"), ("http://router/", "private-address"),
        ("myapp://done", "custom"), ("javascript:alert(1)", "scheme"),
    ])
    func fromOutsideOnlyKnownHostsAndAppsAreLedTo(url: String, expected: String) throws {
        #expect(try Self.rule(url, isLocal: false) == expected)
    }

    @Test func whatIsAllowedIsAllowedAndNothingElseIs() throws {
        let allowed: Set = ["partner.example", "10.1.2.3"]
        for isLocal in [true, false] {
            let rule = { (url: String) in try Self.rule(url, isLocal: isLocal, allowed: allowed) }
            #expect(try rule("https://partner.example/x") == "web")
            #expect(try rule("http://10.1.2.3:9000/x") == "web")
            #expect(try rule("https://other.example/x") == "host")
        }
    }

    @Test func aRedirectToTheSameAuthorityLeadsNowhereElse() throws {
        let url = "https://landfall.example:8443/callbacks/dimmy"
        let from = "Landfall.example:8443"
        #expect(try Self.rule(url, isLocal: false, from: from) == "web")
        #expect(try Self.rule(url, isLocal: false, from: "landfall.example") == "host")
        // Who opens a launch writes the Host field: it must not choose whom the server calls.
        #expect(try Self.rule(url, .delivery, isLocal: false, from: from) == "host")
    }

    @Test(arguments: [
        ("https://partner.example/x", "host"), ("http://127.0.0.1:1/x", "web"),
        ("http://[::1]/x", "web"), ("http://10.1.2.3/x", "host"), ("myapp://done", "scheme"),
        // What our own names mean is said by the hosts file of a browser; here DNS would say it.
        ("https://www.ours.example/x", "host"), ("http://www.ours.example:22/x", "host"),
    ])
    func theServerItselfCallsOnlyWhatIsOursOrAllowed(url: String, expected: String) throws {
        #expect(try Self.rule(url, .delivery, isLocal: true) == expected)
    }

    @Test func aServerThatOthersReachDoesNotCallItsOwnMachine() throws {
        #expect(try Self.rule("http://127.0.0.1/x", .delivery, isLocal: false) == "host")
    }

    /// Which of the addresses a delivery to the host may connect to.
    private static func permitted(
        _ host: String, isLocal: Bool, allowed: Set<String>? = nil, _ addresses: [String]
    ) -> [String] {
        let targets = CallbackTarget(allowedHosts: allowed, ownHosts: [], isLocal: isLocal)
        let mayConnect = targets.policy(for: host)
        return addresses.filter { IPAddress(Array($0.utf8)).map { mayConnect($0) } == true }
    }

    private static let everywhere = [
        "127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1", "10.1.2.3", "192.168.1.1", "fd00::1",
        "93.184.215.14", "2606:2800::1", "::ffff:93.184.215.14", "0.0.0.0", "::", "169.254.169.254",
        "::ffff:169.254.169.254", "fe80::1", "fd00:ec2::254", "100.100.100.200", "192.0.0.192",
        "224.0.0.1", "255.255.255.255", "ff02::1",
    ]

    /// The address by which a gateway reaches an IPv4 address; others unchanged.
    private static func behind(_ address: String) -> String {
        address.contains(":") ? address : "64:ff9b::\(address)"
    }

    private static let loopback = ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"]

    private static let beyond = [
        "10.1.2.3", "192.168.1.1", "fd00::1", "93.184.215.14", "2606:2800::1",
        "::ffff:93.184.215.14",
    ]

    @Test(arguments: ["localhost", "a.localhost"])
    func aNameOfThisMachineLeadsNowhereElse(host: String) {
        #expect(Self.permitted(host, isLocal: true, Self.everywhere) == Self.loopback)
        // Also where the configuration names it.
        #expect(
            Self.permitted(host, isLocal: false, allowed: [host], Self.everywhere)
                == Self.loopback)
    }

    @Test func anAddressLeadsToItself() {
        #expect(Self.permitted("[::1]", isLocal: true, Self.everywhere) == ["::1"])
        #expect(
            Self.permitted("127.0.0.1", isLocal: true, Self.everywhere)
                == ["127.0.0.1", "::ffff:127.0.0.1"])
        let link = "169.254.169.254"
        #expect(Self.permitted(link, isLocal: false, allowed: [link], [link]) == [link])
    }

    @Test func anAllowedNameDoesNotLeadToWhatOnlyThisMachineReaches() {
        let host = "partner.example"
        #expect(
            Self.permitted(host, isLocal: false, allowed: [host], Self.everywhere) == Self.beyond)
        #expect(
            Self.permitted(host, isLocal: true, allowed: [host], Self.everywhere)
                == Self.loopback + Self.beyond)
        #expect(
            Self.permitted(
                host, isLocal: false, allowed: [host, "127.8.9.1"], ["127.0.0.1", "127.8.9.1"])
                == ["127.8.9.1"])
        // A gateway leads on to what is in the last 32 bits (RFC 6052 §2.1).
        #expect(
            Self.permitted(host, isLocal: false, allowed: [host], Self.everywhere.map(Self.behind))
                == Self.beyond.map(Self.behind))
        // No request is sent to a host that isn't allowed; its addresses aren't permitted either.
        #expect(Self.permitted("other.example", isLocal: false, Self.everywhere).isEmpty)
    }
}
