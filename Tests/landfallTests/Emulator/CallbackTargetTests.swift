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
        do throws(Problem) {
            switch try targets.check(callback, for: way, from: authority) {
            case .web: return "web"
            case .app: return "app"
            }
        } catch {
            let finding = try #require(error.findings.first?.detail)
            return String(finding.dropFirst("Refused by the rule ".count).dropLast())
        }
    }

    @Test(arguments: [
        ("https://partner.example/x", "web"), ("http://127.0.0.1:8080/x", "web"),
        ("http://10.1.2.3/x", "web"), ("http://localhost/x", "web"), ("myapp://done", "app"),
        ("myapp:", "app"), ("javascript:alert(1)", "scheme"), ("data:text/html,x", "scheme"),
        ("file:///etc/passwd", "scheme"), ("com.example.app/.Main", "scheme"),
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
        ("myapp://done", "app"), ("javascript:alert(1)", "scheme"),
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
        ("https://www.ours.example/x", "web"),
    ])
    func theServerItselfCallsOnlyWhatIsOursOrAllowed(url: String, expected: String) throws {
        #expect(try Self.rule(url, .delivery, isLocal: true) == expected)
    }

    @Test func aServerThatOthersReachDoesNotCallItsOwnMachine() throws {
        #expect(try Self.rule("http://127.0.0.1/x", .delivery, isLocal: false) == "host")
    }
}
