// Hosts as people write them, and as devices look them up.

/// How hosts are spelt.
package enum HostSpelling {
    /// How to write a host that devices look up in another spelling; nil for others.
    package static func hint(for host: String) -> String? {
        host.utf8.allSatisfy { $0 < 0x80 }
            ? nil : "Devices look up \(host) in Punycode (xn--…): write it so."
    }
}
