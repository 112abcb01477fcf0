// What `serve` prints on standard output when it is ready: the page's address, the addresses for
// other devices, and three commands that can be run unchanged.

import Settings
import Sockets

/// The greeting for a person at a terminal.
package struct Greeting: Sendable {
    let configuration: Configuration
    let version: String
    let needsToken: Bool
    /// A generated token that must be shown; nil otherwise.
    let newToken: String?

    package init(
        configuration: Configuration, version: String, needsToken: Bool, newToken: String?
    ) {
        self.configuration = configuration
        self.version = version
        self.needsToken = needsToken
        self.newToken = newToken
    }

    /// Prints the greeting.
    func show(
        port: UInt16?, securePort: UInt16?, addresses: [ServerAddresses.Address]
    ) {
        // Not `print`: it buffers when the output is a file.
        let text = text(port: port, securePort: securePort, addresses: addresses)
        StandardStream.output.write(
            Array((text + "\n").utf8), within: Limits.greetingMilliseconds)
    }

    package func text(
        port: UInt16?, securePort: UInt16? = nil, addresses: [ServerAddresses.Address] = []
    ) -> String {
        let host =
            ["0.0.0.0", "::", "localhost"].contains(configuration.host)
            ? "127.0.0.1" : configuration.host.urlHost
        // A certificate for this machine usually names `localhost`, not an address.
        let secureHost = configuration.host == "localhost" ? configuration.host : host
        let secure = securePort.map { "https://\(secureHost):\($0)" }
        guard let base = port.map({ "http://\(host):\($0)" }) ?? secure else {
            return "Landfall \(version) serves \(configuration.unixSocket ?? "a socket")"
        }
        let curl = configuration.expectsProxyHeader ? "curl --haproxy-protocol" : "curl"
        let flag = needsToken ? " -u landfall:\(newToken ?? "$LANDFALL_TOKEN")" : ""
        let places = [base + "/", secure.map { $0 + "/" }].compactMap(\.self)
        var lines = [
            "Landfall \(version) serves \(Set(places).sorted().joined(separator: " and "))",
            Self.reach(addresses),
            "",
            "  send a callback   \(curl) '\(base)/callbacks/welltory?stress=0.32&energy=0.75'",
            "  list results      \(curl)\(flag) '\(base)/api/v1/results?limit=10'",
            "  get one           \(curl)\(flag) '\(base)/api/v1/results/latest'",
            "",
        ]
        if let newToken {
            lines.append(
                "Results need the token \(newToken), which is new at every start. Set "
                    + "LANDFALL_TOKEN to keep one.")
        }
        return lines.joined(separator: "\n")
    }

    /// How other devices reach the server, or that they can't.
    private static func reach(_ addresses: [ServerAddresses.Address]) -> String {
        let others = addresses.filter { $0.kind != .loopback }.map { $0.url + "/" }
        if !others.isEmpty { return "Other devices reach it at " + others.joined(separator: ", ") }
        return "Only this machine reaches it: a QR code would lead a phone to the phone itself. "
            + "Other devices need --host 0.0.0.0."
    }
}
