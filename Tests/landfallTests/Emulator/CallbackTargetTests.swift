// Where emulated vendors may send people and messages.

import Testing
import Vendors

@testable import landfall

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
}
