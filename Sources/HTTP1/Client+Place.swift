// URLs as the client takes them: where a request goes, and what it asks for there.

extension Client {
    /// Where a URL leads.
    package struct Place: Equatable {
        let host: String
        let port: UInt16
        let authority: String
        let target: String

        let isSecure: Bool

        /// What to connect to: names below `localhost` are this machine, and asked of no name server
        /// (RFC 6761 §6.3).
        var address: String {
            host.lowercased().hasSuffix(".localhost") ? "127.0.0.1" : host
        }

        /// Takes `http` and `https` URLs apart (RFC 9110 §4.2).
        ///
        /// Throws a sentence for other URLs, and for one that names no host.
        package init(_ url: String) throws(ClientError) {
            let scheme = url.prefix { $0 != ":" }
            isSecure = scheme.lowercased() == "https"
            guard isSecure || scheme.lowercased() == "http",
                url.dropFirst(scheme.count).hasPrefix("://")
            else { throw ClientError("\(url) is no URL that begins with http:// or https://.") }
            let rest = url.dropFirst(scheme.count + 3).prefix { $0 != "#" }
            let text = rest.prefix { $0 != "/" && $0 != "?" }
            guard let authority = Authority(Array(text.utf8)[...]) else {
                throw ClientError("\(url) names no host.")
            }
            let path = rest.dropFirst(text.count)
            target = path.hasPrefix("/") ? String(path) : "/" + path
            self.authority = String(text)
            host = String(decoding: authority.host, as: UTF8.self)
            port = authority.port ?? (isSecure ? 443 : 80)
        }
    }
}
