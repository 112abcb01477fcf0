// The sections about TLS and about proxies in front of the server.

import HTTP1
import Sockets

extension Configuration {
    /// Applies the `tls` section.
    mutating func apply(tls section: inout ConfigurationSection) throws(ConfigurationError) {
        var tls = TLS()
        tls.port = try section.number("port", in: 0...65_535).map { UInt16($0) } ?? tls.port
        tls.folder = Self.resolve(
            try section.text("folder") ?? Self.certificatesName, section.file)
        tls.defaultCertificate = try section.text("default")
        tls.redirects = try section.flag("redirect") ?? false
        for var host in try section.sections("hsts") ?? [] {
            tls.strictHosts.append(try Self.strictHost(&host))
        }
        tls.clientAuthorities = try section.text("client_authorities").map {
            Self.resolve($0, section.file)
        }
        tls.clientCertificates =
            try section.choice("client_certificates") ?? tls.clientCertificates
        try section.refuseOthers()
        if tls.clientCertificates != .none, tls.clientAuthorities == nil {
            throw section.error(
                "client_authorities", "given: the file that client certificates are checked against"
            )
        }
        self.tls = tls
    }

    /// Throws if a server can't listen as the settings say, wherever each of them comes from.
    package func checkAddresses() throws(ConfigurationError) {
        guard host == "localhost" || IPAddress(host.utf8) != nil else {
            throw .badValue(
                file: "\(origin(of: "listen.host"))", key: "listen.host",
                expected: "an IPv4 or IPv6 address of this machine, or localhost, not \(host)")
        }
        guard let tls, tls.port == port, port != 0 else { return }
        let isOwn = origin(of: "tls.port") != .builtIn
        let (key, other) = isOwn ? ("tls.port", "listen.port") : ("listen.port", "tls.port")
        throw .badValue(
            file: "\(origin(of: key))", key: key,
            expected: "another port than \(other), which is \(port) too")
    }

    private static func strictHost(
        _ section: inout ConfigurationSection
    ) throws(ConfigurationError) -> TLS.StrictHost {
        let text = try section.text("host")
        let seconds = try section.number("seconds", in: 0...63_072_000)
        let includesSubdomains = try section.flag("include_subdomains") ?? false
        try section.refuseOthers()
        guard let text else { throw section.error("host", "given: the host name") }
        // Browsers ignore the field for addresses (RFC 6797 §8.1.1).
        guard let host = Authority.hostName(text), IPAddress(host.utf8) == nil else {
            throw section.error(
                "host",
                "one host name, such as www.yourapp.com, without scheme, port or wildcard: "
                    + "include_subdomains covers the names below it")
        }
        guard let seconds else {
            throw section.error("seconds", "given: how long browsers remember it")
        }
        return TLS.StrictHost(
            host: host, seconds: seconds, includesSubdomains: includesSubdomains)
    }

    /// Applies `trusted_proxies`: addresses, blocks of them, or `unix`.
    mutating func apply(proxies root: inout ConfigurationSection) throws(ConfigurationError) {
        let expected = "a list of addresses such as 10.0.0.0/8 or ::1, or unix"
        let names = try root.value("trusted_proxies", expected: expected) { node in
            node.sequence.flatMap { list in
                let texts = list.compactMap(\.string)
                return texts.count == list.count ? texts : nil
            }
        }
        for name in names ?? [] {
            if name == "unix" {
                trustsUnixPeers = true
            } else if let block = AddressBlock(name) {
                trustedProxies.append(block)
            } else {
                throw root.error("trusted_proxies", expected)
            }
        }
    }
}
