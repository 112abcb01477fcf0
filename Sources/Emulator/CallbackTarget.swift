// Where an emulated vendor may send browsers and messages.
//
// Invariant: hosts are compared whole. A server that others can reach must not open a way to hosts
// that only it can reach, nor lend its name to links of others (CWE-918, CWE-601).

import HTTPClient
import LinkPatterns
import Problems
import ResultAPI
import Sockets
import Vendors

/// Decides which callback URLs are allowed.
package struct CallbackTarget: Sendable {
    /// How a callback is delivered.
    package enum Way: Sendable {
        /// The response redirects the browser that opened the launch.
        case redirect
        /// This server sends the request.
        case delivery
    }

    /// Why a callback is not followed.
    package struct Refusal: Error {
        /// A stable name of the rule.
        package let rule: String
        package let detail: String
    }

    /// The hosts that the configuration allows; nil if it lists none.
    let allowedHosts: Set<String>?
    /// The hosts of this server's sites and receivers.
    ///
    /// Only browsers may be redirected there: the browser's hosts file may resolve such a name,
    /// while DNS may lead this server elsewhere.
    let ownHosts: Set<String>
    /// Whether the server needs no token: it is reached from this machine only, and not by a proxy.
    let isLocal: Bool

    /// The rule that forbids a callback; nil if it is allowed, or left to a device.
    ///
    /// - Parameter authority: of the request that opened the launch; a callback to it stays on this
    ///   server.
    package func refusal(
        of callback: CallbackURL, for way: Way, from authority: String? = nil
    ) -> Refusal? {
        guard callback.kind == .web else {
            if way == .redirect, callback.kind != .refused { return nil }
            return Refusal(
                rule: "scheme", detail: "A server can deliver to http and https URLs only.")
        }
        let host = callback.host ?? ""
        if allowedHosts?.contains(host) == true { return nil }
        if isLocal, Self.isLoopback(host) { return nil }
        if way == .redirect {
            if ownHosts.contains(host) { return nil }
            let own = LinkURL(callback.description).authority?.lowercased()
            if let authority, own == authority.lowercased() { return nil }
            if !isLocal, Self.isPrivate(host) {
                return Refusal(
                    rule: "private-address",
                    detail: "\(host) is an address of a private network, and this server is "
                        + "reached from outside: name it under emulator.allowed_hosts if that is "
                        + "meant.")
            }
            if allowedHosts == nil, isLocal { return nil }
        }
        return Refusal(
            rule: "host",
            detail: "\(host) is not a host that emulated vendors may call: name it under "
                + "emulator.allowed_hosts in the configuration.")
    }

    /// The addresses that a delivery to an allowed host may connect to, checked after name
    /// resolution, so that a name can't lead elsewhere than it was allowed for (DNS rebinding).
    ///
    /// An address that the configuration lists, or that was allowed as an address, is allowed. A
    /// name that the configuration lists may lead to the Internet and to private networks, and to
    /// this machine only if the server needs no token. Other names may lead to this machine only.
    package func policy(for host: String) -> AddressPolicy {
        let named = Self.address(host)
        let isNamed = allowedHosts?.contains(host) == true
        let isOwnMachine = Self.isLoopback(host)
        let addresses = (allowedHosts ?? []).compactMap(Self.address)
        return { [isLocal] address in
            if let named { return address == named }
            if isNamed, addresses.contains(address) { return true }
            let reached = address.translated
            if reached.isLoopback { return isOwnMachine || isLocal }
            return isNamed && !isOwnMachine
                && !Self.forbiddenBlocks.contains { $0.contains(reached) }
        }
    }

    /// Blocks that no name may lead to: this host, link-local addresses with the metadata services
    /// of clouds, multicast and reserved blocks (the IANA registries of RFC 6890).
    private static let forbiddenBlocks = [
        "0.0.0.0/8", "169.254.0.0/16", "100.100.100.200", "192.0.0.0/24", "224.0.0.0/3", "::/128",
        "fe80::/10", "fd00:ec2::254", "ff00::/8",
    ].compactMap { AddressBlock($0) }

    /// Whether a host is this machine.
    package static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host.hasSuffix(".localhost") { return true }
        return address(host)?.isLoopback ?? false
    }

    /// Whether a host is outside the public Internet, judged by its name.
    private static func isPrivate(_ host: String) -> Bool {
        guard let address = address(host) else {
            let name = host.hasSuffix(".") ? String(host.dropLast()) : host
            let endings = [".localhost", ".local", ".internal", ".lan", ".home.arpa", ".intranet"]
            // Other forms of addresses, such as 127.1 and 2130706433, end in a number.
            let last = name.split(separator: ".").last ?? ""
            return !name.contains(".") || endings.contains { name.hasSuffix($0) }
                || last.first?.isNumber == true
        }
        return privateBlocks.contains { $0.contains(address) }
    }

    private static func address(_ host: String) -> IPAddress? {
        IPAddress(Array(host.utf8.filter { $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]") }))
    }

    /// Blocks that the Internet doesn't route (the IANA registries of RFC 6890).
    private static let privateBlocks = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
        "172.16.0.0/12", "192.0.0.0/24", "192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/3", "::/128",
        "::1/128", "64:ff9b::/96", "fc00::/7", "fe80::/10", "ff00::/8",
    ].compactMap { AddressBlock($0) }
}

extension CallbackTarget.Refusal {
    /// The response to the launch.
    package var problem: Problem {
        Problem(
            status: .unprocessableContent, kind: "callback-refused", detail: detail,
            findings: [Self.finding(rule)])
    }

    /// The diagnostic in the launch's record.
    var diagnostic: Diagnostic {
        Diagnostic(
            severity: .warning, layer: .model, code: OpenFlows.refusedCallbackCode, part: .target,
            expected: "a callback that the rule \(rule) allows", found: "another", hint: detail)
    }

    /// The problem entry that names the rule.
    static func finding(_ rule: String) -> Problem.Finding {
        Problem.Finding(name: "callback", detail: "Refused by the rule \(rule).")
    }
}
